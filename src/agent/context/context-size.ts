import type { ContextBounds } from '../../config/defaults.ts';
import type { Message, ToolResultPart } from '../../contract/message.ts';
import type { Usage } from '../../contract/usage.ts';
import { imagesIn } from '../models/replace-images.ts';

/** Estimated tokens of an image. Providers scale larger ones down to this (Anthropic, "Vision"). */
export const imageTokens = 1_600;
/**
 * Bytes of text to a token. Bytes and not characters: what is not Latin has more tokens to the
 * character.
 */
export const bytesPerToken = 4;

/** Tokens of one text by our own estimate. */
export function textTokens(text: string): number {
  return Buffer.byteLength(text) / bytesPerToken;
}

/** Tokens of one message by our own estimate, not rounded, so that estimates can be added up. */
export function messageTokens({ parts }: Message): number {
  let tokens = 0;
  for (const part of parts) {
    if (part.type !== 'tool_result') tokens += partTokens(part);
    else for (const piece of part.content) tokens += partTokens(piece);
  }
  return tokens;
}

function partTokens(part: Exclude<Message['parts'][number], ToolResultPart>): number {
  if (part.type === 'text') return textTokens(part.text);
  if (part.type === 'image') return imageTokens;
  return textTokens(JSON.stringify(part.type === 'tool_call' ? part.input : part.value));
}

/** Limits of a conversation, all in tokens. */
export interface ContextBudget {
  /** Window of the model. */
  readonly window: number;
  /** Above this size, older parts are shortened. */
  readonly full: number;
  /**
   * Down to this, where it is made little by little: so that what providers cache rarely changes.
   */
  readonly target: number;
  /** The newest part, which is left as it is wherever that is possible. */
  readonly recent: number;
}

/** Maximum share of the window that counts as recent. More would leave nothing to shorten. */
const recentShare = 0.4;
/**
 * Share of the allowed part that is filled after shortening: 70 % of a window of which 85 % may be
 * filled.
 */
const targetShare = 0.7 / 0.85;

/** The bounds of a model's window by the configuration. */
export function contextBudget(window: number, bounds: ContextBounds): ContextBudget {
  const { compactPercent, reserveTokens, keepRecent } = bounds;
  // A reserve as large as the window would leave no budget at all.
  const full = compactPercent === -1 ? Math.max(window - reserveTokens, window / 2) : window * compactPercent;
  return {
    window,
    full: Math.floor(full),
    target: Math.floor(full * targetShare),
    recent: Math.floor(Math.min(keepRecent, full * recentShare)),
  };
}

/**
 * Counts the tokens of a conversation: the provider's last count, and an estimate of later
 * messages.
 */
export interface ContextMeter {
  /** Tokens of the whole next request. */
  tokens(): number;
  /** Number of images. */
  images(): number;
  /** Converts tokens into our own estimate, corrected by its error so far. */
  estimated(tokens: number): number;
  add(message: Message): void;
  /** The provider's count of the last request and its reply; called before the reply is added. */
  count(usage: Usage): void;
  /** Starts over with another conversation, without counts. */
  replace(messages: readonly Message[]): void;
}

/** A server's count below this share of our estimate is wrong or missing: the estimate is used. */
const leastShare = 1 / 3;
/** Nor is a count believed that would make a token of each few bits. */
const mostShare = 8;

/**
 * Starts with the size that every request has besides the conversation: `fixed` tokens of system
 * prompt and tools. Stores sums only.
 */
export function newContextMeter(fixed: number): ContextMeter {
  let estimate = fixed;
  let images = 0;
  let ratio = 1;
  /** The last count, and our estimate of later messages. Null before the first believable count. */
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
