import * as z from 'zod';
import type { FoundLine } from './found-line.ts';

/** ripgrep gives text where it is UTF-8, base64 where it is not. */
const Text = z.union([
  z.object({ text: z.string() }).transform(({ text }) => text),
  z.object({ bytes: z.string() }).transform(({ bytes }) => Buffer.from(bytes, 'base64').toString('utf8')),
]);

const Message = z.object({
  type: z.enum(['match', 'context']),
  data: z.object({ path: Text, lines: Text, line_number: z.int() }),
});

/** The lines of `rg --json`, one message a line; a match over several lines becomes as many. */
export function parseRipgrep(stdout: string): FoundLine[] {
  return stdout.split('\n').flatMap((json) => {
    if (json === '') return [];
    const message = Message.safeParse(JSON.parse(json));
    if (!message.success) return [];
    const { type, data } = message.data;
    return data.lines
      .replace(/\r?\n$/, '')
      .split('\n')
      .map((text, index) => ({
        path: withoutDot(data.path),
        line: data.line_number + index,
        text: text.replace(/\r$/, ''),
        match: type === 'match',
      }));
  });
}

/**
 * The lines of `grep -Z -n`, `path NUL line :|- text`, and of `git grep -z -n --column`, `path NUL line NUL
 * text` with the column before the text of a match; groups of context stand apart by `--`.
 */
export function parseGrep(stdout: string): FoundLine[] {
  return stdout.split('\n').flatMap((record) => {
    const parts = /^(?<path>[^\0]+)\0(?<line>\d+)(?:(?<mark>[:-])|\0(?:(?<column>\d+)\0)?)(?<text>.*)$/s.exec(
      record,
    )?.groups;
    if (parts === undefined) return [];
    const { path = '', line, mark, column, text = '' } = parts;
    const match = mark === ':' || column !== undefined;
    return [{ path: withoutDot(path), line: Number(line), text: text.replace(/\r$/, ''), match }];
  });
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}
