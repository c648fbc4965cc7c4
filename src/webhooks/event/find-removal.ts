import type { IncomingEvent } from '../../contract/event.ts';
import type { RepositoryIdentity } from '../../contract/tenant.ts';
import { integerAt, stringAt } from './payload-reader.ts';

/** Whose state an event makes an end of. */
export interface Removal {
  /** All repositories of it for `all`; null where the repositories count whatever their installation. */
  readonly installation: number | null;
  readonly repositories: 'all' | readonly number[];
  /** True where the installation itself is over: its id never comes again. */
  readonly isOver: boolean;
  /** A sentence for those whose runs end by it. */
  readonly reason: string;
}

/**
 * What a repository event makes an end of, whoever may read the repository from then on: those who could before, or could not. A
 * repository that was transferred keeps its id, and may keep its name (GitHub docs, "Webhook events and payloads").
 */
const repositoryActions: ReadonlyMap<string, string> = new Map([
  ['deleted', 'The repository was deleted.'],
  ['transferred', 'The repository was transferred to another account.'],
  ['privatized', 'The repository was made private.'],
  ['publicized', 'The repository was made public.'],
]);

/**
 * Finds out what an event removes; null where nothing. An installation that is suspended keeps its state: it comes back as the same.
 * So does a repository that is renamed, since no name is a key.
 */
export function findRemoval({ name, payload }: IncomingEvent): Removal | null {
  const action = stringAt(payload, 'action') ?? '';
  const installation = integerAt(payload, 'installation', 'id');
  if (name === 'installation' && action === 'deleted' && installation !== null)
    return { installation, repositories: 'all', isOver: true, reason: 'The App was uninstalled.' };
  if (name === 'installation_repositories' && action === 'removed' && installation !== null) {
    const { repositories_removed: removed } = payload;
    const repositories = (Array.isArray(removed) ? removed : []).flatMap((one) => idOf(one) ?? []);
    const reason = 'The App was taken away from the repository.';
    return repositories.length === 0 ? null : { installation, repositories, isOver: false, reason };
  }
  const reason = name === 'repository' ? repositoryActions.get(action) : undefined;
  const repository = integerAt(payload, 'repository', 'id');
  if (reason === undefined || repository === null) return null;
  return { installation: null, repositories: [repository], isOver: false, reason };
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

function idOf(value: unknown): number | null {
  const id = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : null;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}
