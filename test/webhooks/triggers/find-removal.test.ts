import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import {
  findRemoval,
  isRemoved,
  suspendedInstallation,
} from '../../../src/webhooks/triggers/find-removal.ts';

const installation = { id: 42 };
const repository = { id: 4_294_967_301 };
const find = (name: string, payload: JsonObject) => findRemoval({ name, delivery_id: 'guid', payload });

test('an event that removes state names its repositories', () => {
  const found = [
    find('installation', { action: 'deleted', installation }),
    find('installation_repositories', {
      action: 'removed',
      installation,
      repositories_removed: [{ id: 7 }, { id: 'x' }, null, { id: 0.5 }, 8],
    }),
    ...['deleted', 'transferred', 'privatized', 'publicized'].map((action) =>
      find('repository', { action, installation, repository }),
    ),
  ];
  // A transfer is told to the new owner's installation: what the old one's had goes all the same.
  const anywhere = { installation: null, repositories: [repository.id], isOver: false };
  expect(found).toEqual([
    { installation: 42, repositories: 'all', isOver: true, reason: 'The App was uninstalled.' },
    {
      ...{ installation: 42, repositories: [7], isOver: false },
      reason: 'The App was taken away from the repository.',
    },
    { ...anywhere, reason: 'The repository was deleted.' },
    { ...anywhere, reason: 'The repository was transferred to another account.' },
    { ...anywhere, reason: 'The repository was made private.', visibility: 'private' },
    { ...anywhere, reason: 'The repository was made public.', visibility: 'public' },
  ]);
});

test('renames, suspensions, additions and incomplete events remove no state', () => {
  const payloads: [string, JsonObject][] = [
    ['repository', { action: 'renamed', installation, repository }],
    ['repository', { action: 'archived', installation, repository }],
    ['repository', { action: 'deleted', installation }],
    ['installation', { action: 'suspend', installation }],
    ['installation', { action: 'deleted' }],
    ['installation_repositories', { action: 'added', installation, repositories_added: [{ id: 7 }] }],
    ['installation_repositories', { action: 'removed', installation, repositories_removed: [] }],
    ['installation_repositories', { action: 'added', installation, repositories_removed: [{ id: 7 }] }],
    ['installation_repositories', { action: 'removed', installation, repositories_removed: 7 }],
    ['issue_comment', { action: 'deleted', installation, repository }],
    ['label', { action: 'removed', installation, repositories_removed: [{ id: 7 }] }],
    ['label', { action: 'suspend', installation }],
    ['installation', { action: 'unsuspend', installation }],
    ['repository', { repository }],
  ];
  expect(payloads.map(([name, payload]) => find(name, payload))).toEqual(payloads.map(() => null));
  expect(
    payloads.map(([name, payload]) => suspendedInstallation({ name, delivery_id: null, payload })),
  ).toEqual(
    payloads.map(([name, { action }]) => (name === 'installation' && action === 'suspend' ? 42 : null)),
  );
});

test('a repository is matched by its id, within the named installation', () => {
  const meant = (installationId: number | null, repositories: 'all' | number[]) =>
    isRemoved({ installation: installationId, repositories }, { installation: 42, repository: 7 });
  expect([meant(42, 'all'), meant(42, [7]), meant(null, [7]), meant(4, [7]), meant(42, [8])]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
