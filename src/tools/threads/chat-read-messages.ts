import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { Chat } from '../../contract/thread.ts';
import { integer, list, unlessNull } from '../input/lenient.ts';
import { defineTool, toJson } from '../tool.ts';
import { renderMessagePart, threadOf } from './thread-of.ts';

const mostInOne = 8_000;
const mostInAll = 20_000;

const Part = z.object({
  index: integer(z.int().nonnegative()),
  start_char: unlessNull(integer(z.int().nonnegative())),
  max_chars: unlessNull(integer(z.int().positive().max(mostInOne))),
});

const input = z.object({
  messages: list(z.array(Part).min(1).max(20)).describe(
    'index from 0, the description; to 8,000 characters of each',
  ),
});

/** Reads messages of the run's own thread by index, whole or in part. */
export const chatReadMessages = defineTool({
  name: 'chat.read_messages',
  description: 'Read messages of the issue or pull request conversation this run belongs to.',
  exposure: 'deferred',
  findBy: ['the thread', 'comment|discussion'],
  input,
  level: 'auto_read',
  targets: (args) => ({ what: `messages ${args.messages.map(({ index }) => index).join(', ')}` }),
  async execute(args, context) {
    const chat = threadOf(context.chat);
    const parts = args.messages.map((part) => partOf(chat, part));
    const total = parts.reduce((sum, { text }) => sum + text.length, 0);
    if (total > mostInAll) {
      throw new ToolError(
        'too_large',
        `These messages have ${total} characters, and one call gives at most ${mostInAll}. Ask for fewer, or less of each with max_chars.`,
      );
    }
    return {
      content: parts.map(({ message, text, note }) => renderMessagePart(message, text, note)).join('\n'),
      data: toJson({
        messages: parts.map(({ message: { index, role, author }, text, start }) => ({
          ...{ index, role, author, start_char: start, end_char: start + text.length },
        })),
      }),
    };
  },
});

/** Returns the requested characters of one message, and a note on the others. */
function partOf(chat: Chat, part: z.output<typeof Part>) {
  const message = chat.find(({ index }) => index === part.index) ?? missing(chat, part.index);
  const { index, text } = message;
  const whole = part.start_char === undefined && part.max_chars === undefined;
  if (whole && text.length > mostInOne) {
    throw new ToolError(
      'too_large',
      `Message ${index} has ${text.length} characters, and at most ${mostInOne} are read at once. Read it in parts, with start_char and max_chars.`,
    );
  }
  const start = part.start_char ?? 0;
  if (start > 0 && start >= text.length) {
    throw invalidInput(
      `Message ${index} has only ${text.length} characters; start_char ${start} is past its end.`,
    );
  }
  const end = Math.min(text.length, start + (part.max_chars ?? mostInOne));
  const note = start === 0 && end === text.length ? '' : `characters ${start}-${end} of ${text.length}`;
  return { message, start, note, text: text.slice(start, end) };
}

function missing(chat: Chat, index: number): never {
  const last = chat.at(-1)?.index ?? 0;
  const oldest = chat[1]?.index ?? 0;
  const there = oldest > 1 ? `0 and ${oldest} to ${last}; older ones are too much to keep` : `0 to ${last}`;
  throw new ToolError('not_found', `There is no message ${index}. There are ${there}.`);
}
