import { decodeText } from '../text/text-file.ts';
import { aroundMatch, type FoundLine } from './found-line.ts';

/** Text as ripgrep prints it: plain if UTF-8, otherwise base64. */
type Text = { readonly text: string } | { readonly bytes: string };

/**
 * A message of `rg --json`. It comes from the program itself, and there are tens of thousands, so
 * its shape is not validated.
 */
interface Message {
  readonly type: 'match' | 'context';
  readonly data: {
    readonly path: Text;
    readonly lines: Text;
    readonly line_number: number;
    /** Offsets in bytes of `lines`. */
    readonly submatches: readonly { readonly start: number }[];
  };
}

/**
 * Parses one message of `rg --json`. A match over several lines yields several, each cut to size.
 * Null for a match whose message was too long to read.
 */
export function parseRipgrep(json: string): FoundLine[] | null {
  if (!/^\{"type":"(?:match|context)"/.test(json)) return [];
  const message = readMessage(json);
  if (message === null) return json.startsWith('{"type":"match"') ? null : [];
  const { type, data } = message;
  const lines = bytesOf(data.lines);
  // The offset of the match matters only for a line too long to display.
  const at = lines.length <= 300 ? 0 : decodeText(lines.subarray(0, data.submatches[0]?.start ?? 0)).length;
  const path = withoutDot(bytesOf(data.path).toString('utf8'));
  return decodeText(lines)
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((text, index) => ({
      path,
      line: data.line_number + index,
      text: aroundMatch(text.replace(/\r$/, ''), index === 0 ? at : 0),
      match: type === 'match',
      ...(type === 'match' && index > 0 ? { continued: true as const } : {}),
    }));
}

function bytesOf(text: Text): Buffer {
  return 'text' in text ? Buffer.from(text.text) : Buffer.from(text.bytes, 'base64');
}

function readMessage(json: string): Message | null {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/**
 * Parses a line of `grep -Z -n` (`path NUL line :|- text`) or of `git grep -z -n --column` (`path
 * NUL line NUL text`, with the column before a match). Groups of context are separated by `--`.
 */
export function parseGrep(record: string): FoundLine[] {
  const parts = /^(?<path>[^\0]+)\0(?<line>\d+)(?:(?<mark>[:-])|\0(?:(?<column>\d+)\0)?)(?<text>.*)$/s.exec(
    record,
  )?.groups;
  if (parts === undefined) return [];
  const { path = '', line, mark, column, text = '' } = parts;
  const match = mark === ':' || column !== undefined;
  const shown = aroundMatch(text.replace(/\r$/, ''), Number(column ?? 1) - 1);
  return [{ path: withoutDot(path), line: Number(line), text: shown, match }];
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}
