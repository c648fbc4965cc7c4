import type { AgentResult } from '../agent/loop/agent-run.ts';
import { ConfigError, isFullDisk } from '../contract/errors.ts';
import { type AssembledRun, assembleRun, closeRun } from './assemble-run.ts';
import type { FinishedRun } from './finish-run.ts';
import { unlessOverdue } from './overdue.ts';
import { performRun } from './perform-run.ts';
import type { RunContext, RunInput } from './records/run-context.ts';

/**
 * Runs the agent on a checkout and returns its outcome. Record, changes and session are on the disk
 * when this returns, also for a run that failed. Throws if the run broke before its first turn.
 */
export async function run(input: RunInput, context: RunContext): Promise<FinishedRun> {
  const request = { ...input, ...context };
  if (request.checksOnly === true)
    return (await import('./checks/compose-check-run.ts')).composeCheckRun(request);
  const assembled = await assembleRun(request);
  try {
    const end = await endOf(assembled);
    // Loaded on demand: only the end of a run needs it.
    const { finishRun } = await import('./finish-run.ts');
    return await finishRun(assembled, end);
  } catch (error) {
    // The record of a broken run must be complete; its error counts more than the ledger's.
    await Promise.allSettled([assembled.ledger.close(), assembled.trace.close()]);
    throw error;
  } finally {
    await closeRun(assembled);
  }
}

/**
 * The result of the loop, or the error that broke it. Throws an error from before the first turn.
 */
async function endOf(run: AssembledRun): Promise<{ result: AgentResult } | { error: unknown }> {
  try {
    return { result: await unlessOverdue(performRun(run), run.request.signal) };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // Before the first turn nothing was paid for, and nothing can be lost.
    if (run.ledger.lines.some(({ entry }) => entry.type === 'run.started')) return { error };
    if (!isFullDisk(error)) throw error;
    throw (await import('./finish-run.ts')).fullDiskError(run.folder.folder, error);
  }
}
