import { decodeText } from '../text/text-file.ts';
import { aroundMatch, type FoundLine } from './found-line.ts';

/** ripgrep gives text where it is UTF-8, base64 where it is not. */
type Text = { readonly text: string } | { readonly bytes: string };

/**
 * A message of `rg --json`, as its manual has it. It comes from the program itself, whatever the files hold, and there
 * are ten thousands of them, so that its shape is not checked again.
 */
interface Message {
  readonly type: 'match' | 'context';
  readonly data: {
    readonly path: Text;
    readonly lines: Text;
    readonly line_number: number;
    /** By bytes of `lines`. */
    readonly submatches: readonly { readonly start: number }[];
  };
}

/**
 * The lines of one message of `rg --json`: a match over several lines is as many, clamped around where it
 * begins. Null for a match whose message was too long to be read whole.
 */
export function parseRipgrep(json: string): FoundLine[] | null {
  if (!/^\{"type":"(?:match|context)"/.test(json)) return [];
  const message = readMessage(json);
  if (message === null) return json.startsWith('{"type":"match"') ? null : [];
  const { type, data } = message;
  const lines = bytesOf(data.lines);
  // Where the match begins matters only in a line too long to be shown whole.
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
 * The line of `grep -Z -n`, `path NUL line :|- text`, or of `git grep -z -n --column`, `path NUL line NUL
 * text` with the column before the text of a match; groups of context stand apart by `--`.
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
