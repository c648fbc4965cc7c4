import type { ImagePart } from '../../contract/message.ts';
import type { ModelRequest } from './model.ts';
import { ProviderError } from './provider-error.ts';
import { imagesIn, replaceImages } from './replace-images.ts';
import type { Wire } from './wire.ts';

/** What of images an endpoint takes. */
export interface ImageLimits {
  /** False for a model that takes no images. */
  readonly images: boolean;
  /** Most characters of base64 in one image; null where no limit is known. */
  readonly mostCharacters: number | null;
}

/**
 * A wire that survives images. A model that takes none gets words in their place. When an endpoint rejects a request,
 * the images it had not accepted before are taken to be the reason: they are replaced by words, for good, and the
 * request is sent once more; otherwise one bad image, which stays in the conversation, would end the run.
 */
export function withoutRefusedImages(wire: Wire, limits: ImageLimits): Wire {
  const accepted = new WeakSet<ImagePart>();
  const refused = new WeakSet<ImagePart>();
  const words = (image: ImagePart): string | null => {
    if (!limits.images) return '[image left out: this model takes no images]';
    if (limits.mostCharacters !== null && image.data.length > limits.mostCharacters) {
      return `[image left out: this model takes at most ${Math.floor((limits.mostCharacters * 3) / 4 / 1024)} KiB; make a smaller copy and view that]`;
    }
    return refused.has(image) ? '[image left out: the endpoint refused it]' : null;
  };
  const adapted = (request: ModelRequest): ModelRequest => ({
    ...request,
    messages: replaceImages(request.messages, words),
  });
  return async (request, onText) => {
    const first = adapted(request);
    const images = imagesIn(first.messages);
    try {
      const reply = await wire(first, onText);
      for (const image of images) accepted.add(image);
      return reply;
    } catch (error) {
      const suspects = images.filter((image) => !accepted.has(image));
      if (suspects.length === 0 || !isRejection(error)) throw error;
      for (const image of suspects) refused.add(image);
      return wire(adapted(request), onText).catch((second: unknown) => {
        if (!isRejection(second)) throw second;
        // It was not for the images: what was said of the request as it was meant is the better reason.
        for (const image of suspects) refused.delete(image);
        throw error;
      });
    }
  };
}

/** Routers say "not found" of a model that takes images, when none of theirs by that name does. */
function isRejection(error: unknown): boolean {
  return error instanceof ProviderError && (error.problem === 'rejected' || error.problem === 'not_found');
}
