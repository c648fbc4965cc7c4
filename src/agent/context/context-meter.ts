import type { Message } from '../../contract/message.ts';
import type { Usage } from '../../contract/usage.ts';
import { imagesIn } from '../models/replace-images.ts';
import { messageTokens } from './estimate-tokens.ts';

/** How many tokens a conversation has: as the provider counted them, with an estimate of what came since. */
export interface ContextMeter {
  /** Of the next request, whole. */
  tokens(): number;
  /** How many images there are. */
  images(): number;
  /** So many tokens, as our own estimate would have them, by how far that was off so far. */
  estimated(tokens: number): number;
  add(message: Message): void;
  /** The provider's count of the last request and its reply; called before the reply is added. */
  count(usage: Usage): void;
  /** Starts over with another conversation, of which nothing was counted yet. */
  replace(messages: readonly Message[]): void;
}

/**
 * A count below this share of our own estimate is a server's that counts badly, or counts nothing: the estimate holds then.
 */
const leastShare = 1 / 3;
/** Nor is a count believed that would make a token of each few bits. */
const mostShare = 8;

/** Begins with what every request has besides the conversation: `fixed` tokens of system prompt and tools. Keeps sums only. */
export function newContextMeter(fixed: number): ContextMeter {
  let estimate = fixed;
  let images = 0;
  let ratio = 1;
  /** What was counted last, and our estimate of what came since; null before the first believable count. */
  let counted: { readonly tokens: number; readonly reply: number; since: number } | null = null;
  return {
    tokens: () => Math.ceil(counted === null ? estimate * ratio : counted.tokens + counted.since * ratio),
    estimated: (tokens) => tokens / ratio,
    images: () => images,
    add(message) {
      images += imagesIn([message]).length;
      const tokens = messageTokens(message);
      estimate += tokens;
      if (counted === null) return;
      // A reply is part of the count that came with it, where its server counts replies.
      if (message.role === 'user') counted.since += tokens;
      else if (tokens > 2 * counted.reply) counted.since += tokens - counted.reply;
    },
    count({ input, output, cache_read, cache_write }) {
      const sent = input + cache_read + cache_write;
      const share = sent / Math.max(estimate, 1);
      const believed = share >= leastShare && share <= mostShare;
      counted = believed ? { tokens: sent + output, reply: output, since: 0 } : null;
      ratio = believed ? share : 1;
    },
    replace(messages) {
      estimate = messages.reduce((sum, message) => sum + messageTokens(message), fixed);
      images = imagesIn(messages).length;
      counted = null;
    },
  };
}
