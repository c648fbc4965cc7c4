import * as z from 'zod';
import type { ChatMessage } from '../../contract/thread.ts';
import { integer, unlessNull } from '../input/lenient.ts';
import { escapeRegex } from '../search/text-query.ts';
import { defineTool, toJson } from '../tool.ts';
import { renderMessagePart, threadOf } from './thread-of.ts';

/** Characters displayed around the first match of a message. */
const around = 150;

const input = z.object({
  query: z.string().min(1).max(500),
  limit: integer(z.int().positive().max(50)).default(20),
  role: unlessNull(z.enum(['user', 'assistant', 'system'])).describe('people, you, other bots'),
  start_message: unlessNull(integer(z.int().nonnegative())).describe('index, from 0'),
  end_message: unlessNull(integer(z.int().nonnegative())),
  scan_limit: unlessNull(integer(z.int().positive())).describe('search only this many of the newest'),
});

/** Finds messages of the run's own thread that contain a text. */
export const chatSearch = defineTool({
  name: 'chat.search',
  description: 'Find a text in the issue or pull request conversation this run belongs to.',
  exposure: 'deferred',
  findBy: ['the thread', 'comment|discussion'],
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.query }),
  async execute(args, context) {
    const { role, start_message: start = 0, end_message: end = Number.POSITIVE_INFINITY } = args;
    const candidates = threadOf(context.chat).filter(
      (one) => (role === undefined || one.role === role) && one.index >= start && one.index <= end,
    );
    const scanned = args.scan_limit === undefined ? candidates : candidates.slice(-args.scan_limit);
    const wanted = new RegExp(escapeRegex(args.query), 'giu');
    const hits = scanned.flatMap((message) => {
      const places = [...message.text.matchAll(wanted)].map(({ index }) => index);
      const [first] = places;
      return first === undefined ? [] : [{ message, first, count: places.length }];
    });
    // A limit keeps the newest messages, as they describe the current state.
    const shown = hits.slice(-args.limit);
    const data = toJson({
      hits: shown.map(({ message: { index, role: of, author, at }, first, count }) => ({
        ...{ index, role: of, author, at, start_char: first, count },
      })),
      total: hits.length,
      scanned: scanned.length,
    });
    if (shown.length === 0)
      return { content: `No message has "${args.query}" (${scanned.length} searched).`, data };
    const more =
      hits.length === shown.length
        ? ''
        : `\n[${hits.length - shown.length} older messages have it too; set end_message or limit]`;
    const found = shown.map(({ message, first, count }) =>
      renderMessagePart(message, snippet(message, first), count === 1 ? '' : `1 of ${count} matches`),
    );
    return { content: found.join('\n') + more, data };
  },
});

function snippet({ text }: ChatMessage, at: number): string {
  const from = Math.max(0, at - around);
  const to = Math.min(text.length, at + around);
  return `${from === 0 ? '' : '…'}${text.slice(from, to).toWellFormed()}${to === text.length ? '' : '…'}`;
}
