import type { ModelReply } from './model.ts';
import { type ApiErrorClass, ProviderError, toProviderError } from './provider-error.ts';

/** Puts the events of one wire together. */
export interface Assembler<Event> {
  /** Takes one event; returns the text in it for the listener, '' for none. */
  push(event: Event): string;
  /** The whole reply, or null when the events that end one have not come. */
  finish(): ModelReply | null;
}

/**
 * Opens a stream and assembles its reply. A stream that fails, ends early, or holds events of a shape that
 * the wire does not have, is a `ProviderError`; what `onText` throws is not.
 */
export async function streamReply<Event>(
  open: () => PromiseLike<AsyncIterable<Event>>,
  ApiError: ApiErrorClass,
  assembler: Assembler<Event>,
  onText: (text: string) => void,
): Promise<ModelReply> {
  for await (const event of readEvents(open, ApiError)) {
    const text = trusting(() => assembler.push(event));
    if (text !== '') onText(text);
  }
  const reply = trusting(() => assembler.finish());
  if (reply === null) throw new ProviderError('broken', 'the stream ended before the reply was whole');
  return reply;
}

/** Errors of the SDK are wrapped here; those of the consumer never pass through a generator. */
async function* readEvents<Event>(
  open: () => PromiseLike<AsyncIterable<Event>>,
  ApiError: ApiErrorClass,
): AsyncGenerator<Event> {
  try {
    yield* await open();
  } catch (error) {
    throw toProviderError(error, ApiError);
  }
}

/** The SDKs' types promise shapes that nothing has checked: an assembler that stumbles met a wrong one. */
function trusting<Result>(assemble: () => Result): Result {
  try {
    return assemble();
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError('broken', 'an event has a shape that this wire does not know', { cause });
  }
}
