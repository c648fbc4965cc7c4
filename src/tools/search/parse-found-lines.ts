import * as z from 'zod';
import { aroundMatch, type FoundLine } from './found-line.ts';

/** ripgrep gives text where it is UTF-8, base64 where it is not. */
const Text = z.union([
  z.object({ text: z.string() }).transform(({ text }) => Buffer.from(text)),
  z.object({ bytes: z.string() }).transform(({ bytes }) => Buffer.from(bytes, 'base64')),
]);

const Message = z.object({
  type: z.enum(['match', 'context']),
  data: z.object({
    path: Text,
    lines: Text,
    line_number: z.int(),
    /** By bytes of `lines`. */
    submatches: z.array(z.object({ start: z.int() })),
  }),
});

/**
 * The lines of one message of `rg --json`: a match over several lines is as many, clamped around where it
 * begins. Null for a match whose message was too long to be read whole.
 */
export function parseRipgrep(json: string): FoundLine[] | null {
  if (!/^\{"type":"(?:match|context)"/.test(json)) return [];
  const parsed = readJson(json);
  if (parsed === undefined) return json.startsWith('{"type":"match"') ? null : [];
  const { type, data } = Message.parse(parsed);
  const start = data.submatches[0]?.start ?? 0;
  const at = data.lines.subarray(0, start).toString('utf8').length;
  return data.lines
    .toString('utf8')
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((text, index) => ({
      path: withoutDot(data.path.toString('utf8')),
      line: data.line_number + index,
      text: aroundMatch(text.replace(/\r$/, ''), index === 0 ? at : 0),
      match: type === 'match',
      ...(type === 'match' && index > 0 ? { continued: true as const } : {}),
    }));
}

function readJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
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
