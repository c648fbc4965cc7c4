import { Message } from '../../contract/message.ts';
import type { Usage } from '../../contract/usage.ts';
import type { ModelReply } from './model.ts';
import { ProviderError } from './provider-error.ts';
import type { ApiErrorClass } from './to-provider-error.ts';

/** Puts the events of one wire together. */
export interface Assembler<Event> {
  /** Takes one event; returns the text in it for the listener, '' for none. */
  push(event: Event): string;
  /** The whole reply, or null if its final events have not arrived. */
  finish(): ModelReply | null;
}

/**
 * Opens a stream and assembles its reply; `onEvent` is called at each event. A stream that fails,
 * ends early, or has events of an unknown shape throws a `ProviderError`; errors of `onText` do not
 * become one. What fails after the end of the reply takes nothing from it.
 */
export async function streamReply<Event>(
  open: () => PromiseLike<AsyncIterable<Event>>,
  ApiError: ApiErrorClass,
  assembler: Assembler<Event>,
  listener: { readonly onText: (text: string) => void; readonly onEvent?: (() => void) | undefined },
): Promise<ModelReply> {
  let failed: ProviderError | null = null;
  try {
    for await (const event of readEvents(open, ApiError)) {
      listener.onEvent?.();
      const text: unknown = trusting(() => assembler.push(event));
      if (typeof text !== 'string') throw unknownShape();
      if (text !== '') listener.onText(text);
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    failed = error;
  }
  const reply = trusting(() => assembler.finish());
  if (reply === null)
    throw failed ?? new ProviderError('broken', 'the stream ended before the reply was whole');
  const message = Message.safeParse(reply.message);
  if (!message.success || message.data.role !== 'assistant') throw unknownShape(message.error);
  return { ...reply, message: message.data, usage: wholeCounts(reply.usage) };
}

/** Beyond any context window there is: sums of such counts stay exact. */
const mostTokens = 1_000_000_000;

/** Servers that count badly are no reason to lose a reply. */
function wholeCounts(usage: Usage): Usage {
  const whole = (value: unknown) =>
    typeof value === 'number' && value > 0 && value <= mostTokens ? Math.round(value) : 0;
  return {
    input: whole(usage.input),
    output: whole(usage.output),
    cache_read: whole(usage.cache_read),
    cache_write: whole(usage.cache_write),
  };
}

/** Errors of the SDK are wrapped here; those of the consumer never pass through a generator. */
async function* readEvents<Event>(
  open: () => PromiseLike<AsyncIterable<Event>>,
  ApiError: ApiErrorClass,
): AsyncGenerator<Event> {
  try {
    yield* await open();
  } catch (error) {
    const { toProviderError } = await import('./to-provider-error.ts');
    throw toProviderError(error, ApiError);
  }
}

/**
 * The SDKs' types promise shapes that nothing has checked: an assembler that stumbles met a wrong
 * one.
 */
function trusting<Result>(assemble: () => Result): Result {
  try {
    return assemble();
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw unknownShape(cause);
  }
}

function unknownShape(cause?: unknown): ProviderError {
  return new ProviderError('broken', 'an event has a shape that this wire does not know', { cause });
}
