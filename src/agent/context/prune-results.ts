import type { Message, ToolResultPart } from '../../contract/message.ts';
import { messageTokens, textTokens } from './estimate-tokens.ts';

/** What stands where an old result was. */
const leftOutWords = '[result left out to save space; call again if it is still needed]';
/** Results up to this many characters cost little more than the words that would replace them. */
const shortResult = 400;

/** A conversation with shorter results. */
export interface PrunedResults {
  readonly messages: readonly Message[];
  readonly removed: number;
}

/**
 * Replaces the texts of the oldest tool results by words until `spare` tokens by our own estimate are saved; null where nothing
 * is to be done. What is newer than `recent` tokens stays, and every call keeps its result, since providers refuse one
 * without. For runs whose older turns are not summarised.
 */
export function pruneResults(
  messages: readonly Message[],
  spare: number,
  recent: number,
): PrunedResults | null {
  if (spare <= 0) return null;
  let left = spare;
  let behind = messages.reduce((sum, message) => sum + messageTokens(message), 0);
  let removed = 0;
  const pruned = messages.map((message): Message => {
    behind -= messageTokens(message);
    if (message.role !== 'user' || left <= 0 || behind < recent) return message;
    const parts = message.parts.map((part) => {
      const saved = part.type === 'tool_result' && left > 0 ? savedTokens(part) : 0;
      if (part.type !== 'tool_result' || saved <= 0) return part;
      left -= saved;
      removed += 1;
      return { ...part, content: [{ type: 'text' as const, text: leftOutWords }] };
    });
    return { ...message, parts };
  });
  return removed === 0 ? null : { messages: pruned, removed };
}

function savedTokens({ content }: ToolResultPart): number {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const tokens = texts.reduce((sum, text) => sum + textTokens(text), 0);
  return length > shortResult ? tokens - textTokens(leftOutWords) : 0;
}
