import type { RunLedger } from '../../agent/ledger/open-run-ledger.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { PastMessage, PastRun } from '../../contract/past-run.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { canWrite } from '../../contract/repository-permissions.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { storedVerb } from '../../contract/verbs.ts';
import { workOf } from '../../contract/work-of.ts';
import { cutWithRemainder } from './transcript.ts';

/** Maximum stored runs of a repository. */
const mostRuns = 300;
const limits = { prompt: 4_000, answer: 8_000, files: 200 };

/**
 * Returns `outside` for a run that may contain a stranger's text: on a fork, or for a user without
 * write permission. A local run works for its user.
 */
export function trustOf(plan: Pick<RunPlan, 'checkout' | 'requester'>): PastRun['trust'] {
  const isTrusted = canWrite(plan.requester) || plan.requester.type === 'Bot';
  return plan.checkout.fork || !isTrusted ? 'outside' : 'own';
}

/**
 * Stores a finished run for later runs to find. Messages and outcome are redacted already. A
 * failing store is recorded, and does not fail the run.
 */
export async function storePastRun(
  run: {
    readonly plan: RunPlan;
    readonly outcome: Outcome;
    readonly messages: readonly PastMessage[];
    readonly redact: (text: string) => string;
    readonly now: Date;
  },
  store: StateStore,
  ledger: Pick<RunLedger, 'record'>,
): Promise<void> {
  try {
    await writePastRun(run, store);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The messages of this run could not be stored for later runs: ${why}`;
    ledger.record({ type: 'diagnostic', level: 'error', message });
  }
}

async function writePastRun(run: Parameters<typeof storePastRun>[0], store: StateStore): Promise<void> {
  const { plan, outcome, now } = run;
  const trust = trustOf(plan);
  const past: PastRun = {
    v: 1,
    run_id: outcome.run_id,
    session_id: outcome.session_id,
    trust,
    ended_at: now.toISOString(),
    thread: plan.thread,
    // A triage posts no text: its labels are the result.
    posted: plan.thread !== null && storedVerb(workOf(plan))?.silent !== true,
    profile: outcome.profile,
    conclusion: outcome.conclusion,
    prompt: cutWithRemainder(run.redact(plan.prompt), limits.prompt),
    answer: cutWithRemainder(outcome.answer, limits.answer),
    files: outcome.changes.files.slice(0, limits.files).map(({ path }) => path),
  };
  const stamp = String(now.getTime()).padStart(15, '0');
  const own = stateKeys.pastRun(`${stamp}-${outcome.run_id}`);
  const messages = trust === 'own' ? JSON.stringify(run.messages) : null;
  // In parallel, as each waits for the disk. A run without its conversation reads as a hidden one.
  const [stored] = await Promise.all([
    store.list(stateKeys.pastRun('')),
    messages === null ? null : store.set(stateKeys.pastMessages(outcome.run_id), messages),
    store.set(own, JSON.stringify(past)),
  ]);
  for (const key of stored.filter((other) => other !== own).slice(0, 1 - mostRuns)) {
    await store.delete(stateKeys.pastMessages(key.slice(stateKeys.pastRun('').length + stamp.length + 1)));
    await store.delete(key);
  }
}
