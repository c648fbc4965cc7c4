import type { AppContext } from './app-context.ts';
import type { IncomingEvent } from './contract/event.ts';
import { type Lease, LeaseLost } from './contract/lease.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { HeldRun } from './delivery-methods.ts';
import { deliveryPlace, isOnPlace } from './delivery-place.ts';
import type { TokenPurpose } from './github/app-tokens.ts';

/**
 * The context of one delivery, out of what the App has: tokens for its repository alone, the runs on its thread. Where a lease is
 * given, what writes is refused with `LeaseLost` once it is lost: each write to the store, and each token that can write, which a
 * client asks for with every request. Null for a delivery that is not of an installation.
 */
export function bindDelivery(
  event: IncomingEvent,
  lease: Lease | null,
  app: AppContext,
): DeliveryContext<HeldRun> | null {
  const place = deliveryPlace(event);
  if (place === null) return null;
  const { environment, tokens, ownLogin, log, reportLinks } = app;
  const { store, holds } = lease === null ? { store: app.store, holds: async () => true } : app.leased(lease);
  return {
    ...{ environment, store, ownLogin, log, reportLinks },
    tokenFor: (purpose) => async (fresh) => {
      if (!readOnly.has(purpose) && !(await holds())) throw new LeaseLost(superseded);
      return tokens.tokenFor(place.installation, place.repository, purpose, fresh);
    },
    grants: () => tokens.grantsOf(place.owner, place.repository),
    budget: app.budgetOf(place.installation),
    runs: { ...app.runs, list: async () => app.runs.all().filter((run) => isOnPlace(run, place)) },
  };
}

const superseded = 'This attempt at the delivery was superseded by another.';
const readOnly: ReadonlySet<TokenPurpose> = new Set(['read', 'checks']);
