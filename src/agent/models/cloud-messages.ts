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
 * Failures of our own `fetch` are `ProviderError`s. Any other failed connection is the client's
 * search for credentials, such as an absent metadata server or file.
 */
function signInFailure(error: unknown): ProviderError | null {
  if (!(error instanceof ProviderError) || !(error.cause instanceof APIConnectionError)) return null;
  const { cause } = error.cause;
  if (cause instanceof ProviderError) return null;
  const message = cause instanceof Error ? `${error.cause.message} ${cause.message}` : error.cause.message;
  return new ProviderError('unauthorized', message, { cause: error });
}
