import { newHistoryFold } from '../agent/context/history-fold.ts';
import type { RunLedger } from '../agent/ledger/open-run-ledger.ts';
import type { AgentResult } from '../agent/loop/agent-run.ts';
import { describeDefect, internalError, RunStopped } from '../contract/errors.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import { closingEntry } from '../reporting/counted-up.ts';
import type { Transcript } from './records/transcript.ts';

/** Collects the errors around the loop of a run, so that the run still ends with its results. */
export interface RunFailures {
  /**
   * Does a step of the end. If it throws, the error is recorded, the run counts as failed, and the
   * result is `otherwise`.
   */
  step<Value>(what: string, act: () => Value | Promise<Value>, otherwise: Value): Promise<Value>;
  /** Returns the result of a run that broke outside its loop, made from its ledger. */
  brokenResult(error: unknown): AgentResult;
  /** Returns the result, as a failure if a step failed since. */
  concluded(result: AgentResult): AgentResult;
}

/** Starts without failures. `record` writes to the ledger and reports to the listener. */
export function collectFailures(
  ledger: Pick<RunLedger, 'lines'>,
  transcript: Pick<Transcript, 'messages'>,
  record: (entry: RunEntry) => void,
): RunFailures {
  let first: { readonly error: unknown } | null = null;
  const report = (what: string, error: unknown) => {
    first ??= { error };
    const message = error instanceof Error ? error.message : String(error);
    record({ type: 'diagnostic', level: 'error', message: `${what} failed: ${message}` });
    if (!(error instanceof RunStopped))
      record({ type: 'diagnostic', level: 'info', message: describeDefect(error) });
  };
  const finished = (result: AgentResult): AgentResult => {
    const { conclusion, answer, stop, turns, usage, costUsd: cost_usd, durationMs: duration_ms } = result;
    record({ type: 'run.finished', conclusion, answer, stop, turns, usage, cost_usd, duration_ms });
    return result;
  };
  return {
    async step(what, act, otherwise) {
      try {
        return await act();
      } catch (error) {
        report(what, error);
        return otherwise;
      }
    },
    brokenResult(error) {
      record({ type: 'diagnostic', level: 'info', message: describeDefect(error) });
      const { usage, turns, cost_usd: costUsd, duration_ms: durationMs } = closingEntry(ledger.lines);
      const answer = transcript.messages().findLast(({ role }) => role === 'assistant')?.text ?? '';
      const { history } = newHistoryFold();
      const stop = internalError(error);
      const took = { turns, usage, costUsd, durationMs };
      return finished({
        ...{ conclusion: 'failure', answer, stop, ...took, messages: [], history, waitingCallId: null },
      });
    },
    concluded(result) {
      if (first === null || result.conclusion === 'failure') return result;
      const stop = first.error instanceof RunStopped ? first.error.reason : internalError(first.error);
      return finished({ ...result, conclusion: 'failure', stop });
    },
  };
}
