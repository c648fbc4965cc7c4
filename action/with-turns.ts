import { saveState } from '@actions/core';
import { wakingClock } from '../src/github/clock.ts';
import type { EntryContext } from '../src/pipeline/context/broker-context.ts';
import { createJobTurns, type JobTurns } from '../src/pipeline/controls/thread-turns.ts';
import { readApiFailure } from '../src/reporting/posting/api-failure.ts';
import { newRunId } from '../src/run/records/run-context.ts';
import type { Job } from './job.ts';
import { forgetOpenRun, noteOpenRun } from './open-run-file.ts';
import { openRunState } from './open-run-state.ts';
import type { ThreadState } from './open-thread-state.ts';
import type { StepLog } from './step-log.ts';

interface StepSurroundings {
  readonly job: Job;
  readonly thread: ThreadState;
  readonly signal: AbortSignal;
  readonly log: StepLog;
}

/** Entry of a job that writes, and the end of its turn. */
interface TurnEntry {
  readonly entry: EntryContext;
  /** Ends the turn, after the state was left to later jobs. Refusals by GitHub are only logged. */
  end(): Promise<void>;
}

/**
 * Lets one workflow job at a time work on a thread. Each run is noted for the end of the job, which
 * closes its comment if the step is killed.
 */
export function withTurns(entry: EntryContext, { job, thread, signal, log }: StepSurroundings): TurnEntry {
  const note: JobNote = async (plan) => {
    if (await noteOpenRun(plan, entry.ownLogin, job)) saveState(openRunState, 'true');
  };
  const { runId: workflowRun, runAttempt: attempt } = job;
  const ids = entry.ids ?? { runId: () => newRunId('run'), sessionId: () => newRunId('sess') };
  const own = { signal, ids, note, reload: thread.reload, say: log.notice, clock: wakingClock };
  const turns = workflowRun === null ? null : createJobTurns({ workflowRun, attempt, ...own });
  return {
    entry: {
      ...entry,
      ...(turns === null ? {} : { turns, ids: turns.ids }),
      async beforeRun(plan) {
        await note(plan);
        await entry.beforeRun?.(plan);
      },
    },
    async end() {
      await release(turns, log);
      await forgetOpenRun(job);
    },
  };
}

type JobNote = NonNullable<EntryContext['beforeRun']>;

async function release(turns: JobTurns | null, log: StepLog): Promise<void> {
  try {
    await turns?.release();
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null) throw error;
    log.warning(`The next run on the thread waits until this workflow run is over: ${failure.message}`);
  }
}
