import type { ChatOnlyEndpoints } from '../agent/models/chat-fallback.ts';
import { createModel } from '../agent/models/create-model.ts';
import { fallbackModel } from '../agent/models/fallback-model.ts';
import type { Model } from '../agent/models/model.ts';
import { findNamedModel, refuseReadableCredentials } from '../agent/models/named-models.ts';
import { requirePrices } from '../agent/models/prices.ts';
import { redactedModel } from '../agent/models/redacted-model.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import type { RunRequest } from './records/run-context.ts';

/** The models of one run. None of them is sent a secret. */
export interface RunModels {
  /**
   * The run's main model. Rejects as `createModel` does, and if a limit in dollars could not be
   * enforced.
   */
  readonly main: Promise<Model>;
  /**
   * Opens a model that a profile or a call names as `provider/model`, once per name. Rejects with
   * `ConfigError` if the configuration does not have it, or it cannot be opened.
   */
  readonly named: (name: string) => Promise<Model>;
}

/**
 * Starts to load the main model; others are loaded on demand. Sends no request. `models.fallback`
 * takes over from any of them. `record` gets that, and waits for a provider.
 */
export function openModels(
  request: Pick<RunRequest, 'model' | 'config' | 'environment' | 'limits' | 'sessionId' | 'root'>,
  redact: (text: string) => string,
  record: (entry: RunEntry) => void,
): RunModels {
  const { config, environment, limits } = request;
  const { fallback = [], requestTimeoutSeconds, idleTimeoutSeconds } = config.models ?? {};
  const warn = (message: string) => record({ type: 'diagnostic', level: 'warning', message });
  /** Shared, as children and summaries use the same models or endpoints. */
  const chatOnly: ChatOnlyEndpoints = new Set();
  const open = (name: string | null): Promise<Model> =>
    createModel({
      name,
      providers: config.providers,
      environment,
      contextWindow: config.context?.window,
      cacheKey: request.sessionId,
      requestTimeoutMs: milliseconds(requestTimeoutSeconds),
      idleTimeoutMs: milliseconds(idleTimeoutSeconds),
      onWait: record,
      chatOnly,
      onNotice: warn,
    });
  const make = async (name: string | null): Promise<Model> => {
    const first = await open(name);
    requirePrices(limits.max_cost_usd, [first.name, ...fallback], config.providers);
    const others = fallback.filter((one) => one !== first.name);
    const next = others.map((one) => ({ name: one, open: () => open(one) }));
    return redactedModel(next.length === 0 ? first : fallbackModel(first, next, warn), redact);
  };
  const chosen = request.model ?? config.model ?? null;
  const main = (async () => {
    refuseReadableCredentials(config, chosen, environment, request.root);
    return make(chosen);
  })();
  main.catch(() => undefined);
  const mainName = main.then(({ name }) => name);
  mainName.catch(() => undefined);
  const made = new Map<string, Promise<Model>>();
  return {
    main,
    named: async (name) => {
      const own = await mainName;
      const whole = findNamedModel(name, config, own);
      if (whole === own) return main;
      const model = made.get(whole) ?? make(whole);
      made.set(whole, model);
      return model;
    },
  };
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
