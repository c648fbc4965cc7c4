import type { ImagePart, Message, UserMessage } from '../../contract/message.ts';
import { imagesIn, replaceImages } from '../models/replace-images.ts';
import type { ContextRoom } from './context-room.ts';
import { imageTokens } from './estimate-tokens.ts';

/** What stands where an old image was. */
const removedWords = '[image removed to save space; view it again if needed]';

/**
 * What one request may hold whatever the model: Anthropic takes 32 MB in all, and of more than 20 images only small
 * ones. When it is too much it becomes half of that, so that the prefix, which providers cache, rarely changes.
 */
const mostImages = 20;
const mostImageCharacters = 20 * 1024 * 1024;

/** A conversation with fewer images. */
export interface PrunedImages {
  readonly messages: readonly Message[];
  readonly removed: number;
}

/**
 * Replaces the oldest images by words when the conversation's `tokens` are more than may be filled, or more images
 * than a request may hold; null where nothing is to be done. For space alone neither the newest image is removed nor
 * one that the model has not answered yet.
 */
export function pruneImages(
  messages: readonly Message[],
  { tokens: tokensBefore, room }: { readonly tokens: number; readonly room: ContextRoom },
): PrunedImages | null {
  const images = imagesIn(messages);
  if (images.length === 0) return null;
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  const answered = imagesIn(messages.slice(0, Math.max(lastReply, 0))).length;

  const hard = tooMany(images);
  const spare = tokensBefore - room.roomy;
  const soft =
    tokensBefore > room.full ? Math.min(answered, images.length - 1, Math.ceil(spare / imageTokens)) : 0;
  const removed = Math.max(hard, soft);
  if (removed === 0) return null;
  const old = new Set<ImagePart>(images.slice(0, removed));
  return {
    messages: replaceImages(messages, (image) => (old.has(image) ? removedWords : null)),
    removed,
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
