import type { RunPlan } from '../../contract/plan.ts';
import type { SetupStore } from '../../run/setup/compose-setup.ts';
import type { Checkout } from '../../workspace/git/checkout.ts';
import { hasOwnCommits } from '../../workspace/git/review-history.ts';

/**
 * Returns where set-up results are stored. Those of a fork, or of commits by a run that no one
 * merged, serve that pull request alone: their authors may not write to the repository.
 */
export async function setupStoreOf(
  plan: RunPlan,
  git: Checkout['git'],
  { setupFolder, tenant }: { readonly setupFolder: string; readonly tenant: string },
): Promise<SetupStore> {
  const { checkout, thread } = plan;
  const { fork, sha, base_sha: base } = checkout;
  const unread = fork || (base !== null && (await hasOwnCommits(git, base, sha)));
  const untrusted = unread ? `pull request ${thread?.number ?? sha}` : null;
  return { storeFolder: setupFolder, repository: tenant, untrusted };
}
