import { ConfigError, internalError, RunStopped } from '../../contract/errors.ts';
import { omitUndefined } from '../../contract/json.ts';
import type { Conclusion, StopReason } from '../../contract/limits.ts';

/**
 * Returns why an error ends a run. A wrong key, model or endpoint is the operator's mistake, but
 * the run has begun: it ends with its results so far.
 */
export function stopReasonOf(error: unknown, signal: AbortSignal): StopReason {
  if (error instanceof RunStopped) return error.reason;
  if (!signal.aborted)
    return error instanceof ConfigError
      ? { kind: 'provider_failed', message: error.message, ...omitUndefined({ detail: error.detail }) }
      : internalError(error);
  // A limit aborts with its own reason. Any other abort is by a person or the system.
  if (signal.reason instanceof RunStopped) return signal.reason.reason;
  return { kind: 'cancelled', message: 'The run was cancelled.' };
}

/** Returns the conclusion of a run that ended for a reason. */
export function conclusionOf(stop: StopReason): Conclusion {
  if (stop.kind === 'waiting') return 'waiting';
  if (stop.kind === 'cancelled' || stop.kind === 'superseded') return 'cancelled';
  return stop.kind.endsWith('_limit') ? 'limit' : 'failure';
}

/** Returns a signal that a time limit aborts too. `milliseconds`: null for no limit. */
export function withDeadline(signal: AbortSignal, milliseconds: number | null, message: string): AbortSignal {
  if (milliseconds === null) return signal;
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new RunStopped({ kind: 'time_limit', message })),
    milliseconds,
  );
  // The deadline must not keep a finished process alive.
  timer.unref();
  return AbortSignal.any([signal, deadline.signal]);
}
