import type { Message } from '../../contract/message.ts';
import { messageTokens } from './context-size.ts';

/** A conversation in two parts: the one to summarise, and the one that stays unchanged. */
export interface SplitConversation {
  /** Begins with the first message of the run and ends with one of the user's. */
  readonly head: readonly Message[];
  /** Begins with a reply of the model; empty only where nothing is to stay. */
  readonly tail: readonly Message[];
  /** Estimated tokens of the head, without its first message. */
  readonly headTokens: number;
}

/**
 * Cuts before the newest reply from which at least `recent` tokens follow. A call is not separated
 * from its result, and nothing newer is changed. Null if nothing would be summarised.
 */
export function splitConversation(messages: readonly Message[], recent: number): SplitConversation | null {
  let behind = 0;
  for (let index = messages.length - 1; index > 1; index -= 1) {
    const message = messages[index];
    if (message === undefined) continue;
    behind += messageTokens(message);
    if (message.role === 'assistant' && behind >= recent) return cut(messages, index);
  }
  return null;
}

/** A split if even the newest turn is too long: the whole conversation is summarised. */
export function wholeHead(messages: readonly Message[]): SplitConversation | null {
  return messages.length > 1 && messages.at(-1)?.role === 'user' ? cut(messages, messages.length) : null;
}

function cut(messages: readonly Message[], index: number): SplitConversation {
  const head = messages.slice(0, index);
  const headTokens = head.slice(1).reduce((sum, message) => sum + messageTokens(message), 0);
  return { head, tail: messages.slice(index), headTokens };
}
