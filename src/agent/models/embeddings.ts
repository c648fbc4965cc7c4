import * as z from 'zod';
import { ConfigError, ToolError } from '../../contract/errors.ts';
import { omitUndefined, parseJson } from '../../contract/json.ts';
import { createNodeFetch } from './node-fetch.ts';
import { ProviderError } from './provider-error.ts';
import { type ModelChoice, resolveProvider } from './resolve-provider.ts';
import {
  RetriesExhausted,
  type RetryClock,
  type RetryLimits,
  systemRetryClock,
  withRetries,
} from './retry.ts';
import { problemOfStatus, retryAfter } from './to-provider-error.ts';

/** A model that gives each text a vector: texts with similar meaning have near vectors. */
export interface Embedder {
  /** `provider/model`. */
  readonly name: string;
  /**
   * A vector for each text, in their order, all of one length. Throws `ToolError` with the remedy.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/** Maximum bytes of one answer: 64 vectors of 4,096 numbers take a tenth. */
const mostBytes = 64 * 1024 * 1024;
const idleTimeoutMs = 60_000;

/** A search waits only briefly for a busy provider: the model has other ways to search. */
const limits: RetryLimits = { tries: 3, longestRetryAfterMs: 20_000 };

const Answer = z.object({
  data: z.array(
    z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1).max(16_384) }),
  ),
});

/** Kind of an error: a code, or only a type. */
const Refusal = z.object({
  error: z.object({ code: z.coerce.string().nullish(), type: z.string().nullish() }).catch({}),
});

/**
 * The embeddings of a provider with OpenAI's protocol (API reference, "Create embeddings"), such as
 * Ollama and most servers. Temporary errors, such as HTTP 429 or 503, are tried three times, after
 * the wait in `Retry-After`, up to 20 seconds. With a limit of a minute, no request starts after
 * it, but the last may end later. Sends nothing yet. Throws `ConfigError` for a provider without
 * embeddings or without its key.
 */
export function createEmbedder(
  choice: ModelChoice & { readonly name: string },
  clock: RetryClock = systemRetryClock,
): Embedder {
  const { provider, model, wire, host, baseUrl, key } = resolveProvider(choice);
  if (wire === 'anthropic' || host !== null)
    throw new ConfigError(
      `The provider ${provider} has no embeddings: choose one that speaks OpenAI’s protocol, such as ollama/nomic-embed-text.`,
      { key: 'tools.semanticSearch.model' },
    );
  const name = `${provider}/${model}`;
  const fetch = createNodeFetch({ baseUrl, idleTimeoutMs, environment: choice.environment });
  const hide = (text: string) => (key === null ? text : text.replaceAll(key, '***'));
  const failed = (why: string): ToolError =>
    new ToolError(
      'failed',
      `The embeddings of ${name} could not be had: ${hide(why)}. Search by grep or code_search instead.`,
    );
  const ask = async (texts: readonly string[], signal: AbortSignal) => {
    const response = await fetch(`${baseUrl}/embeddings`, {
      method: 'POST',
      headers: omitUndefined({
        'content-type': 'application/json',
        authorization: key === null ? undefined : `Bearer ${key}`,
      }),
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      signal,
    });
    const body = await readBody(response.body);
    const { status, headers } = response;
    if (!response.ok) {
      const { code, type } = Refusal.safeParse(parseJson(body)).data?.error ?? {};
      // Before it is cut: half a key is none that could be found.
      const text = hide(body).replaceAll(/\s+/g, ' ').slice(0, 300);
      throw new ProviderError(problemOfStatus(status, [code ?? type ?? '']), `HTTP ${status}: ${text}`, {
        status,
        retryAfterMs: retryAfter(headers, Date.now()),
      });
    }
    const vectors = vectorsOf(body, texts.length);
    if (vectors === null) throw failed('the answer is none of the protocol');
    return vectors;
  };
  return {
    name,
    async embed(texts, signal) {
      try {
        return await withRetries(() => ask(texts, signal), signal, clock, { limits });
      } catch (error) {
        if (!(error instanceof RetriesExhausted)) throw error;
        const { last, tries } = error;
        const wait = last.retryAfterMs ?? 0;
        const asks =
          wait > limits.longestRetryAfterMs ? `, and asks to wait ${Math.ceil(wait / 1_000)} s` : '';
        throw failed(`${last.message}${asks}${tries === 1 ? '' : ` (tried ${tries} times)`}`);
      }
    },
  };
}

async function readBody(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw new ProviderError('rejected', `the answer has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The vectors in the order of the texts; null if one is missing or they differ in length. */
function vectorsOf(body: string, count: number): readonly (readonly number[])[] | null {
  const { data } = Answer.safeParse(parseJson(body)).data ?? {};
  if (data === undefined) return null;
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
  const vectors = Array.from({ length: count }, (_, index) => byIndex.get(index));
  const length = vectors[0]?.length;
  return vectors.every((vector) => vector !== undefined && vector.length === length)
    ? vectors.filter((vector) => vector !== undefined)
    : null;
}
