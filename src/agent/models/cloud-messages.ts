import { APIConnectionError } from '@anthropic-ai/sdk/core/error';
import type { Messages } from '@anthropic-ai/sdk/resources/messages/messages';
import { messagesWire } from './anthropic-messages.ts';
import type { Endpoint, Wire } from './model.ts';
import { ProviderError } from './provider-error.ts';

/** The Messages API over the client of a cloud, which signs in on its own before each request. */
export function cloudMessages(messages: Pick<Messages, 'create'>, endpoint: Endpoint): Wire {
  const wire = messagesWire(messages, endpoint);
  return async (request, onText) => {
    try {
      return await wire(request, onText);
    } catch (error) {
      throw signInFailure(error) ?? error;
    }
  };
}

/**
 * What our own `fetch` meets is a `ProviderError` by itself. Another failed connection is one that the client made to
 * find credentials: a metadata server that is not there, a file that is missing.
 */
function signInFailure(error: unknown): ProviderError | null {
  if (!(error instanceof ProviderError) || !(error.cause instanceof APIConnectionError)) return null;
  const { cause } = error.cause;
  if (cause instanceof ProviderError) return null;
  const words = cause instanceof Error ? `${error.cause.message} ${cause.message}` : error.cause.message;
  return new ProviderError('unauthorized', words, { cause: error });
}
