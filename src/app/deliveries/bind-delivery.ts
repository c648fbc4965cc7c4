import type { IncomingEvent } from '../../contract/event.ts';
import { type Lease, LeaseLost } from '../../contract/state-store.ts';
import type { TokenPurpose } from '../../github/app-tokens.ts';
import { isGone, openRepositoryState, tenantStore } from '../../state/repository-state.ts';
import type { AppContext } from './app-context.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { HeldRun } from './delivery-methods.ts';
import { deliveryPlace, isOnPlace } from './delivery-place.ts';

/**
 * The context of one delivery, out of what the App has: state and tokens of its repository alone, the runs on its thread. Where a
 * lease is given, what writes is refused with `LeaseLost` once it is lost: each write to the state, and each token that can write, which
 * a client asks for with every request. Null for a delivery that is of no installation, or of one that was deleted.
 */
export async function bindDelivery(
  event: IncomingEvent,
  lease: Lease | null,
  app: AppContext,
): Promise<DeliveryContext<HeldRun> | null> {
  const place = deliveryPlace(event);
  if (place === null || (await isGone(app.state, place.repository))) return null;
  const { environment, tokens, ownLogin, log, reportLinks, runs } = app;
  const { repository } = place;
  const opened = await openRepositoryState(app.state, repository);
  const { tenant } = opened;
  const leased = lease === null ? null : app.leased(lease);
  // A lease ends with the state: what is removed takes its deliveries along.
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
      list: async () => runs.all().filter((run) => isOnPlace(run, place)),
      stop: async (runId, reason) => {
        const isOwn = runs.all().some((run) => run.run_id === runId && run.tenant === tenant);
        return isOwn && runs.stop(runId, reason);
      },
    },
  };
}

const superseded = 'This attempt at the delivery was superseded by another.';
const readOnly: ReadonlySet<TokenPurpose> = new Set(['read', 'checks']);
