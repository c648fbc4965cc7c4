import { ToolError } from '../../contract/errors.ts';
import type { Chat, ChatMessage } from '../../contract/thread.ts';
import { fenced } from '../../contract/untrusted.ts';

/** Returns the messages of the run's thread. Throws `ToolError('unavailable')` without one. */
export function threadOf(chat: Chat | null): Chat {
  if (chat !== null) return chat;
  throw new ToolError('unavailable', 'This run belongs to no issue or pull request, so there is no chat.');
}

/** Renders a part of a message, marked as its author's text. */
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
    // A cut may have left half a character.
    text.toWellFormed(),
  );
}
