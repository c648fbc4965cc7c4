import type { Chat, ChatMessage } from '../../contract/chat.ts';
import { ToolError } from '../../contract/errors.ts';
import { fenced } from '../../contract/untrusted.ts';

/** The messages of the run's thread. Throws `ToolError('unavailable')` where it has none. */
export function threadOf(chat: Chat | null): Chat {
  if (chat !== null) return chat;
  throw new ToolError('unavailable', 'This run belongs to no issue or pull request, so there is no chat.');
}

/** A piece of a message, marked as the words of whoever wrote it. */
export function quoted(
  { index, role, author, kind, at, place }: ChatMessage,
  text: string,
  more = '',
): string {
  return fenced(
    {
      index: String(index),
      ...{ role, kind, author },
      ...(at === '' ? {} : { at }),
      ...(place === undefined ? {} : { place }),
      ...(more === '' ? {} : { part: more }),
    },
    // A cut may have left half a character, which is no text.
    text.toWellFormed(),
  );
}
