import type { ImagePart, Message, ToolResultPart, UserMessage } from '../../contract/message.ts';
import { imagesIn, replaceImages } from '../models/replace-images.ts';
import { bytesPerToken, type ContextBudget, imageTokens, messageTokens, textTokens } from './context-size.ts';

/** Text that replaces an old image. */
const removedText = '[image removed to save space; view it again if needed]';

/**
 * Maximum images and characters of one request, for any model. Anthropic takes 32 MB in all, and of
 * more than 20 images only small ones. Excess is cut to half of that, so that the cached prefix
 * rarely changes.
 */
const mostImages = 20;
const mostImageCharacters = 20 * 1024 * 1024;

/** A conversation with fewer images. */
export interface PrunedImages {
  readonly messages: readonly Message[];
  readonly removed: number;
}

/**
 * Replaces the oldest images by text if the conversation's `tokens` exceed the budget, or its
 * images exceed one request. Null if there is nothing to replace. To save space, the newest image
 * and images that the model has not answered yet are not removed.
 */
export function pruneImages(
  messages: readonly Message[],
  { tokens: tokensBefore, budget }: { readonly tokens: number; readonly budget: ContextBudget },
): PrunedImages | null {
  const images = imagesIn(messages);
  if (images.length === 0) return null;
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  const answered = imagesIn(messages.slice(0, Math.max(lastReply, 0))).length;

  const hard = tooMany(images);
  const spare = tokensBefore - budget.target;
  const soft =
    tokensBefore > budget.full ? Math.min(answered, images.length - 1, Math.ceil(spare / imageTokens)) : 0;
  const removed = Math.max(hard, soft);
  if (removed === 0) return null;
  const old = new Set<ImagePart>(images.slice(0, removed));
  return {
    messages: replaceImages(messages, (image) => (old.has(image) ? removedText : null)),
    removed,
  };
}

/**
 * Returns the results of one turn with no more images than one request may contain. Many calls at
 * once could otherwise make the entry too large for the ledger.
 */
export function fitImages(message: UserMessage): UserMessage {
  const images = imagesIn([message]);
  const old = new Set(images.slice(0, tooMany(images)));
  const [fitting] = replaceImages([message], (image) => (old.has(image) ? removedText : null));
  return fitting?.role === 'user' ? fitting : message;
}

/** Returns the number of oldest images that exceed one request, for any model. */
function tooMany(images: readonly ImagePart[]): number {
  return Math.max(
    beyond(
      images.map(() => 1),
      mostImages,
    ),
    beyond(
      images.map(({ data }) => data.length),
      mostImageCharacters,
    ),
  );
}

/**
 * Returns the number of oldest items to remove, so that the rest is at most half of `most`. 0 if
 * all fit.
 */
function beyond(sizes: readonly number[], most: number): number {
  let left = sizes.reduce((sum, size) => sum + size, 0);
  if (left <= most) return 0;
  let gone = 0;
  // The newest image stays: on its own it always fits.
  while (left > most / 2 && gone < sizes.length - 1) {
    left -= sizes[gone] ?? 0;
    gone += 1;
  }
  return gone;
}

/** Text that replaces an old result. */
const omittedText = '[result left out to save space; call again if it is still needed]';
/** Results up to this many characters cost little more than the text that would replace them. */
const shortResult = 400;

/** A conversation with shorter results. */
export interface PrunedResults {
  readonly messages: readonly Message[];
  readonly removed: number;
}

/**
 * Replaces the texts of the oldest tool results until `spare` tokens by our own estimate are saved.
 * Null if there is nothing to replace. The newest `recent` tokens stay. Every call keeps a result,
 * since providers reject one without. For runs whose older turns are not summarised.
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
      return { ...part, content: [{ type: 'text' as const, text: omittedText }] };
    });
    return { ...message, parts };
  });
  return removed === 0 ? null : { messages: pruned, removed };
}

function savedTokens({ content }: ToolResultPart): number {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const tokens = texts.reduce((sum, text) => sum + textTokens(text), 0);
  return length > shortResult ? tokens - textTokens(omittedText) : 0;
}

/** No text is cut below this, in characters. */
const shortestCut = 400;
/** Maximum characters of a task, a note or a person's text. Longer ones are cut like results. */
const longestSpared = 8_000;

/** A conversation with shorter texts. */
export interface FittedMessages {
  readonly messages: readonly Message[];
  /** Number of texts that were cut. */
  readonly cut: number;
}

/**
 * Cuts the longest texts of the user's side in their middle, all to the same length. It saves about
 * `spare` estimated tokens, or less if all texts are short already. The newest `recent` tokens are
 * cut only if the older ones are not enough. Texts that are not results, such as the task, are cut
 * last. Calls, replies and images stay.
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

/** Returns the index at which the newest part begins. */
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

/** Texts of a message that may be cut; texts that are not results only if longer than `spared`. */
function textsOf({ role, parts }: Message, spared: number): string[] {
  if (role !== 'user') return [];
  return parts.flatMap((part) => {
    if (part.type === 'text') return part.text.length > spared ? [part.text] : [];
    return part.type === 'tool_result'
      ? part.content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []))
      : [];
  });
}

/**
 * The length to which texts are cut so that the sum shrinks by `spare` tokens: the largest that
 * does, and at least the least.
 */
function capOf(lengths: readonly number[], spare: number): number {
  // Our estimate counts at most a quarter token per character, so this never saves too little.
  const wanted = spare * bytesPerToken;
  const sorted = lengths.toSorted((a, b) => b - a);
  let above = 0;
  for (const [index, length] of sorted.entries()) {
    above += length;
    const next = sorted[index + 1] ?? 0;
    // The line that marks a cut takes about eighty characters.
    const cap = Math.floor((above - wanted) / (index + 1)) - 80;
    if (cap >= next) return Math.max(shortestCut, cap);
  }
  return shortestCut;
}
