import { RunStopped } from '../../contract/errors.ts';
import type { ProviderRefusal } from './read-refusal.ts';

/**
 * Kind of a provider's failure, as far as it determines the next step. `unreachable`: no answer at
 * all. `broken`: an answer that stopped half-way or is malformed. `idle`: silence for too long.
 * `timeout`: the answer took too long. `endless`: it was longer than any answer. `quota`: used up,
 * which waiting does not change. `rejected`: the request itself. `too_long`: more than the model's
 * window. `refused`: its contents, by the provider's filter. `unread_call`: a call that the
 * provider could not read.
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

/** One failed attempt at a provider. Stays inside `models`: `retry.ts` converts it for the run. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly problem: ProviderProblem;
  readonly status: number | null;
  /** Requested wait in milliseconds. */
  readonly retryAfterMs: number | null;
  /**
   * The call that the provider could not parse (`unread_call`), as the model wrote it; null if
   * unknown.
   */
  readonly failedCall: string | null;
  /** Error codes of the provider, the most specific first. */
  readonly codes: readonly string[];

  constructor(
    problem: ProviderProblem,
    message: string,
    details: {
      status?: number;
      retryAfterMs?: number | null;
      refusal?: ProviderRefusal;
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
 * The provider rejects this request, and will reject each repetition. It may be too long, which few
 * providers report in more than the message. Ends the run unless a shorter one is taken.
 */
export class RequestRejected extends RunStopped {
  /** True if the provider is known to report the request as too long. */
  get tooLong(): boolean {
    return this.cause instanceof ProviderError && this.cause.problem === 'too_long';
  }
}
