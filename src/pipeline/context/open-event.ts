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

/** The repository of an event, by its ids; null for an event of none. */
function identityOfEvent(
  { payload }: IncomingEvent,
  { installationId, repositoryId }: Pick<EntryContext, 'installationId' | 'repositoryId'>,
): RepositoryIdentity | null {
  const repository = integerAt(payload, 'repository', 'id') ?? repositoryId ?? null;
  return repository === null ? null : { installation: installationId, repository };
}

/** The repository of an event and the installation that it came by; null for what lacks one. */
export function installedRepository(event: IncomingEvent): InstalledRepository | null {
  const installation = integerAt(event.payload, 'installation', 'id');
  const identity = identityOfEvent(event, { installationId: installation });
  return installation === null || identity === null ? null : { ...identity, installation };
}

/** Folders of a tenant below those of all: no other repository's runs are given them. */
export function tenantFolders(
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
  return { ...settings, tenant, store, ...tenantFolders(tenant, entry) };
}

/** Keeps what a repository is called now, which serves people alone: `anode forget owner/name` finds it by that. */
export async function storeName(
  root: StateRoot,
  identity: RepositoryIdentity,
  event: IncomingEvent,
): Promise<void> {
  const name = stringAt(event.payload, 'repository', 'full_name');
  const key = sharedKeys.name(identity);
  if (name !== null && (await root.get(key)) !== name) await root.set(key, name);
}
