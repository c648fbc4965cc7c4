import type { Usage } from '../../contract/usage.ts';
import { type ChatOnlyEndpoints, withChatFallback } from './chat-fallback.ts';
import type { ModelWaiting, TryLimits } from './describe-failure.ts';
import { fetchRejectingErrors, watchSilence, withoutRefusedImages, withTimeLimit } from './guard-wire.ts';
import { loadWire } from './load-wire.ts';
import type { Endpoint, Model, ModelReply, ModelRequest, Wire } from './model.ts';
import { createNodeFetch } from './node-fetch.ts';
import { costOf, listPrice } from './prices.ts';
import { type ModelChoice, type ResolvedModel, resolveProvider } from './resolve-provider.ts';
import { RetriesExhausted, type RetryClock, streamOnce, systemRetryClock, withRetries } from './retry.ts';

export interface CreateModelOptions extends ModelChoice {
  /**
   * Maximum time without data from the endpoint, in milliseconds. Default: five minutes, since a
   * model may think without sending any.
   */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Maximum duration of one answer, in milliseconds. Default: twenty minutes, for slow models.
   */
  readonly requestTimeoutMs?: number | undefined;
  /** Cache key shared by requests with the same prefix. */
  readonly cacheKey?: string | undefined;
  /** Called when a retry is scheduled, and when the provider sends nothing for long. */
  readonly onWait?: (waiting: ModelWaiting) => void;
  /** Endpoints that only know Chat Completions, shared by the models of a run. */
  readonly chatOnly?: ChatOnlyEndpoints;
  /** Gets a sentence for the operator, such as on a protocol that was detected. */
  readonly onNotice?: (message: string) => void;
  readonly clock?: RetryClock;
}

/** Anthropic's 5 MiB image limit, counted on base64 characters. */
const anthropicImageCharacters = 5 * 1024 * 1024;

/**
 * Creates the configured model. Throws `ConfigError` for a missing key or an unknown provider.
 * Makes no request. Loads the vendor's SDK, so that programs without a model do not.
 */
export async function createModel(options: CreateModelOptions): Promise<Model> {
  const resolved = resolveProvider(options);
  const name = `${resolved.provider}/${resolved.model}`;
  const limits: TryLimits = {
    idleTimeoutMs: options.idleTimeoutMs ?? 300_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 1_200_000,
  };
  const endpoint: Endpoint = {
    ...resolved,
    author: name,
    cacheKey: options.cacheKey ?? null,
    fetch: fetchRejectingErrors(
      createNodeFetch({
        baseUrl: resolved.baseUrl,
        idleTimeoutMs: limits.idleTimeoutMs,
        environment: options.environment,
      }),
    ),
  };
  const { onWait = () => undefined, onNotice = () => undefined, chatOnly = new Set() } = options;
  const loaded = await loadWire(resolved, endpoint);
  const openChat = () => loadWire({ ...resolved, wire: 'openai-compatible' }, endpoint);
  const withChat = resolved.mayBeChat
    ? withChatFallback(loaded, openChat, resolved, { chatOnly, onNotice })
    : loaded;
  const timed = withTimeLimit(withChat, limits.requestTimeoutMs);
  const adapted = resolved.nativeTools ? timed : (await import('./text-protocol.ts')).withTextProtocol(timed);
  const wire = withoutRefusedImages(adapted, {
    images: resolved.images,
    maxCharacters: resolved.wire === 'anthropic' ? anthropicImageCharacters : null,
  });
  const clock = options.clock ?? systemRetryClock;
  const price = resolved.price ?? listPrice(resolved.provider, resolved.model);
  const charged = new WeakMap<Usage, number>();
  return {
    name,
    nativeTools: resolved.nativeTools,
    contextWindow: resolved.contextWindow,
    async complete(request, onText) {
      try {
        const reply = await completeWithRetries(wire, request, onText, { resolved, limits, clock, onWait });
        if (reply.costUsd !== undefined) charged.set(reply.usage, reply.costUsd);
        return reply;
      } catch (error) {
        if (!(error instanceof RetriesExhausted)) throw error;
        throw (await import('./describe-failure.ts')).toRunError(error, resolved);
      }
    },
    // The operator's price wins over the provider's.
    cost: (usage) => (resolved.price === null ? charged.get(usage) : undefined) ?? costOf(price, usage),
  };
}

/** Sends the request until there is a reply or no try is left. Reports each wait. */
async function completeWithRetries(
  wire: Wire,
  request: ModelRequest,
  onText: (text: string) => void,
  { resolved, limits, clock, onWait }: RetryContext,
): Promise<ModelReply> {
  const texts = streamOnce(onText);
  let tries = 0;
  const attempt = async () => {
    const text = texts.begin();
    tries += 1;
    const attemptNumber = tries;
    let ended = false;
    const silence = watchSilence(limits.idleTimeoutMs, async (silentMs) => {
      const { describeSilence } = await import('./describe-failure.ts');
      if (!ended) onWait(describeSilence(silentMs, attemptNumber, resolved, limits));
    });
    try {
      const reply = await wire({ ...request, onEvent: silence.reset }, (piece) => text.push(piece));
      text.end();
      return reply;
    } finally {
      ended = true;
      silence.end();
    }
  };
  return withRetries(attempt, request.signal, clock, {
    onWait: async (wait) => onWait((await import('./describe-failure.ts')).describeRetry(wait, resolved)),
  });
}

interface RetryContext {
  readonly resolved: ResolvedModel;
  readonly limits: TryLimits;
  readonly clock: RetryClock;
  readonly onWait: (waiting: ModelWaiting) => void;
}
