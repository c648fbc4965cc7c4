import { sentence } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';

/** The reason that a run has no report. */
export interface RunEnd {
  readonly kind: 'failed' | 'cancelled' | 'superseded';
  /** The cause, as a sentence. */
  readonly message: string;
  /** True if the message says what to do, so that the log adds nothing to it. Default: false. */
  readonly known?: boolean;
}

/** Renders the comment of a run without a report: the cause and what to do. */
export function renderEnd({ kind, message, known = false }: RunEnd, runUrl: string | null): string {
  const cause = renderReason(message);
  if (kind === 'superseded') return `**Superseded.** ${cause}`;
  if (kind === 'cancelled') return `**Cancelled.** ${cause}\n\nTo start over, ask again.`;
  if (known) return `**Failed.** ${cause}`;
  const log = runUrl === null ? 'the log of the run' : `the [log of the run](${runUrl})`;
  return `**Failed.** ${cause}\n\nTo go on: look into ${log} for the cause, then ask again.`;
}

/** Renders why there is no run, as one sentence. */
export const renderReason = (message: string): string => publicCut(sentence(message.trim()), 2_000, '…');
