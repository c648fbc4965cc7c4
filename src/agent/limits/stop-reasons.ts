import { ConfigError, internalError, RunStopped } from '../../contract/errors.ts';
import type { Conclusion, StopReason } from '../../contract/limits.ts';

/**
 * Why what was thrown ends a run; a defect is a reason, too. A key, model or endpoint that the
 * provider does not take is the operator's to mend, but the run has begun: it ends with what it
 * has, and its listeners hear of the end.
 */
export function stopReasonOf(error: unknown, signal: AbortSignal): StopReason {
  if (error instanceof RunStopped) return error.reason;
  if (!signal.aborted)
    return error instanceof ConfigError
      ? { kind: 'provider_failed', message: error.message }
      : internalError(error);
  // An abort carries its own reason when a limit caused it; a bare one is a person's or the
  // system's.
  if (signal.reason instanceof RunStopped) return signal.reason.reason;
  return { kind: 'cancelled', message: 'The run was cancelled.' };
}

/** Returns the conclusion of a run that ended for a reason. */
export function conclusionOf(stop: StopReason): Conclusion {
  if (stop.kind === 'waiting') return 'waiting';
  if (stop.kind === 'cancelled' || stop.kind === 'superseded') return 'cancelled';
  return stop.kind.endsWith('_limit') ? 'limit' : 'failure';
}
