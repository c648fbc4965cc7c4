import { isJsonObject, type Json, parseJson } from '../../contract/json.ts';
import type { ImagePart } from '../../contract/message.ts';
import type { ModelRequest, Wire } from './model.ts';
import { ProviderError } from './provider-error.ts';
import { imagesIn, replaceImages } from './replace-images.ts';

/**
 * A `fetch` for streams. Rejects with `ProviderError` for a failed status, and for an error as JSON
 * instead of the stream (LM Studio's answer for a missing endpoint). The SDKs would lose text that
 * is not where their own vendor puts it.
 */
export function fetchRejectingErrors(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    const { status, headers } = answer;
    if (!answer.ok) throw await refusalError(status, headers, await answer.text());
    if (!/^application\/(?:problem\+)?json\b/i.test(headers.get('content-type') ?? '')) return answer;
    const body = await answer.text();
    const value = parseJson(body) as Json | undefined;
    if (isJsonObject(value) && value.error !== undefined && value.error !== null)
      throw await refusalError(status, headers, body);
    throw new ProviderError('broken', 'the answer came as one piece of JSON, not as a stream', { status });
  };
}

async function refusalError(status: number, headers: Headers, body: string): Promise<ProviderError> {
  return (await import('./to-provider-error.ts')).refusalError(status, headers, body);
}

/**
 * A wire with a time limit for each try, from the request to the last byte of the answer; then it
 * throws a `ProviderError` (`timeout`). Otherwise an endpoint that sends a byte now and then could
 * block a run without end.
 */
export function withTimeLimit(wire: Wire, milliseconds: number): Wire {
  return async (request, onText) => {
    const late = new ProviderError(
      'timeout',
      `the answer was not whole after ${Math.round(milliseconds / 1000)} seconds`,
    );
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(late), milliseconds);
    try {
      const signal = AbortSignal.any([request.signal, deadline.signal]);
      return await wire({ ...request, signal }, onText);
    } catch (error) {
      // The SDKs make an error of their own of an abort.
      throw deadline.signal.aborted && !request.signal.aborted ? late : error;
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * The first report of silence is made after this part of the limit, and each next one after twice
 * as long.
 */
const firstNotice = 0.1;

/**
 * Reports a silent provider. `onSilence` gets the milliseconds since the last call of `reset`,
 * first after a tenth of `limitMs`, then after twice that, and so on. `end` must be called.
 */
export function watchSilence(
  limitMs: number,
  onSilence: (silentMs: number) => unknown,
): { reset(): void; end(): void } {
  let silentMs = limitMs * firstNotice;
  const notice = () => {
    onSilence(silentMs);
    timer = setTimeout(notice, silentMs);
    silentMs *= 2;
  };
  let timer = setTimeout(notice, silentMs);
  return {
    reset() {
      if (silentMs === limitMs * firstNotice) timer.refresh();
      else {
        clearTimeout(timer);
        silentMs = limitMs * firstNotice;
        timer = setTimeout(notice, silentMs);
      }
    },
    end: () => clearTimeout(timer),
  };
}

/** Limits of an endpoint on images. */
export interface ImageLimits {
  /** False for a model that takes no images. */
  readonly images: boolean;
  /** Most characters of base64 in one image; null where no limit is known. */
  readonly maxCharacters: number | null;
}

/**
 * A wire that survives images. For a model that takes none, text replaces them. An endpoint that
 * rejects a request is assumed to reject the images it had not accepted before. They are
 * permanently replaced by text, and the request is sent once more. Otherwise one bad image would
 * stay in the conversation and end the run.
 */
export function withoutRefusedImages(wire: Wire, limits: ImageLimits): Wire {
  const accepted = new WeakSet<ImagePart>();
  const refused = new WeakSet<ImagePart>();
  const replacement = (image: ImagePart): string | null => {
    if (!limits.images) return '[image left out: this model takes no images]';
    if (limits.maxCharacters !== null && image.data.length > limits.maxCharacters) {
      return `[image left out: this model takes at most ${Math.floor((limits.maxCharacters * 3) / 4 / 1024)} KiB; make a smaller copy and view that]`;
    }
    return refused.has(image) ? '[image left out: the endpoint refused it]' : null;
  };
  const adapted = (request: ModelRequest): ModelRequest => ({
    ...request,
    messages: replaceImages(request.messages, replacement),
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
        // Images were not the reason: the first rejection describes the original request and is the
        // better reason.
        for (const image of suspects) refused.delete(image);
        throw error;
      });
    }
  };
}

/** Routers report "not found" for a model that accepts images if none of their variants does. */
function isRejection(error: unknown): boolean {
  return error instanceof ProviderError && (error.problem === 'rejected' || error.problem === 'not_found');
}
