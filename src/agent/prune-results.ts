import type { Message, ToolResultPart } from '../contract/message.ts';
import {
  type ContextLimits,
  charactersPerToken,
  contextTokens,
  fullShare,
  roomyShare,
} from './estimate-tokens.ts';

/** What stands where an old result was. */
const leftOutWords = '[result left out to save space; call again if it is still needed]';
/** The newest part of the conversation, in tokens, in which nothing is touched: what the model works on. */
const keptTokens = 20_000;
/** Results up to this many characters cost little more than the words that would replace them. */
const shortResult = 400;

/** A conversation with shorter results, and how many tokens it has by our estimate before and after. */
export interface PrunedResults {
  readonly messages: readonly Message[];
  readonly removed: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/**
 * Replaces the texts of the oldest tool results by words when the conversation has more than 85 % of the context, down
 * to 70 %; null where nothing is to be done. The newest 20,000 tokens stay, and every call keeps its result, since
 * providers refuse one without.
 */
export function pruneResults(messages: readonly Message[], limits: ContextLimits): PrunedResults | null {
  const tokensBefore = contextTokens(messages, limits);
  if (tokensBefore <= limits.contextWindow * fullShare) return null;
  let spare = tokensBefore - limits.contextWindow * roomyShare;
  const estimated = { ...limits, counted: 0 };
  let behind = contextTokens(messages, estimated);
  let removed = 0;
  const pruned = messages.map((message): Message => {
    const size = contextTokens([message], estimated);
    behind -= size;
    if (message.role !== 'user' || spare <= 0 || behind < keptTokens) return message;
    const parts = message.parts.map((part) => {
      const saved = part.type === 'tool_result' && spare > 0 ? savedTokens(part) : 0;
      if (part.type !== 'tool_result' || saved <= 0) return part;
      spare -= saved;
      removed += 1;
      return { ...part, content: [{ type: 'text' as const, text: leftOutWords }] };
    });
    return { ...message, parts };
  });
  if (removed === 0) return null;
  return {
    messages: pruned,
    removed,
    tokensBefore,
    tokensAfter: contextTokens(pruned, estimated),
  };
}

function savedTokens({ content }: ToolResultPart): number {
  const length = content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  return length > shortResult ? (length - leftOutWords.length) / charactersPerToken : 0;
}
