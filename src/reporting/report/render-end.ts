import { sentence } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';

/** Why a run has no report, in words for people. */
export interface RunEnd {
  readonly kind: 'failed' | 'cancelled' | 'superseded';
  /** What happened, in a sentence. */
  readonly message: string;
}

/** What stands in the comment of a run that came to no report: what happened, and what to do. */
export function renderEnd({ kind, message }: RunEnd, runUrl: string | null): string {
  const words = publicCut(sentence(message.trim()), 2_000, '…');
  if (kind === 'superseded') return `**Superseded.** ${words}`;
  if (kind === 'cancelled') return `**Cancelled.** ${words}\n\nTo start over, ask again.`;
  const log = runUrl === null ? 'the log of the run' : `the [log of the run](${runUrl})`;
  return `**Failed.** ${words}\n\nTo go on: look into ${log} for the cause, then ask again.`;
}
