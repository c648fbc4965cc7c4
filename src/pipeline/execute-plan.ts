import path from 'node:path';
import type { RunPlan } from '../contract/plan.ts';
import type { RunEvent } from '../contract/run-event.ts';
import type { FinishedRun } from '../run/finish-run.ts';
import { run } from '../run/run.ts';
import { type BrokerContext, runContextOf } from './context/broker-context.ts';
import type { PreparedRun } from './context/prepared-run.ts';
import type { DoneRun, FailedRun, RunResult } from './context/run-result.ts';
import { finish, finishFailed } from './finish/finish.ts';
import { prepare } from './prepare/prepare.ts';
import { publishRun } from './publish/publish-run.ts';

/**
 * Carries out a plan in four stages: prepare, run, publish, finish. Throws while another attempt
 * follows; any other error is reported on the thread. Nothing half-done is published.
 */
export async function executePlan(plan: RunPlan, context: BrokerContext): Promise<RunResult> {
  const prepared = await prepare(plan, context);
  if (prepared.kind === 'skipped') return prepared;
  try {
    if (prepared.kind === 'unprepared') return await finishFailed(prepared.failure, prepared, context);
    return await carryOut(prepared, context);
  } finally {
    await prepared.release();
  }
}

async function carryOut(prepared: PreparedRun, context: BrokerContext): Promise<DoneRun | FailedRun> {
  const { display } = prepared;
  const listen = (event: RunEvent) => {
    display.progress?.update(event);
    display.check?.update(event);
    context.listen(event);
    // No report has it.
    if (event.type === 'diagnostic' && event.level === 'info')
      context.log.warn({ run: prepared.plan.run_id }, event.message);
  };
  let running = prepared.finished === null;
  try {
    const finished = prepared.finished ?? (await runWhole(prepared, context, listen));
    running = false;
    const published = await publishRun(finished, prepared, context);
    return await finish({ run: finished, published }, prepared, context);
  } catch (error) {
    return await finishFailed({ error, running }, prepared, context);
  }
}

/** Runs a prepared plan. Attempts that were killed before count in its cost. */
async function runWhole(
  { input, plan }: PreparedRun,
  context: BrokerContext,
  listen: (event: RunEvent) => void,
): Promise<FinishedRun> {
  if (context.share?.kind === 'publish') {
    const { nothingHanded } = await import('./publish/accept-handed-run.ts');
    throw nothingHanded(plan, context.share);
  }
  const finished = await run(input, runContextOf(context, listen));
  if (path.basename(context.runsFolder) === 'attempt') return finished;
  const { ledgersOf, withEarlierCost } = await import('./finish/broken-run.ts');
  const all = await ledgersOf(path.dirname(context.runsFolder), plan.run_id);
  const earlier = all.filter((file) => file !== finished.ledgerFile);
  return { ...finished, outcome: await withEarlierCost(finished.outcome, earlier) };
}
