import type { IncomingEvent } from '../../contract/event.ts';
import type { RepositoryIdentity } from '../../contract/state-store.ts';
import { integerAt, stringAt } from './payload-reader.ts';

/** Visibility of a repository. */
type Visibility = 'public' | 'private';

/** The repositories whose state an event ends. */
export interface Removal {
  /** The installation; null if the repositories count in any installation. */
  readonly installation: number | null;
  readonly repositories: 'all' | readonly number[];
  /** True if the installation itself ended; its id is never reused. */
  readonly isOver: boolean;
  /** The new visibility, if that is what changed. */
  readonly visibility?: Visibility;
  /** A sentence for the stopped runs. */
  readonly reason: string;
}

/**
 * Actions on a repository that end its state, even if the same users can read it afterwards. A
 * transferred repository keeps its id and may keep its name (GitHub docs, "Webhook events and
 * payloads").
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
 * Returns what an event removes; null for nothing. A suspended installation keeps its state, since
 * it may return. A renamed repository does too, since no name is a key.
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

/**
 * Returns the installation that an event suspends; null for none. Its runs end and its state stays.
 */
export function suspendedInstallation({ name, payload }: IncomingEvent): number | null {
  const suspends = name === 'installation' && stringAt(payload, 'action') === 'suspend';
  return suspends ? integerAt(payload, 'installation', 'id') : null;
}

/** Returns true if a removal includes a repository. */
export function isRemoved(
  removal: Pick<Removal, 'installation' | 'repositories'>,
  identity: RepositoryIdentity,
): boolean {
  const { installation, repositories } = removal;
  if (installation !== null && identity.installation !== installation) return false;
  return repositories === 'all' || repositories.includes(identity.repository);
}
