import { ledgerRows } from '../agent/ledger/read-run-ledger.ts';
import { ConfigError } from '../contract/errors.ts';
import { parseJson } from '../contract/json.ts';
import { TraceLine } from '../contract/run-trace.ts';

/** Counts of the raw events of a run. */
export interface TraceSummary {
  readonly events: number;
  /** Pieces of streamed text, and their characters. */
  readonly pieces: number;
  readonly characters: number;
  /** Milliseconds from the start of the first turn to the first piece; null without one. */
  readonly first_text_ms: number | null;
  /** True if the trace reached its size limit. */
  readonly cut: boolean;
}

/**
 * Reads the trace of a run; null if there is none. A last line cut off by a crash is omitted.
 * Throws `ConfigError` with file and line for any other line of a wrong format.
 */
export async function readTrace(file: string): Promise<TraceLine[] | null> {
  const lines: TraceLine[] = [];
  try {
    for await (const { text, ended } of ledgerRows(file)) {
      const parsed = TraceLine.safeParse(parseJson(text));
      if (parsed.success) lines.push(parsed.data);
      else if (ended)
        throw new ConfigError(`${file}, line ${lines.length + 1}: not an event of a run.`, { file });
    }
    return lines;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Counts the events of a trace. */
export function summariseTrace(lines: readonly TraceLine[]): TraceSummary {
  const texts = lines.flatMap(({ at, event }) => (event.type === 'text.delta' ? [{ at, ...event }] : []));
  const turn = lines.find(({ event }) => event.type === 'ledger' && event.entry === 'turn.started');
  const [first] = texts;
  return {
    events: lines.length,
    pieces: texts.length,
    characters: texts.reduce((sum, { text }) => sum + text.length, 0),
    first_text_ms:
      first === undefined || turn === undefined ? null : Date.parse(first.at) - Date.parse(turn.at),
    cut: lines.at(-1)?.event.type === 'cut',
  };
}

/** Describes a trace in one line. */
export function describeTrace({ events, pieces, characters, first_text_ms, cut }: TraceSummary): string {
  const text =
    first_text_ms === null
      ? 'no streamed text'
      : `${pieces} ${pieces === 1 ? 'piece' : 'pieces'} of text (${characters} characters), the first ${first_text_ms} ms after the first turn began`;
  return `${events} events, ${text}${cut ? '; cut at its size limit' : ''}`;
}
