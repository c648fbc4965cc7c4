import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { Chat, ChatMessage } from '../../contract/thread.ts';
import { fenced } from '../../contract/untrusted.ts';

/** Returns the messages of the run's thread. Throws `ToolError('unavailable')` without one. */
export function threadOf(chat: Chat | null): Chat {
  if (chat !== null) return chat;
  throw new ToolError('unavailable', 'This run belongs to no issue or pull request, so there is no chat.');
}

/** Renders a part of a message, marked as its author's text. */
export function renderMessagePart(
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

/** Throws `ToolError('invalid_input')` for any source other than our own. */
export function localOnly(source: string): void {
  if (source.trim().toLowerCase() === 'local') return;
  throw invalidInput(
    `There is no source "${source}". Leave it out: "local" has all earlier runs on this repository.`,
  );
}

/** Returns the words of a text in lower case, each once, and thread numbers (`#7`). */
export function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/#\d+|[\p{L}\p{N}_]{2,}/gu) ?? [])];
}

/** Counts the words that a text contains. */
export function countWords(text: string, words: readonly string[]): number {
  const low = text.toLowerCase();
  return words.filter((word) => low.includes(word)).length;
}
