import type { IncomingEvent } from '../../contract/event.ts';
import { type Lease, LeaseLost } from '../../contract/state-store.ts';
import type { TokenPurpose } from '../../github/app-tokens.ts';
import { isGone, openRepositoryState, tenantStore } from '../../state/repository-state.ts';
import type { AppContext } from './app-context.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { ActiveRun } from './delivery-methods.ts';
import { deliveryTarget, isRunOnTarget } from './delivery-target.ts';

/**
 * Creates the context of one delivery: state and tokens of its repository only, and runs on its
 * thread. With a lease, writes to state and writing tokens are refused with `LeaseLost` once it is
 * lost. Null for a delivery without an installation, or of a deleted one.
 */
export async function bindDelivery(
  event: IncomingEvent,
  lease: Lease | null,
  app: AppContext,
): Promise<DeliveryContext<ActiveRun> | null> {
  const target = deliveryTarget(event);
  if (target === null || (await isGone(app.state, target.repository))) return null;
  const { environment, tokens, ownLogin, log, reportLinks, runs } = app;
  const { repository } = target;
  const opened = await openRepositoryState(app.state, repository);
  const { tenant } = opened;
  const leased = lease === null ? null : app.leased(lease);
  // Removing state removes its deliveries, so a lease needs no further check.
  const store = leased === null ? opened.store : tenantStore(leased.state, tenant, repository.repository);
  const holds = leased?.holds ?? (async () => true);
  return {
    ...{ environment, store, tenant, ownLogin, log, reportLinks },
    tokenFor: (purpose) => async (fresh) => {
      if (!readOnly.has(purpose) && !(await holds())) throw new LeaseLost(superseded);
      return tokens.tokenFor(repository, purpose, fresh);
    },
    grants: () => tokens.grantsOf(repository.installation),
    budget: app.budgetOf(repository.installation),
    runs: {
      take: (run) => runs.take({ ...run, tenant }),
      list: async () => runs.all().filter((run) => isRunOnTarget(run, target)),
      stop: async (runId, reason) => {
        const isOwn = runs.all().some((run) => run.run_id === runId && run.tenant === tenant);
        return isOwn && runs.stop(runId, reason);
      },
    },
  };
}

const superseded = 'This attempt at the delivery was superseded by another.';
const readOnly: ReadonlySet<TokenPurpose> = new Set(['read', 'checks']);
