import type { IncomingEvent } from '../../contract/event.ts';
import type { StopReason } from '../../contract/limits.ts';
import {
  type InstalledRepository,
  type RepositoryIdentity,
  readTenant,
  sharedKeys,
} from '../../contract/state-store.ts';
import type { OwnRuns } from '../../pipeline/context/active-runs.ts';
import { isGone } from '../../state/repository-state.ts';
import {
  findRemoval,
  isRemoved,
  type Removal,
  suspendedInstallation,
} from '../../webhooks/triggers/find-removal.ts';
import type { ActiveRun } from '../deliveries/delivery-methods.ts';
import { type ConfirmContext, confirmRemoval, isSuspended } from './confirm-removal.ts';
import { type RemovalContext, removeState, sweepRemoved } from './remove-state.ts';

/** Removal of state with its installation or repository. */
export interface Removals {
  /**
   * Handles an event that ends state, and returns true for one. Resolves when the end is stored and
   * everything possible is deleted. `first` is false for a repeated body.
   */
  take(event: IncomingEvent, first: boolean): Promise<boolean>;
  /**
   * Returns true if an event is dropped because its installation was deleted. Clears that mark if
   * GitHub still has the installation.
   */
  drops(event: IncomingEvent, identity: InstalledRepository): Promise<boolean>;
  /** Deletes leftovers of removed state; failures are logged and tried again later. */
  sweep(): Promise<void>;
  /** Does the same if a run was active during the removal; else nothing. */
  finish(): Promise<void>;
}

/** Returns true if `take` handles the event. */
export function isRemoval(event: IncomingEvent): boolean {
  return findRemoval(event) !== null || suspendedInstallation(event) !== null;
}

/**
 * Removes state if an event and GitHub report that an installation or repository was removed, or
 * changed its readers.
 */
export function createRemovals(
  ports: Omit<RemovalContext, 'activeTenants'> &
    ConfirmContext & { readonly runs: Pick<OwnRuns<ActiveRun>, 'all' | 'stop'> },
): Removals {
  const { runs, log } = ports;
  const activeTenants = () => new Set(runs.all().map(({ tenant }) => tenant));
  let isLeft = false;
  const stopWhere = async (isStopped: (identity: RepositoryIdentity) => boolean, message: string) => {
    const reason: StopReason = { kind: 'cancelled', message };
    for (const { run_id, tenant } of runs.all()) {
      const identity = readTenant(tenant);
      if (identity !== null && isStopped(identity)) await runs.stop(run_id, reason);
    }
  };
  const sweep = async (): Promise<void> => {
    try {
      const { entries, folders, setups, busy } = await sweepRemoved({ ...ports, activeTenants });
      isLeft = busy;
      if (entries + folders + setups > 0)
        log.info({ entries, folders, setups }, 'Leftover files of removed state were deleted.');
    } catch (err) {
      log.warn({ err }, 'Removed state could not be deleted; this is tried again.');
    }
  };
  /** Removes the part of a removal that GitHub confirms; returns false without one. */
  const remove = async (removal: Removal, fields: object): Promise<boolean> => {
    const confirmed = await confirmRemoval(removal, ports);
    if (confirmed.length === 0)
      log.warn(fields, `Nothing was removed: GitHub does not confirm it. ${removal.reason}`);
    for (const part of confirmed) {
      // Runs have no effect from here on; their folders are removed after they end.
      const { busy, ...removed } = await removeState(part, {
        ...ports,
        activeTenants,
        onEnded: () => stopWhere((identity) => isRemoved(part, identity), part.reason),
      });
      isLeft = busy;
      log.info({ ...fields, ...removed }, `State was removed. ${part.reason}`);
    }
    return confirmed.length > 0;
  };
  return {
    async take(event, first) {
      const suspended = suspendedInstallation(event);
      if (suspended !== null && first && (await isSuspended(suspended, ports)))
        await stopWhere(({ installation }) => installation === suspended, 'The App was suspended.');
      const removal = findRemoval(event);
      if (removal === null) return suspended !== null;
      const { delivery_id: id } = event;
      const done = id === null ? null : sharedKeys.removal(id);
      const fields = { delivery: id, event: event.name };
      if (!first || (done !== null && (await ports.state.get(done)) !== null)) {
        log.info(fields, 'Had it already.');
        return true;
      }
      const isConfirmed = await remove(removal, fields);
      if (isConfirmed && done !== null) await ports.state.set(done, new Date().toISOString());
      return true;
    },
    drops: (event, identity) => dropsEvent(event, identity, ports),
    sweep,
    finish: async () => (isLeft ? sweep() : undefined),
  };
}

async function dropsEvent(
  { delivery_id: delivery, name }: IncomingEvent,
  identity: InstalledRepository,
  { state, tokens, log }: ConfirmContext,
): Promise<boolean> {
  if (!(await isGone(state, identity))) return false;
  const { installation } = identity;
  const isThere = await tokens.grantsOf(installation).then(
    () => true,
    () => false,
  );
  if (isThere) await state.delete(sharedKeys.gone(installation));
  log.warn(
    { delivery, event: name, installation },
    isThere
      ? 'The installation was marked as deleted, but GitHub still has it: it is served again.'
      : 'Dropped: the installation was deleted.',
  );
  return !isThere;
}
