import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { RunAccount } from '../../contract/run-account.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Published } from '../../reporting/report/published.ts';

/**
 * Stores the cost of an ended run, until its pull request shows what became of its result. The cost
 * of a run that it continues is part of its own, so that account goes.
 */
export async function saveAccount(
  { repository, run_id, verb, thread, resume }: RunPlan,
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
}
