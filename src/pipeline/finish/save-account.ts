import { parseJson } from '../../contract/json.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { ReviewRecord } from '../../contract/review-record.ts';
import { ClosedPull, type ClosedResult, type RunAccount } from '../../contract/run-account.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { readReviewRecord } from '../../reporting/findings/previous-findings.ts';
import type { Published } from '../../reporting/report/published.ts';

/**
 * Stores the cost of an ended run, until its pull request shows what became of its result, which it
 * may do already. The cost of a run that it continues is part of its own, so that account goes.
 */
export async function saveAccount(
  { repository, run_id, verb, thread, resume, triggered_at }: RunPlan,
  outcome: Outcome,
  { commit, pull_request: opened }: Pick<Published, 'commit' | 'pull_request'>,
  store: StateStore,
): Promise<void> {
  const { input, output, cache_read, cache_write } = outcome.usage;
  const account: RunAccount = {
    ...{ v: 1, run_id, verb, ended_at: new Date().toISOString() },
    repository: `${repository.owner}/${repository.name}`,
    ...{ profile: outcome.profile, model: outcome.model, conclusion: outcome.conclusion },
    ...{ cost_usd: outcome.cost_usd, duration_ms: outcome.duration_ms },
    tokens: input + output + cache_read + cache_write,
    committed: commit !== undefined,
    result: null,
  };
  const pull = opened?.number ?? (thread?.kind === 'pull_request' ? thread.number : 0);
  if (resume !== null) await store.delete(stateKeys.account(pull, resume.run_id));
  await store.set(stateKeys.account(pull, run_id), JSON.stringify(account));
  // Read after the account is stored: what closes the pull request now finds it.
  const closed = ClosedPull.safeParse(parseJson((await store.get(stateKeys.closed(pull))) ?? '')).data;
  if (closed === undefined || Date.parse(closed.at) < Date.parse(triggered_at)) return;
  const record = await readReviewRecord({ thread: { kind: 'pull_request', number: pull, title: '' } }, store);
  const result: ClosedResult = {
    merged: closed.merged,
    commit: account.committed ? 'kept' : null,
    findings: countFindings(run_id, record),
  };
  await store.set(stateKeys.account(pull, run_id), JSON.stringify({ ...account, result }));
}

/** Counts the findings that a run was the first to report, by their state. */
export function countFindings(runId: string, record: ReviewRecord | null): ClosedResult['findings'] {
  const findings = (record?.findings ?? []).filter((one) => one.run_id === runId && one.outside !== true);
  const count = (wanted: string) => findings.filter(({ state }) => state === wanted).length;
  return { fixed: count('fixed'), dismissed: count('dismissed'), open: count('open') };
}
