import type { Message } from '../contract/message.ts';
import { imagesIn } from './models/replace-images.ts';

/** What an image costs about, in tokens: providers scale larger ones down to this (Anthropic, "Vision"). */
export const imageTokens = 1_600;
/** Characters of text to a token. */
export const charactersPerToken = 4;

/** How full the context may get before room is made, and how full it may be afterwards. */
export const fullShare = 0.85;
export const roomyShare = 0.7;

/** What a conversation is held against. */
export interface ContextLimits {
  /** Tokens the model takes. */
  readonly contextWindow: number;
  /** What the provider counted for the last request and its reply, 0 before the first. */
  readonly counted: number;
}

/** Tokens of a conversation: as the provider counted them, with what came since, and at least by our own estimate. */
export function contextTokens(messages: readonly Message[], { counted }: ContextLimits): number {
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  return Math.max(estimateTokens(messages), counted + estimateTokens(messages.slice(lastReply + 1)));
}

function estimateTokens(messages: readonly Message[]): number {
  return Math.ceil(textLength(messages) / charactersPerToken) + imagesIn(messages).length * imageTokens;
}

function textLength(messages: readonly Message[]): number {
  let length = 0;
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'text') length += part.text.length;
      else if (part.type === 'tool_call') length += JSON.stringify(part.input).length;
      else if (part.type === 'tool_result') {
        for (const piece of part.content) if (piece.type === 'text') length += piece.text.length;
      }
    }
  }
  return length;
}
