import type { Usage } from '../../contract/usage.ts';
import { explainFailure } from './explain-failure.ts';
import { loadWire } from './load-wire.ts';
import type { Model } from './model.ts';
import { createNodeFetch } from './node-fetch.ts';
import { costOf, listPrice } from './prices.ts';
import { type ModelChoice, resolveProvider } from './resolve-provider.ts';
import { RetriesExhausted, type RetryClock, systemClock, withRetries } from './retry.ts';
import { showOnce } from './show-once.ts';
import { withTextProtocol } from './text-protocol.ts';
import type { Endpoint } from './wire.ts';
import { withinTime } from './within-time.ts';
import { withoutRefusedImages } from './without-refused-images.ts';

export interface CreateModelOptions extends ModelChoice {
  /** How long an endpoint may be silent; five minutes when left out, since models think without a word. */
  readonly idleTimeoutMs?: number | undefined;
  /** How long one answer may take in all; twenty minutes when left out, for long thoughts of slow models. */
  readonly requestTimeoutMs?: number | undefined;
  /** The same for all requests that share a beginning, for providers that find their caches by it. */
  readonly cacheKey?: string | undefined;
  readonly clock?: RetryClock;
}

/** Its 5 MB for an image are counted on the base64. */
const mostCharactersAtAnthropic = 5 * 1024 * 1024;

/**
 * The model that configuration and environment name, ready to be asked. Throws `ConfigError` for a missing key
 * or an unknown provider; makes no request. The vendor's SDK is loaded here, so that whoever needs no model
 * does not pay for it.
 */
export async function createModel(options: CreateModelOptions): Promise<Model> {
  const resolved = resolveProvider(options);
  const name = `${resolved.provider}/${resolved.model}`;
  const endpoint: Endpoint = {
    ...resolved,
    author: name,
    cacheKey: options.cacheKey ?? null,
    fetch: createNodeFetch({
      baseUrl: resolved.baseUrl,
      idleTimeoutMs: options.idleTimeoutMs ?? 300_000,
      environment: options.environment,
    }),
  };
  const native = withinTime(await loadWire(resolved, endpoint), options.requestTimeoutMs ?? 1_200_000);
  const wire = withoutRefusedImages(resolved.nativeTools ? native : withTextProtocol(native), {
    images: resolved.images,
    mostCharacters: resolved.wire === 'anthropic' ? mostCharactersAtAnthropic : null,
  });
  const clock = options.clock ?? systemClock;
  const price = resolved.price ?? listPrice(resolved.provider, resolved.model);
  const charged = new WeakMap<Usage, number>();
  return {
    name,
    nativeTools: resolved.nativeTools,
    contextWindow: resolved.contextWindow,
    async complete(request, onText) {
      const shown = showOnce(onText);
      const attempt = async () => {
        const text = shown.begin();
        const reply = await wire(request, (piece) => text.push(piece));
        text.end();
        return reply;
      };
      try {
        const reply = await withRetries(attempt, request.signal, clock);
        if (reply.costUsd !== undefined) charged.set(reply.usage, reply.costUsd);
        return reply;
      } catch (error) {
        throw error instanceof RetriesExhausted ? explainFailure(error, resolved) : error;
      }
    },
    // What the operator says it costs counts before what the provider says.
    cost: (usage) => (resolved.price === null ? charged.get(usage) : undefined) ?? costOf(price, usage),
  };
}
