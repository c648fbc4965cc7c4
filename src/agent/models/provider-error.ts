import { RunStopped } from '../../contract/errors.ts';
import type { Refusal } from './read-refusal.ts';

/**
 * What went wrong between us and a provider, as far as it decides what to do next. `unreachable`: no answer
 * at all; `broken`: an answer that stopped half-way or is no answer; `idle`: nothing came for too long; `timeout`: it
 * came, but took too long in all; `endless`: it was longer than any answer; `quota`: paid up or used up, which waiting does not cure; `rejected`: the request itself;
 * `too_long`: more than fits into the model's window; `refused`: its contents, by a filter of the provider's;
 * `unread_call`: the model wrote a call that its own provider could not read.
 */
export type ProviderProblem =
  | 'rate_limited'
  | 'overloaded'
  | 'server_error'
  | 'unreachable'
  | 'broken'
  | 'idle'
  | 'timeout'
  | 'endless'
  | 'quota'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rejected'
  | 'too_long'
  | 'refused'
  | 'unread_call';

/** One failed attempt at a provider. Stays inside `models`: `retry.ts` makes of it what the run gets to see. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly problem: ProviderProblem;
  readonly status: number | null;
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | null;
  /** The call that the provider could not read (`unread_call`), as the model wrote it; null where it does not say. */
  readonly failedCall: string | null;
  /** Error codes of the provider, the most specific first. */
  readonly codes: readonly string[];

  constructor(
    problem: ProviderProblem,
    message: string,
    details: {
      status?: number;
      retryAfterMs?: number | null;
      refusal?: Refusal;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.problem = problem;
    this.status = details.status ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.failedCall = details.refusal?.failedCall ?? null;
    this.codes = details.refusal?.codes ?? [];
  }
}

/**
 * The provider does not take this very request, and will not however often it is tried: it may be too long, which few of them
 * tell apart by more than their words. Ends the run unless a shorter one is taken.
 */
export class RequestRejected extends RunStopped {
  /** Whether the provider is known to have said that it is too long. */
  get tooLong(): boolean {
    return this.cause instanceof ProviderError && this.cause.problem === 'too_long';
  }
}
