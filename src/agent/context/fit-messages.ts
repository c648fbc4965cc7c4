import type { Message, ToolResultPart } from '../../contract/message.ts';
import { bytesPerToken, messageTokens, textTokens } from './estimate-tokens.ts';

/** No text is cut below this, in characters. */
const leastKept = 400;
/** A task, a note of earlier turns or what a person said is as long as this at most, in characters, or it is cut like a result. */
const longestSpared = 8_000;

/** A conversation with shorter texts. */
export interface FittedMessages {
  readonly messages: readonly Message[];
  /** How many texts were cut. */
  readonly cut: number;
}

/**
 * Cuts the longest texts of the user's side, results above all, in their middle, each to the same length, so that
 * `spare` tokens by our own estimate are saved, give or take the words that tell of it; those of the newest `recent`
 * tokens only where the older ones are not enough, and texts that are no results, such as the task, only where all results
 * are not. Saves less where all are short already. Calls, replies and images stay.
 */
export function fitMessages(messages: readonly Message[], spare: number, recent: number): FittedMessages {
  const old = oldEnd(messages, recent);
  let fitted: FittedMessages = { messages, cut: 0 };
  let left = spare;
  for (const [end, spared] of [
    [old, longestSpared],
    [messages.length, longestSpared],
    [old, 0],
    [messages.length, 0],
  ] as const) {
    const { messages: shorter, cut, saved } = fitBefore(fitted.messages, { end, spared, spare: left });
    fitted = { messages: shorter, cut: fitted.cut + cut };
    left -= saved;
    if (left <= 0) break;
  }
  return fitted;
}

/** Where the newest part begins. */
function oldEnd(messages: readonly Message[], recent: number): number {
  let behind = 0;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message !== undefined) behind += messageTokens(message);
    if (behind > recent) return index;
  }
  return 0;
}

function fitBefore(
  messages: readonly Message[],
  { end, spared, spare }: { readonly end: number; readonly spared: number; readonly spare: number },
): FittedMessages & { readonly saved: number } {
  const lengths = messages
    .slice(0, end)
    .flatMap((message) => textsOf(message, spared))
    .map((text) => text.length);
  const most = capOf(lengths, spare);
  let cut = 0;
  let saved = 0;
  const shorten = (text: string): string => {
    if (text.length <= most) return text;
    const words = `\n[… ${text.length - most} characters left out, as there was no room for them …]\n`;
    const half = Math.floor(most / 2);
    const short = `${text.slice(0, half)}${words}${text.slice(-half)}`.toWellFormed();
    if (short.length >= text.length) return text;
    cut += 1;
    saved += textTokens(text) - textTokens(short);
    return short;
  };
  const fitted = messages.map((message, index) =>
    index < end && message.role === 'user' && textsOf(message, spared).some((text) => text.length > most)
      ? { ...message, parts: message.parts.map((part) => shortenPart(part, shorten, spared)) }
      : message,
  );
  return { messages: fitted, cut, saved };
}

type UserPart = Extract<Message, { role: 'user' }>['parts'][number];

function shortenPart(part: UserPart, shorten: (text: string) => string, spared: number): UserPart {
  if (part.type === 'text') return part.text.length > spared ? { ...part, text: shorten(part.text) } : part;
  if (part.type === 'image') return part;
  const content = part.content.map((piece): ToolResultPart['content'][number] =>
    piece.type === 'text' ? { ...piece, text: shorten(piece.text) } : piece,
  );
  return { ...part, content };
}

/** Its texts that may be cut: of those that are no results, only what is longer than `spared`. */
function textsOf({ role, parts }: Message, spared: number): string[] {
  if (role !== 'user') return [];
  return parts.flatMap((part) => {
    if (part.type === 'text') return part.text.length > spared ? [part.text] : [];
    return part.type === 'tool_result'
      ? part.content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []))
      : [];
  });
}

/** The length to which texts are cut so that the sum shrinks by `spare` tokens: the largest that does, and at least the least. */
function capOf(lengths: readonly number[], spare: number): number {
  // A character is a token's quarter at most by the estimate: counting so never saves less than asked for.
  const wanted = spare * bytesPerToken;
  const sorted = lengths.toSorted((a, b) => b - a);
  let above = 0;
  for (const [index, length] of sorted.entries()) {
    above += length;
    const next = sorted[index + 1] ?? 0;
    // What is left out is told, in some eighty characters each.
    const cap = Math.floor((above - wanted) / (index + 1)) - 80;
    if (cap >= next) return Math.max(leastKept, cap);
  }
  return leastKept;
}
