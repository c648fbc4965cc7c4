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

test('a named person answers with the rights of the requester', async () => {
  expect([
    await answers(),
    await answers({ answerers: ['@author'] }),
    await answers({ answerers: ['@author'], payload: { pull_request: { user: { login: 'rex' } } } }),
  ]).toEqual(['ada', 'ada', 'ada']);
});

test.each<[string, Case]>([
  [
    'a person who is not named',
    { answerers: ['bob', '@author'], payload: { issue: { user: { login: 'bob' } } } },
  ],
  ['a thread without author', { answerers: ['@author'], payload: {} }],
  ['another kind of request', { trigger: { kind: 'task' } }],
  ['a timer', { trigger: { timer: { kind: 'deadline', run_id: 'r' } } }],
  ['another account', { trigger: { actor: { id: 9 } } }],
  ['a thread without a waiting session', { waiting: null }],
  ['a session without a question', { waiting: { plan: { requester: ada }, question: null } }],
  ['a session without a plan', { waiting: { plan: null, question: { call_id: 'c' } } }],
  ['a requester who lost write permission', { permission: 'read' }],
  ['a requester whose account has changed', { id: 70 }],
])('an answer is still refused for %s', async (_, given) => {
  expect(await answers(given)).toEqual(refused);
});

test('a bot is still refused, and a permitted person answers in their own name', async () => {
  const bot = { ...refused, requester: { ...rex, type: 'Bot' } };
  expect(await answers({ authorization: bot })).toEqual(bot);
  expect(await answers({ authorization: { kind: 'allowed', requester: rex } })).toBe('Rex');
});
