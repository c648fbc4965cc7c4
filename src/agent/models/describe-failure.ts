import { isDummyKey } from '../../config/secret-values.ts';
import { ConfigError, RunStopped } from '../../contract/errors.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import { type ProviderProblem, RequestRejected } from './provider-error.ts';
import type { ResolvedModel } from './resolve-provider.ts';
import { type RetriesExhausted, type RetryWait, triesFor } from './retry.ts';

/** Names of the endpoint in a sentence on its failure. */
interface EndpointName {
  /** The endpoint, its model and its filter as subjects of a sentence. */
  readonly who: string;
  readonly itsModel: string;
  readonly itsFilter: string;
  /** The base URL, or the key that holds it. */
  readonly base: string;
  /** The provider's message. */
  readonly text: string;
}

/**
 * Returns the error that the run gets. A wrong key, model or endpoint gives `ConfigError`.
 * `refused` gives `RunStopped` of the kind `provider_refused`. All else is of the kind
 * `provider_failed`: `RequestRejected` for `rejected` and `too_long`, otherwise `RunStopped`. The
 * message names provider and model; `detail` has the endpoint's address. Neither contains the key,
 * even if the provider repeats it.
 */
export function toRunError(failure: RetriesExhausted, model: ResolvedModel): ConfigError | RunStopped {
  const { last } = failure;
  const text = providerText(last.message, model.key);
  const host = hostOf(model);
  const { provider } = model;
  const detail = describe(failure, model, {
    ...{ who: host, itsModel: `The model at ${host}`, itsFilter: `The provider's filter at ${host}` },
    ...{ base: model.baseUrl, text },
  });
  const message = describe(failure, model, {
    ...{
      who: provider,
      itsModel: `The model ${provider}/${model.model}`,
      itsFilter: `The filter of ${provider}`,
    },
    ...{ base: `in providers.${provider}.baseUrl`, text: withoutAddress(text, model) },
  });
  const key = configKeys(model)[last.problem];
  if (key !== undefined) return new ConfigError(message, { key, detail }, { cause: last });
  const kind = last.problem === 'refused' ? 'provider_refused' : 'provider_failed';
  const reason = { kind, message, ...(detail === message ? {} : { detail }) } as const;
  const isRejected = last.problem === 'rejected' || last.problem === 'too_long';
  const Stopped = isRejected ? RequestRejected : RunStopped;
  return new Stopped(reason, { cause: last });
}

/** The key to change for each problem of the configuration. */
const configKeys = ({ keySource }: ResolvedModel): Partial<Record<ProviderProblem, string>> => ({
  unauthorized: keySource,
  forbidden: keySource,
  not_found: 'model',
});

/** Describes a failure and its remedy. */
function describe(
  { last, tries }: RetriesExhausted,
  { provider, model, key, keySource, wire }: ResolvedModel,
  { who, itsModel, itsFilter, base, text }: EndpointName,
): string {
  switch (last.problem) {
    case 'unauthorized':
      return key === null
        ? `${who} asks for a key (${text}): set ${keySource}.`
        : `${who} did not accept the key in ${keySource} (${text}): set a valid one.`;
    case 'forbidden':
      return `${who} does not allow the key in ${keySource} to use the model ${model} (${text}): give the key this permission, or choose another model.`;
    case 'not_found':
      return `${who} knows no model ${model}, or has no such endpoint (${text}): check the model's name and the base URL ${base}${wire === 'openai' ? `; for a server that only speaks Chat Completions set providers.${provider}.type to openai-compatible` : ''}.`;
    case 'refused':
      return `${itsFilter} refused the request: ${text}. Rephrase the task, keep the refused content out of what the run reads, or choose another model.`;
    case 'too_long':
      return `The conversation does not fit into the window of ${model} any more (${text}). Give the run a smaller task, or set providers.${provider}.modelDefaults.${model}.maxContextTokens to what the model takes.`;
    default: {
      const count = tries === 1 ? 'once' : `${tries} times`;
      return `${itsModel} failed: ${text}. Tried ${count}. ${remedies[last.problem]}`;
    }
  }
}

/** Replaces the address of the endpoint, which may be internal, in the provider's message. */
function withoutAddress(text: string, { baseUrl }: ResolvedModel): string {
  const { host, hostname, origin } = new URL(baseUrl);
  return [baseUrl, origin, host, hostname].reduce(
    (left, part) => left.replaceAll(part, 'the endpoint'),
    text,
  );
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
