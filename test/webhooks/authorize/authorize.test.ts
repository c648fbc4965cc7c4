import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Requester } from '../../../src/contract/plan.ts';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import { authorize } from '../../../src/webhooks/authorize/authorize.ts';
import { readRequester } from '../../../src/webhooks/authorize/read-requester.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { type GitHub, startGitHub } from '../../support/github/start-github.ts';

let github: GitHub;
let token: string;
beforeAll(async () => {
  github = await startGitHub();
  const shop = await github.createRepository('acme/shop', { files: { 'a.ts': 'one\n' } });
  for (const role of ['admin', 'maintain', 'write', 'triage', 'read'] as const)
    shop.setPermission(role, role);
  for (const bot of ['renovate[bot]', 'evil[bot]']) github.addUser(bot);
  github.addUser('disguised', { type: 'Bot' });
  github.addUser('renovate[bot]s', { type: 'Bot' });
  github.addUser('renamed', { id: 77 });
  shop.setPermission('renamed', 'admin');
  token = github.createToken({ actor: 'anode-ci[bot]', permissions: { metadata: 'read' } });
});
afterAll(() => github.close());

function trigger(login: string, automated: boolean, id?: number): Trigger {
  return {
    kind: automated ? 'review' : 'task',
    automated,
    event: 'e',
    repository: { owner: 'acme', name: 'shop' },
    thread: { kind: 'pull_request', number: 1 },
    actor: { login, id: id ?? github.addUser(login).id, type: 'User' },
    text: '',
    note: null,
    comment: null,
    location: null,
    at: '',
    head_sha: null,
    installation_id: null,
  };
}
async function outcome(login: string, automated = false, id?: number): Promise<string> {
  const octokit = createOctokit({ apiUrl: github.apiUrl, token });
  const asked = trigger(login, automated, id);
  const account = await readRequester(octokit, asked.repository, login);
  const { kind, requester, ...rest } = authorize(asked, account, ['renovate[bot]']);
  return `${kind} ${requester.type} ${requester.permission}${'reason' in rest ? `: ${rest.reason}` : ''}`;
}

it.each([
  ['admin', 'allowed User admin'],
  ['maintain', 'allowed User maintain'],
  ['write', 'allowed User write'],
  [
    'triage',
    'refused User triage: triage has triage permission on this repository; starting a run needs write.',
  ],
  ['read', 'refused User read: read has read permission on this repository; starting a run needs write.'],
  ['renovate[bot]', 'allowed Bot none'],
  ['evil[bot]', 'refused Bot none: evil[bot] is a bot that triggers.allowBots does not name.'],
  ['renovate[bot]s', 'refused Bot none: renovate[bot]s is a bot that triggers.allowBots does not name.'],
  ['disguised', 'refused Bot none: disguised is a bot that triggers.allowBots does not name.'],
])('requests the permission of %s from the API', async (login, expected) => {
  expect(await outcome(login)).toBe(expected);
});

it('recognises allowed bots by login in any letter case, and refuses other account types', () => {
  const may = (login: string, type: Requester['type'], allowBots: readonly string[]) => {
    const requester = { login, id: 3, type, permission: 'admin' } as const;
    const found = authorize(trigger(login, true, 3), requester, allowBots);
    return found.kind === 'allowed' ? found.kind : found.reason;
  };
  expect([
    may('renovate[bot]', 'Bot', ['other[bot]', 'Renovate[bot]']),
    may('Renovate[bot]', 'Bot', ['renovate[bot]', 'other[bot]']),
    may('acme', 'Organization', ['acme']),
    may('m', 'Mannequin', []),
  ]).toEqual([
    'allowed',
    'allowed',
    'acme is an account of type Organization, which cannot start a run.',
    'm is an account of type Mannequin, which cannot start a run.',
  ]);
});

it('refuses an account that took over the sender’s login', async () => {
  expect(await outcome('renamed', false, 78)).toBe(
    'refused User admin: renamed is not the account it was when the event was sent.',
  );
});

it('permits the review of anyone’s pull request, except an unlisted bot’s', async () => {
  expect(await Promise.all(['read', 'stranger', 'evil[bot]'].map((login) => outcome(login, true)))).toEqual([
    'allowed User read',
    expect.stringMatching(/^allowed User (read|none)$/),
    'refused Bot none: evil[bot] is a bot that triggers.allowBots does not name.',
  ]);
});

it('uses the lower permission if a custom role has the name of a permission', async () => {
  const octokit = createOctokit({ apiUrl: github.apiUrl, token });
  octokit.hook.after('request', ({ data }) => {
    if (typeof data === 'object' && data !== null && 'role_name' in data) data.role_name = 'admin';
  });
  const { permission } = await readRequester(octokit, { owner: 'acme', name: 'shop' }, 'read');
  expect(permission).toBe('read');
});
