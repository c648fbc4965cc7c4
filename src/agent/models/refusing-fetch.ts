import { isJsonObject, type Json, parseJson } from '../../contract/json.ts';
import { ProviderError } from './provider-error.ts';

/**
 * A `fetch` for streams of which whatever is none rejects with `ProviderError`: a status that is no success, and an error as JSON
 * where the stream was to be (LM Studio's answer for an endpoint it does not have). The SDKs would lose words of the body that are
 * not where their own vendor puts them.
 */
export function refusingFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
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
