import path from 'node:path';
import type { IncomingEvent } from '../../contract/event.ts';
import {
  type InstalledRepository,
  type RepositoryIdentity,
  type StateRoot,
  sharedKeys,
} from '../../contract/state-store.ts';
import { openRepositoryState } from '../../state/repository-state.ts';
import { integerAt, stringAt } from '../../webhooks/triggers/payload-reader.ts';
import type { EntryContext, EventContext } from './broker-context.ts';

/** Returns the repository of an event by its ids; null for an event without one. */
function identityOfEvent(
  { payload }: IncomingEvent,
  { installationId, repositoryId }: Pick<EntryContext, 'installationId' | 'repositoryId'>,
): RepositoryIdentity | null {
  const repository = integerAt(payload, 'repository', 'id') ?? repositoryId ?? null;
  return repository === null ? null : { installation: installationId, repository };
}

/** Returns the repository of an event with its installation; null if either is missing. */
export function installedRepository(event: IncomingEvent): InstalledRepository | null {
  const installation = integerAt(event.payload, 'installation', 'id');
  const identity = identityOfEvent(event, { installationId: installation });
  return installation === null || identity === null ? null : { ...identity, installation };
}

/** Returns the folders of one tenant. Runs of other repositories never get them. */
export function foldersOfTenant(
  tenant: string,
  folders: Pick<EventContext, 'runsFolder' | 'checkoutsFolder' | 'mirrorsFolder'>,
): Pick<EventContext, 'runsFolder' | 'checkoutsFolder' | 'mirrorsFolder' | 'stateFolder'> {
  return {
    runsFolder: path.join(folders.runsFolder, tenant),
    checkoutsFolder: path.join(folders.checkoutsFolder, tenant),
    mirrorsFolder: path.join(folders.mirrorsFolder, tenant),
    stateFolder: path.dirname(folders.mirrorsFolder),
  };
}

/** Opens the state of an event's repository; null for an event of none. */
export async function openEvent(event: IncomingEvent, entry: EntryContext): Promise<EventContext | null> {
  const identity = identityOfEvent(event, entry);
  if (identity === null) return null;
  const { state, installationId: _, repositoryId: __, ...settings } = entry;
  const { tenant, store } = await openRepositoryState(state, identity);
  return { ...settings, tenant, store, ...foldersOfTenant(tenant, entry) };
}

/** Stores the repository's current name, so that `anode forget owner/name` finds it. */
export async function storeName(
  root: StateRoot,
  identity: RepositoryIdentity,
  event: IncomingEvent,
): Promise<void> {
  const name = stringAt(event.payload, 'repository', 'full_name');
  const key = sharedKeys.name(identity);
  if (name !== null && (await root.get(key)) !== name) await root.set(key, name);
}
