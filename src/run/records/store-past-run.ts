import type { RunLedger } from '../../agent/ledger/open-run-ledger.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { type PastMessage, type PastRun, pastMessagesKey, pastRuns } from '../../contract/run-records.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { storedVerb } from '../../contract/verbs.ts';
import { workOf } from '../../contract/work-of.ts';
import { cutText } from './transcript.ts';

/** So many runs are kept of a repository. */
const mostRuns = 300;
const limits = { prompt: 4_000, answer: 8_000, files: 200 };

/**
 * Whose words a run may hold: a fork's author, and whoever cannot write to the repository, are strangers to it. A local run has no
 * plan and works for whoever started it.
 */
export function trustOf(plan: Pick<RunPlan, 'checkout' | 'requester'> | null): PastRun['trust'] {
  if (plan === null) return 'own';
  const { permission, type } = plan.requester;
  const writes = permission === 'admin' || permission === 'maintain' || permission === 'write';
  return plan.checkout.fork || !(writes || type === 'Bot') ? 'outside' : 'own';
}

/**
 * Keeps what later runs may find of a run that ended; the conversation's `words` and the outcome are redacted already. A store that fails is told in
 * the run's record: the run itself ended well or not without it.
 */
export async function storePastRun(
  run: {
    readonly plan: RunPlan | null;
    readonly task: string;
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
    const message = `What this run said could not be kept for later runs to read: ${why}`;
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
    thread: plan?.thread ?? null,
    // A triage says nothing on the thread: its labels speak for it.
    posted: plan !== null && plan.thread !== null && storedVerb(workOf(plan))?.silent !== true,
    profile: outcome.profile,
    conclusion: outcome.conclusion,
    prompt: cutText(run.redact(plan?.prompt ?? run.task), limits.prompt),
    answer: cutText(outcome.answer, limits.answer),
    files: outcome.changes.files.slice(0, limits.files).map(({ path }) => path),
  };
  const stamp = String(now.getTime()).padStart(15, '0');
  const own = `${pastRuns}${stamp}-${outcome.run_id}`;
  const messages = trust === 'own' ? JSON.stringify(run.messages) : null;
  // Side by side: each waits for the disk, and a run without its conversation reads as one that is not to be seen.
  const [stored] = await Promise.all([
    store.list(pastRuns),
    messages === null ? null : store.set(pastMessagesKey(outcome.run_id), messages),
    store.set(own, JSON.stringify(past)),
  ]);
  for (const key of stored.filter((other) => other !== own).slice(0, 1 - mostRuns)) {
    await store.delete(pastMessagesKey(key.slice(pastRuns.length + stamp.length + 1)));
    await store.delete(key);
  }
}
