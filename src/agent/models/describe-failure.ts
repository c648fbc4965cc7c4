import { isDummyKey } from '../../config/secret-values.ts';
import { ConfigError, RunStopped } from '../../contract/errors.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import { RequestRejected } from './provider-error.ts';
import type { ResolvedModel } from './resolve-provider.ts';
import { type RetriesExhausted, type RetryWait, triesFor } from './retry.ts';

/**
 * Returns the error that the run gets. A wrong key, model or endpoint gives `ConfigError`.
 * `refused` gives `RunStopped` of the kind `provider_refused`. All else is of the kind
 * `provider_failed`: `RequestRejected` for `rejected` and `too_long`, otherwise `RunStopped`. The
 * message never contains the key, even if the provider repeats it.
 */
export function toRunError(
  { last, tries }: RetriesExhausted,
  model: ResolvedModel,
): ConfigError | RunStopped {
  const host = hostOf(model);
  const text = providerText(last.message, model.key);
  switch (last.problem) {
    case 'unauthorized':
      return new ConfigError(
        model.key === null
          ? `${host} asks for a key (${text}): set ${model.keySource}.`
          : `${host} did not accept the key in ${model.keySource} (${text}): set a valid one.`,
        { key: model.keySource },
        { cause: last },
      );
    case 'forbidden':
      return new ConfigError(
        `${host} does not allow the key in ${model.keySource} to use the model ${model.model} (${text}): give the key this permission, or choose another model.`,
        { key: model.keySource },
        { cause: last },
      );
    case 'not_found':
      return new ConfigError(
        `${host} knows no model ${model.model}, or has no such endpoint (${text}): check the model's name and the base URL ${model.baseUrl}${model.wire === 'openai' ? `; for a server that only speaks Chat Completions set providers.${model.provider}.type to openai-compatible` : ''}.`,
        { key: 'model' },
        { cause: last },
      );
    case 'refused': {
      const message = `The provider's filter at ${host} refused the request: ${text}. Rephrase the task, keep the refused content out of what the run reads, or choose another model.`;
      return new RunStopped({ kind: 'provider_refused', message }, { cause: last });
    }
    case 'too_long': {
      const message = `The conversation does not fit into the window of ${model.model} any more (${text}). Give the run a smaller task, or set providers.${model.provider}.modelDefaults.${model.model}.maxContextTokens to what the model takes.`;
      return new RequestRejected({ kind: 'provider_failed', message }, { cause: last });
    }
    default: {
      const count = tries === 1 ? 'once' : `${tries} times`;
      const message = `The model at ${host} failed: ${text}. Tried ${count}. ${remedies[last.problem]}`;
      const Stopped = last.problem === 'rejected' ? RequestRejected : RunStopped;
      return new Stopped({ kind: 'provider_failed', message }, { cause: last });
    }
  }
}

const remedies = {
  rate_limited: 'Start the run again later, or raise the rate limit with the provider.',
  overloaded: 'The provider is overloaded: start the run again later.',
  server_error: "Start the run again later; if it persists, look at the provider's status page.",
  unreachable: 'Check that the endpoint is up and that this machine can reach it.',
  broken: 'Start the run again; if it persists, check proxies and firewalls on the way to the endpoint.',
  timeout: 'Start the run again; a long answer needs a longer models.requestTimeoutSeconds.',
  endless: 'The response exceeded the size limit: check proxies and firewalls on the way to the endpoint.',
  idle: 'Start the run again; a slow local model may need a smaller context.',
  quota: "The provider's quota is used up: check plan and billing.",
  unread_call:
    'The model writes calls that its provider cannot read: choose another model, or set nativeTools to false for it.',
  rejected: 'The provider does not take this request; see its message.',
};

/** Returns the provider's message on one line, without the key, at most 500 characters. */
export function providerText(text: string, key: string | null): string {
  const withoutKey = key === null || isDummyKey(key) ? text : text.replaceAll(key, '[key]');
  const line = withoutKey.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

/** The event of a run that waits for its model. */
export type ModelWaiting = Extract<RunEntry, { type: 'model.waiting' }>;

/** Time limits of a try, in milliseconds. */
export interface TryLimits {
  readonly idleTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

/** Describes a wait between two tries. */
export function describeRetry(
  { error, tries, most, delayMs }: RetryWait,
  model: ResolvedModel,
): ModelWaiting {
  const attempt = tries + 1;
  const text = providerText(error.message, model.key);
  return {
    ...waitingFor(model),
    reason: error.problem,
    message: `Waiting for the model at ${hostOf(model)}: ${text}. Try ${attempt} of ${most} begins in ${seconds(delayMs)}.`,
    attempt,
    attempts: most,
    wait_ms: delayMs,
  };
}

/** Describes a try in which no data has come for a while. The model may be thinking. */
export function describeSilence(
  silentMs: number,
  attempt: number,
  model: ResolvedModel,
  limits: TryLimits,
): ModelWaiting {
  const { idleTimeoutMs, requestTimeoutMs } = limits;
  const attempts = Math.max(attempt, triesFor('idle'));
  const limit = silentMs < idleTimeoutMs ? idleTimeoutMs : requestTimeoutMs;
  return {
    ...waitingFor(model),
    reason: 'silent',
    message: `Waiting for the model at ${hostOf(model)}: it has sent nothing for ${seconds(silentMs)}. This is try ${attempt} of ${attempts}. It ends after ${seconds(idleTimeoutMs)} without data, or after ${seconds(requestTimeoutMs)} in total.`,
    attempt,
    attempts,
    wait_ms: Math.max(0, limit - silentMs),
  };
}

function waitingFor({ provider, model }: ResolvedModel) {
  return { type: 'model.waiting' as const, model: `${provider}/${model}` };
}

function hostOf({ baseUrl }: ResolvedModel): string {
  return new URL(baseUrl).host;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 })} s`;
}
