import { expect, test } from 'vitest';
import { allowAnswerer } from '../../../src/webhooks/authorize/allow-answerer.ts';

const rex = { login: 'Rex', id: 8, type: 'User', permission: 'read' };
const ada = { login: 'ada', id: 7, type: 'User', permission: 'write' };
const refused = { kind: 'refused', requester: rex, reason: 'No.' };

interface Case {
  readonly authorization?: object;
  readonly trigger?: object;
  readonly answerers?: readonly string[];
  readonly waiting?: object | null;
  readonly payload?: object;
  /** GitHub's present answer about the person who asked. */
  readonly id?: number;
  readonly permission?: string;
}

async function answers(given: Case = {}) {
  const { id = 7, permission = 'write' } = given;
  const getCollaboratorPermissionLevel = async ({ username }: { username: string }) => ({
    data: { permission, role_name: permission, user: { login: username, id, type: 'User' } },
  });
  const getByUsername = async ({ username }: { username: string }) => ({
    data: { login: username, id, type: 'User' },
  });
  const octokit = { rest: { repos: { getCollaboratorPermissionLevel }, users: { getByUsername } } };
  const result = await allowAnswerer(
    (given.authorization ?? refused) as never,
    {
      event: { name: 'issue_comment', payload: given.payload ?? { issue: { user: { login: 'REX' } } } },
      trigger: {
        kind: 'answer',
        actor: { id: 8 },
        repository: { owner: 'acme', name: 'shop' },
        ...given.trigger,
      },
      config: { question: { answerers: given.answerers ?? ['rex'] } },
      waiting:
        given.waiting === undefined
          ? { plan: { requester: ada }, question: { call_id: 'c' } }
          : given.waiting,
      octokit,
    } as never,
  );
  return result.kind === 'allowed' ? result.requester.login : result;
}

test('who is named answers with the rights of whoever asked', async () => {
  expect([
    await answers(),
    await answers({ answerers: ['@author'] }),
    await answers({ answerers: ['@author'], payload: { pull_request: { user: { login: 'rex' } } } }),
  ]).toEqual(['ada', 'ada', 'ada']);
});

test.each<[string, Case]>([
  ['nobody named', { answerers: ['bob', '@author'], payload: { issue: { user: { login: 'bob' } } } }],
  ['a thread without author', { answerers: ['@author'], payload: {} }],
  ['another kind of request', { trigger: { kind: 'task' } }],
  ['an alarm', { trigger: { timer: { kind: 'deadline', run_id: 'r' } } }],
  ['another account', { trigger: { actor: { id: 9 } } }],
  ['nothing that waits', { waiting: null }],
  ['no question', { waiting: { plan: { requester: ada }, question: null } }],
  ['no plan', { waiting: { plan: null, question: { call_id: 'c' } } }],
  ['an asker who may not write any more', { permission: 'read' }],
  ['an asker who is another account now', { id: 70 }],
])('%s stays refused', async (_, given) => {
  expect(await answers(given)).toEqual(refused);
});

test('a bot stays refused, and who may anyway asks in their own name', async () => {
  const bot = { ...refused, requester: { ...rex, type: 'Bot' } };
  expect(await answers({ authorization: bot })).toEqual(bot);
  expect(await answers({ authorization: { kind: 'allowed', requester: rex } })).toBe('Rex');
});
