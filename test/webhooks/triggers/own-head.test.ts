import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { findTrigger } from '../../../src/webhooks/triggers/events.ts';

const settings = {
  ...{ mention: 'anode', labels: {}, accounts: [], allowBots: [], ownLogins: ['anode-ci[bot]'] },
  ...{ autoReview: true, reviewDrafts: false, waiting: null },
};
const own = { login: 'Anode-CI[bot]', id: 1, type: 'Bot' };

/** What an event of a pull request asks for. */
const read = (action: string, pull: JsonObject = {}, more: object = {}, sender = own) =>
  findTrigger(
    {
      ...{ name: 'pull_request', delivery_id: null },
      payload: {
        ...{ action, sender, repository: { name: 'shop', owner: { login: 'acme' } } },
        pull_request: {
          ...{ number: 5, state: 'open', draft: false, head: { sha: 'a'.repeat(40) } },
          ...{ updated_at: '2026-01-02T03:04:05Z', ...pull },
        },
      },
    },
    { ...settings, ...more },
  );

test.each([
  ['synchronize', {}, {}, 'checks'],
  ['opened', {}, {}, 'checks'],
  ['synchronize', {}, { ownCommits: 'full' }, 'full'],
  ['synchronize', {}, { ownCommits: 'off' }, 'off'],
  ['synchronize', { draft: true }, { ownCommits: 'full' }, 'off'],
  ['synchronize', { draft: true }, { ownCommits: 'full', reviewDrafts: true }, 'full'],
  ['synchronize', {}, { ownCommits: 'full', autoReview: false }, 'off'],
] as const)('our own head, %s %j under %j, is reviewed as %s', (action, pull, more, ownCommit) => {
  expect(read(action, pull, more)).toMatchObject({
    ...{ kind: 'review', automated: true, incremental: true, ownCommit, actor: own },
  });
});

test('no other event of ours starts anything, and no other bot does', () => {
  expect([
    read('synchronize', { state: 'closed' }),
    read('ready_for_review'),
    read('synchronize', {}, {}, { ...own, login: 'anode-ci-2[bot]' }),
  ]).toEqual([
    { kind: 'ignored', reason: 'the pull request is closed' },
    { kind: 'ignored', reason: 'it is our own doing' },
    { kind: 'ignored', reason: 'anode-ci-2[bot] is a Bot that triggers.allowBots does not name' },
  ]);
});
