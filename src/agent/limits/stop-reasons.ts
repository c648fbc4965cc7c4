import type { Conclusion } from '../../contract/conclusion.ts';
import { ConfigError, RunStopped } from '../../contract/errors.ts';
import type { StopReason } from '../../contract/stop-reason.ts';

/** Why what was thrown ends a run; null for a defect. `turns`: how many this part of the session took. */
export function stopReasonOf(error: unknown, signal: AbortSignal, turns: number): StopReason | null {
  if (error instanceof RunStopped) return error.reason;
  if (!signal.aborted) return refusedLater(error, turns);
  // An abort carries its own reason when a limit caused it; a bare one is a person's or the system's.
  if (signal.reason instanceof RunStopped) return signal.reason.reason;
  return { kind: 'cancelled', message: 'The run was cancelled.' };
}

/**
 * A key or a model that was good for the turns before and is not any more (revoked, out of credit, taken away): the
 * operator has to change something, but what the run did so far must not be lost for it.
 */
function refusedLater(error: unknown, turns: number): StopReason | null {
  return error instanceof ConfigError && turns > 1
    ? { kind: 'provider_failed', message: error.message }
    : null;
}

/** What a run is called that ended for that reason. */
export function conclusionOf(stop: StopReason): Conclusion {
  if (stop.kind === 'waiting') return 'waiting';
  if (stop.kind === 'cancelled' || stop.kind === 'superseded') return 'cancelled';
  return stop.kind.endsWith('_limit') ? 'limit' : 'failure';
}
