import type { IncomingEvent } from '../../contract/event.ts';
import type { RepositoryIdentity } from '../../contract/state-store.ts';
import { integerAt, stringAt } from './payload-reader.ts';

/** Who may read a repository: everybody, or those alone who are let in. */
export type Visibility = 'public' | 'private';

/** Whose state an event makes an end of. */
export interface Removal {
  /** All repositories of it for `all`; null where the repositories count whatever their installation. */
  readonly installation: number | null;
  readonly repositories: 'all' | readonly number[];
  /** True where the installation itself is over: its id never comes again. */
  readonly isOver: boolean;
  /** Where a repository stays and who may read it changed: which it is now. */
  readonly visibility?: Visibility;
  /** A sentence for those whose runs end by it. */
  readonly reason: string;
}

/**
 * What a repository event makes an end of, whoever may read the repository from then on: those who could before, or could not. A
 * repository that was transferred keeps its id, and may keep its name (GitHub docs, "Webhook events and payloads").
 */
const repositoryActions: ReadonlyMap<string, Pick<Removal, 'reason' | 'visibility'>> = new Map<
  string,
  Pick<Removal, 'reason' | 'visibility'>
>([
  ['deleted', { reason: 'The repository was deleted.' }],
  ['transferred', { reason: 'The repository was transferred to another account.' }],
  ['privatized', { reason: 'The repository was made private.', visibility: 'private' }],
  ['publicized', { reason: 'The repository was made public.', visibility: 'public' }],
]);

/**
 * Finds out what an event removes; null where nothing. An installation that is suspended keeps its state: it comes back as the same.
 * So does a repository that is renamed, since no name is a key.
 */
export function findRemoval({ name, payload }: IncomingEvent): Removal | null {
  const action = stringAt(payload, 'action');
  const installation = integerAt(payload, 'installation', 'id');
  if (name === 'installation' && action === 'deleted' && installation !== null)
    return { installation, repositories: 'all', isOver: true, reason: 'The App was uninstalled.' };
  if (name === 'installation_repositories' && action === 'removed' && installation !== null) {
    const { repositories_removed: removed } = payload;
    const repositories = (Array.isArray(removed) ? removed : []).flatMap(
      (one) => integerAt({ one }, 'one', 'id') ?? [],
    );
    const reason = 'The App was taken away from the repository.';
    return repositories.length === 0 ? null : { installation, repositories, isOver: false, reason };
  }
  const what = name === 'repository' && action !== null ? repositoryActions.get(action) : undefined;
  const repository = integerAt(payload, 'repository', 'id');
  if (what === undefined || repository === null) return null;
  return { installation: null, repositories: [repository], isOver: false, ...what };
}

/** Whether an event says that an installation may not work for now; its runs end and its state stays. */
export function suspendedInstallation({ name, payload }: IncomingEvent): number | null {
  const suspends = name === 'installation' && stringAt(payload, 'action') === 'suspend';
  return suspends ? integerAt(payload, 'installation', 'id') : null;
}

/** Whether a repository is one of those that a removal is about. */
export function isMeant(
  removal: Pick<Removal, 'installation' | 'repositories'>,
  identity: RepositoryIdentity,
): boolean {
  const { installation, repositories } = removal;
  if (installation !== null && identity.installation !== installation) return false;
  return repositories === 'all' || repositories.includes(identity.repository);
}
