import type { Message, ToolResultPart } from '../contract/message.ts';
import type { ContextRoom } from './context-room.ts';
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
 * Replaces the texts of the oldest tool results by words when the conversation's `tokens` are more than may be filled; null
 * where nothing is to be done. What is newer than `room.recent` tokens stays, and every call keeps its result, since
 * providers refuse one without. For runs whose older turns are not summarised. `weigh` tells what our estimate is worth.
 */
export function pruneResults(
  messages: readonly Message[],
  {
    tokens,
    room,
    weigh,
  }: { readonly tokens: number; readonly room: ContextRoom; readonly weigh: (estimate: number) => number },
): PrunedResults | null {
  if (tokens <= room.full) return null;
  let spare = tokens - room.roomy;
  let behind = messages.reduce((sum, message) => sum + messageTokens(message), 0);
  let removed = 0;
  const pruned = messages.map((message): Message => {
    behind -= messageTokens(message);
    if (message.role !== 'user' || spare <= 0 || behind < room.recent) return message;
    const parts = message.parts.map((part) => {
      const saved = part.type === 'tool_result' && spare > 0 ? weigh(savedTokens(part)) : 0;
      if (part.type !== 'tool_result' || saved <= 0) return part;
      spare -= saved;
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
