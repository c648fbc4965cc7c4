import { expect, test } from 'vitest';
import { readRequester } from '../../../src/webhooks/authorize/read-requester.ts';
import { apiError } from '../event-request.ts';

/** Ada, as a GitHub has her that answers so for her permission. */
async function read(answer: { permission: string; role_name: string } | Error) {
  const asked: unknown[] = [];
  const octokit = {
    rest: {
      users: {
        getByUsername: async (query: object) => {
          asked.push(query);
          return { data: { login: 'Ada', id: 7, type: 'User', name: 'left out' } };
        },
      },
      repos: {
        getCollaboratorPermissionLevel: async (query: object) => {
          asked.push(query);
          if (answer instanceof Error) throw answer;
          return { data: answer };
        },
      },
    },
  };
  const requester = await readRequester(octokit as never, { owner: 'acme', name: 'shop' }, 'ada');
  return { asked, requester };
}

test('reads an account by name with its permission on the repository', async () => {
  expect(await read({ permission: 'write', role_name: 'write' })).toEqual({
    asked: [{ username: 'ada' }, { owner: 'acme', repo: 'shop', username: 'ada' }],
    requester: { login: 'Ada', id: 7, type: 'User', permission: 'write' },
  });
});

test.each([
  ['admin', 'admin', 'admin'],
  ['write', 'maintain', 'maintain'],
  ['read', 'triage', 'triage'],
  ['read', 'read', 'read'],
  ['none', 'none', 'none'],
  ['read', 'admin', 'read'],
  ['write', 'release-manager', 'write'],
  ['other', 'write', 'none'],
  ['other', 'other', 'none'],
])('the permission %s with the role %s counts as %s', async (permission, role_name, counts) => {
  expect((await read({ permission, role_name })).requester.permission).toBe(counts);
});

test('a person who is no collaborator has no permission, and any other error is thrown', async () => {
  expect((await read(apiError(404))).requester.permission).toBe('none');
  await expect(read(apiError(403))).rejects.toThrow('HTTP 403');
});
