import { plainDialect } from '../../../src/agent/models/chat-dialect.ts';
import type { Endpoint } from '../../../src/agent/models/model.ts';

/** An endpoint for tests of requests, at which nothing is asked. */
export function endpointFor(author: string, change: Partial<Endpoint> = {}): Endpoint {
  return {
    author,
    model: author.slice(author.indexOf('/') + 1),
    baseUrl: 'http://127.0.0.1/v1',
    key: 'k',
    maxOutputTokens: null,
    chat: plainDialect,
    cacheKey: null,
    fetch: globalThis.fetch,
    ...change,
  };
}
