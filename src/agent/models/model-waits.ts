import type { RunEntry } from '../../contract/run-ledger.ts';
import { providerWords } from './explain-failure.ts';
import type { ResolvedModel } from './resolve-provider.ts';
import { type RetryWait, triesFor } from './retry.ts';

/** The event of a run that waits for its model. */
export type ModelWaiting = Extract<RunEntry, { type: 'model.waiting' }>;

/** Time limit of a try, in milliseconds. */
export interface TryLimits {
  readonly idleTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

/** A wait between two tries as people read it. */
export function describeRetry(
  { error, tries, most, delayMs }: RetryWait,
  model: ResolvedModel,
): ModelWaiting {
  const attempt = tries + 1;
  const words = providerWords(error.message, model.key);
  return {
    ...waitingFor(model),
    reason: error.problem,
    message: `Waiting for the model at ${hostOf(model)}: ${words}. Try ${attempt} of ${most} begins in ${seconds(delayMs)}.`,
    attempt,
    attempts: most,
    wait_ms: delayMs,
  };
}

/** The silence of a provider within a try as people read it. It may only be thinking. */
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
    message: `Waiting for the model at ${hostOf(model)}: it has said nothing for ${seconds(silentMs)}. This is try ${attempt} of ${attempts}. It ends after ${seconds(idleTimeoutMs)} without data, or after ${seconds(requestTimeoutMs)} in total.`,
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
