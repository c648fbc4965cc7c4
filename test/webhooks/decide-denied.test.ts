import { expect, test } from 'vitest';
import { decideDenied } from '../../src/webhooks/decide-denied.ts';

const denied = Object.assign(new Error('Resource not accessible by integration'), {
  status: 403,
  response: { status: 403, headers: { 'x-accepted-github-permissions': 'contents=read' } },
});
const remedy =
  "The App lacks the permission `contents: read`. Add `contents: read` under Permissions in the App's settings, then accept it for this installation.";

/** Decides on a comment of ada, who has that permission. */
const decide = (body: string, permission = 'write', error: Error = denied) =>
  decideDenied(
    {
      name: 'issue_comment',
      delivery_id: 'd1',
      payload: {
        action: 'created',
        repository: { id: 1, name: 'shop', owner: { login: 'acme' }, default_branch: 'main' },
        issue: { number: 5, title: 'T', body: '', user: { login: 'ada' }, state: 'open' },
        comment: {
          id: 7,
          body,
          created_at: '2026-01-02T03:04:05Z',
          user: { login: 'ada', id: 2, type: 'User' },
        },
        sender: { login: 'ada', id: 2, type: 'User' },
        installation: { id: 42 },
      },
    } as never,
    error,
    {
      octokit: {
        rest: {
          users: { getByUsername: async () => ({ data: { login: 'ada', id: 2, type: 'User' } }) },
          repos: {
            getCollaboratorPermissionLevel: async () => ({ data: { permission, role_name: permission } }),
          },
        },
      },
      settings: { host: 'app', ownLogins: ['anode-ci[bot]'] },
    } as never,
  );

test('a person with write permission gets a reply with the missing permission', async () => {
  const { decision, reason, plan, reply, trigger } = await decide('/anode fix it');
  expect([decision, reason, plan, reply, trigger?.thread.number]).toEqual([
    'refuse',
    remedy,
    null,
    { kind: 'comment', body: `I could not read what this needs, so nothing was started. ${remedy}` },
    5,
  ]);
});

test('a comment to others, and a request without write permission, get no answer', async () => {
  const decisions = [await decide('Hello @ben'), await decide('/anode fix it', 'read')];
  expect(decisions.map(({ decision, reason, reply }) => [decision, reason, reply.kind])).toEqual([
    ['ignore', remedy, 'none'],
    ['ignore', remedy, 'none'],
  ]);
});

test('any other error is thrown', async () => {
  await expect(decide('/anode fix it', 'write', new Error('no'))).rejects.toThrow('no');
});
