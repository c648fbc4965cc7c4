import { createModel } from '../agent/models/create-model.ts';
import type { Model } from '../agent/models/model.ts';
import { findNamedModel } from '../agent/models/named-models.ts';
import { redactedModel } from '../agent/models/redacted-model.ts';
import type { RunRequest } from './run-request.ts';

/** The models of one run, none of which is sent a secret. */
export interface RunModels {
  /** The run's own. Rejects as `createModel` does. */
  readonly main: Promise<Model>;
  /**
   * One that a profile or a call names, as `provider/model`; made once for each name. Rejects with `ConfigError` for one
   * that is not among those of the configuration, or cannot be had.
   */
  readonly named: (name: string) => Promise<Model>;
}

/** Begins to load the run's own model; the others are loaded when they are asked for. Nothing is requested yet. */
export function openModels(
  request: Pick<RunRequest, 'model' | 'config' | 'environment'>,
  redact: (text: string) => string,
): RunModels {
  const { config, environment } = request;
  const chosen = request.model ?? config.model ?? null;
  const make = async (name: string | null): Promise<Model> => {
    const model = await createModel({
      name,
      providers: config.providers,
      environment,
      contextWindow: config.context?.window,
    });
    return redactedModel(model, redact);
  };
  const main = make(chosen);
  main.catch(() => undefined);
  const made = new Map<string, Promise<Model>>();
  return {
    main,
    named: async (name) => {
      const own = await main;
      const whole = findNamedModel(name, config, own.name);
      if (whole === own.name) return own;
      const model = made.get(whole) ?? make(whole);
      made.set(whole, model);
      return model;
    },
  };
}
