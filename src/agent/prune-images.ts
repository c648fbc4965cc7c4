import type { ImagePart, Message, UserMessage } from '../contract/message.ts';
import { imagesIn, replaceImages } from './models/replace-images.ts';

/** What stands where an old image was. */
const removedWords = '[image removed to save space; view it again if needed]';

/** What an image costs about, in tokens: providers scale larger ones down to this (Anthropic, "Vision"). */
const imageTokens = 1_600;
/** Characters of text to a token. */
const charactersPerToken = 4;

/** How full the context may get before images make room, and how full it may be afterwards. */
const fullShare = 0.85;
const roomyShare = 0.7;

/**
 * What one request may hold whatever the model: Anthropic takes 32 MB in all, and of more than 20 images only small
 * ones. When it is too much it becomes half of that, so that the prefix, which providers cache, rarely changes.
 */
const mostImages = 20;
const mostImageCharacters = 20 * 1024 * 1024;

/** A conversation with fewer images, and how many tokens it has by our estimate before and after. */
export interface PrunedImages {
  readonly messages: readonly Message[];
  readonly removed: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/**
 * Replaces the oldest images by words when the conversation has more than 85 % of `contextWindow` tokens, or more images
 * than a request may hold; null where nothing is to be done. For space alone neither the newest image is removed nor
 * one that the model has not answered yet. `counted` is what the provider counted for the last request and its reply, 0 before the first; what came
 * since, and what providers count wrong, is estimated.
 */
export function pruneImages(
  messages: readonly Message[],
  limits: { readonly contextWindow: number; readonly counted: number },
): PrunedImages | null {
  const images = imagesIn(messages);
  if (images.length === 0) return null;
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  const answered = imagesIn(messages.slice(0, Math.max(lastReply, 0))).length;
  const tokensBefore = Math.max(
    estimateTokens(messages),
    limits.counted + estimateTokens(messages.slice(lastReply + 1)),
  );

  const hard = tooMany(images);
  const spare = tokensBefore - limits.contextWindow * roomyShare;
  const soft =
    tokensBefore > limits.contextWindow * fullShare
      ? Math.min(answered, images.length - 1, Math.ceil(spare / imageTokens))
      : 0;
  const removed = Math.max(hard, soft);
  if (removed === 0) return null;
  const old = new Set<ImagePart>(images.slice(0, removed));
  return {
    messages: replaceImages(messages, (image) => (old.has(image) ? removedWords : null)),
    removed,
    tokensBefore,
    tokensAfter: tokensBefore - removed * imageTokens,
  };
}

/**
 * The results of one turn with no more images than a request may hold: so many calls may have been made at once that the
 * record of it would be too large to keep.
 */
export function fitImages(message: UserMessage): UserMessage {
  const images = imagesIn([message]);
  const old = new Set(images.slice(0, tooMany(images)));
  const [fitting] = replaceImages([message], (image) => (old.has(image) ? removedWords : null));
  return fitting?.role === 'user' ? fitting : message;
}

/** How many of the oldest are too much for a request, whatever the model. */
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

/** How many of the oldest have to go before the rest is at most half of `most`; 0 where all fit. */
function beyond(sizes: readonly number[], most: number): number {
  let left = sizes.reduce((sum, size) => sum + size, 0);
  if (left <= most) return 0;
  let gone = 0;
  // The newest stays: alone it always fits.
  while (left > most / 2 && gone < sizes.length - 1) {
    left -= sizes[gone] ?? 0;
    gone += 1;
  }
  return gone;
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
