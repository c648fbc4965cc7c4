import { explainFailure } from './explain-failure.ts';
import type { Model } from './model.ts';
import { createNodeFetch } from './node-fetch.ts';
import { costOf } from './prices.ts';
import { type ModelChoice, type ResolvedModel, resolveProvider } from './resolve-provider.ts';
import { RetriesExhausted, type RetryClock, systemClock, withRetries } from './retry.ts';
import { withTextProtocol } from './text-protocol.ts';
import type { Endpoint, Wire } from './wire.ts';
import { withoutRefusedImages } from './without-refused-images.ts';

export interface CreateModelOptions extends ModelChoice {
  /** How long an endpoint may be silent; five minutes when left out, since models think without a word. */
  readonly idleTimeoutMs?: number;
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
  const endpoint: Endpoint = {
    ...resolved,
    fetch: createNodeFetch({
      baseUrl: resolved.baseUrl,
      idleTimeoutMs: options.idleTimeoutMs ?? 300_000,
      environment: options.environment,
    }),
  };
  const native = await loadWire(resolved, endpoint);
  const wire = withoutRefusedImages(resolved.nativeTools ? native : withTextProtocol(native), {
    images: resolved.images,
    mostCharacters: resolved.wire === 'anthropic' ? mostCharactersAtAnthropic : null,
  });
  const clock = options.clock ?? systemClock;
  return {
    name: `${resolved.provider}/${resolved.model}`,
    nativeTools: resolved.nativeTools,
    contextWindow: resolved.contextWindow,
    async complete(request, onText) {
      try {
        return await withRetries(() => wire(request, onText), request.signal, clock);
      } catch (error) {
        throw error instanceof RetriesExhausted ? explainFailure(error, resolved) : error;
      }
    },
    cost: (usage) => costOf(resolved.provider, resolved.model, usage),
  };
}

async function loadWire({ wire }: ResolvedModel, endpoint: Endpoint): Promise<Wire> {
  switch (wire) {
    case 'anthropic':
      return (await import('./anthropic-messages.ts')).anthropicMessages(endpoint);
    case 'openai':
      return (await import('./openai-responses.ts')).openaiResponses(endpoint);
    case 'openai-compatible':
      return (await import('./openai-chat.ts')).openaiChat(endpoint);
  }
}
