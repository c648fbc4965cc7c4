import path from 'node:path';
import { expect, test } from 'vitest';
import type { IncomingEvent } from '../src/contract/event.ts';
import type { EntryContext } from '../src/pipeline/context/broker-context.ts';
import { type Handled, handleEvent } from '../src/pipeline/worker.ts';
import type { RepositoryHandle } from './support/github/repository-handle.ts';
import type { Script } from './support/model/script.ts';
import {
  attempt,
  entryContext,
  folder,
  github,
  newestComment,
  startWorkerEdges,
} from './support/worker-fixture.ts';
import { lastResults } from './uses/support/conversation.ts';

const config =
  'review: { auto: false }\nsandbox: preferred\npermissions:\n  onAsk: comment\n  rules:\n    - { tool: create_file, action: ask }\n';

const makeOne: Script = (request) =>
  request.messages.length === 1
    ? { calls: [{ name: 'create_file', input: { path: 'new.txt', content: 'new\n' } }] }
    : { text: lastResults(request) };

/** What the model does; a test may set its own. */
let play: Script = makeOne;
startWorkerEdges((request) => play(request));

const ports = (change: Partial<EntryContext> = {}) => entryContext({ canAsk: true, ...change });

/** Comments as somebody, and gives the delivery this makes. */
function comment(repository: RepositoryHandle, author: string, body: string): IncomingEvent {
  const { id } = repository.comment(1, { author, body });
  return newestComment(`guid-${repository.fullName}-${id}`);
}

/** A pull request on which a run waits to make a file. */
async function waiting(name: string) {
  const repository = await github.createRepository(name, {
    files: { 'README.md': '# Here\n', '.github/anode.yml': config },
  });
  for (const person of ['ada', 'bob']) repository.setPermission(person, 'write');
  await repository.commit('topic', { files: { 'a.txt': 'a\n' }, message: 'Start', author: 'ada' });
  await repository.openPullRequest({ title: 'Topic', head: 'topic', author: 'ada' });
  const first = await handleEvent(comment(repository, 'ada', '@anode make it'), attempt(1), ports());
  const pending = first.kind === 'run' ? first.outcome.pending_approval : undefined;
  return { repository, hash: pending?.hash ?? '' };
}

const commits = async (repository: RepositoryHandle) =>
  Number(await repository.git('rev-list', '--count', 'main..topic'));

test('of two simultaneous approvals one counts, and the call is made once', async () => {
  const { repository, hash } = await waiting('acme/twice');
  const deliveries = ['ada', 'bob'].map((author) => comment(repository, author, `/anode approve ${hash}`));
  const handled = await Promise.all(
    deliveries.map((event, index) =>
      handleEvent(event, attempt(1), ports({ runsFolder: path.join(folder, `runs-${index}`) })),
    ),
  );
  expect(handled.map(({ kind }) => kind).sort()).toEqual(['failed', 'run']);
  expect(await commits(repository)).toBe(2);
  const words = repository.comments(1).map(({ body }) => body);
  expect(words.filter((body) => body.includes('That approval was decided already.'))).toHaveLength(1);
});

test('a run interrupted after the approved call does not make it again', async () => {
  const { repository, hash } = await waiting('acme/cut');
  const event = comment(repository, 'ada', `/anode approve ${hash}`);
  const { state } = ports();
  const cut: typeof state = {
    ...state,
    set: (key, value) =>
      key.startsWith('finished/') ? Promise.reject(new Error('the process ended')) : state.set(key, value),
  };
  await expect(handleEvent(event, attempt(1), ports({ state: cut }))).rejects.toThrow('the process ended');
  const again = await handleEvent(event, attempt(2), ports());
  expect(decisions(again)).toEqual([['lapsed', 'It was used already, by a run that broke off.']]);
  expect(await commits(repository)).toBe(1);
});

test('an approval is void once the base branch switches approvals off', async () => {
  const { repository, hash } = await waiting('acme/off');
  const off = config.replace('comment', 'deny');
  await repository.commit('main', { files: { '.github/anode.yml': off }, message: 'Off', author: 'ada' });
  const handled = await handleEvent(
    comment(repository, 'ada', `/anode approve ${hash}`),
    attempt(1),
    ports(),
  );
  expect(decisions(handled)).toEqual([
    ['lapsed', 'This run may not wait for approvals, by its configuration or because it only reads.'],
  ]);
  expect(await commits(repository)).toBe(1);
});

test('a session that waits twice has its granted permissions, as long as the granter may write', async () => {
  const permissions = {
    permissions: [{ tool: 'create_file', matches: { path: 'a/*' } }],
    reason: 'Many files.',
  };
  const create = (name: string) => ({ name: 'create_file', input: { path: name, content: 'x\n' } });
  play = ({ messages }) => {
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    if (turn === 0) return { calls: [{ name: 'request_permissions', input: permissions }] };
    if (turn === 1) return { calls: [create('a/1.txt'), create('b/1.txt')] };
    if (turn === 2) return { calls: [create('a/2.txt')] };
    return { text: 'Made.' };
  };
  const { repository, hash } = await waiting('acme/again');
  const first = comment(repository, 'bob', `/anode approve ${hash}`);
  const second = await handleEvent(first, attempt(1), ports());
  const pending = second.kind === 'run' ? second.outcome.pending_approval : undefined;
  expect(pending).toMatchObject({ tool: 'create_file', what: 'b/1.txt' });
  const next = comment(repository, 'ada', `/anode approve ${pending?.hash}`);
  const third = await handleEvent(next, attempt(1), ports());
  expect(decisions(third)).toEqual([
    ['approved', ''],
    ['approved', ''],
  ]);
  expect(third.kind === 'run' && third.outcome.changes.files.map(({ path: at }) => at)).toEqual([
    'a/1.txt',
    'a/2.txt',
    'b/1.txt',
  ]);

  const { repository: other, hash: granted } = await waiting('acme/gone');
  await handleEvent(comment(other, 'bob', `/anode approve ${granted}`), attempt(1), ports());
  const waits = /approve ([0-9a-f]{16})`/.exec(other.comments(1).at(-1)?.body ?? '')?.[1];
  other.setPermission('bob', 'read');
  const without = await handleEvent(comment(other, 'ada', `/anode approve ${waits}`), attempt(1), ports());
  expect(without.kind === 'run' && without.outcome.pending_approval).toMatchObject({ what: 'a/2.txt' });
  play = makeOne;
});

test('no one is asked if an answer could be forged, and the report says what is missing', async () => {
  const { repository } = await waiting('acme/alone');
  const event = comment(repository, 'ada', '@anode make it again');
  const handled = await handleEvent(event, attempt(1), ports({ canAsk: false }));
  expect(handled.kind === 'run' && [handled.outcome.conclusion, handled.outcome.diagnostics]).toEqual([
    'success',
    [expect.stringContaining('permissions.onAsk is comment, but this run cannot ask')],
  ]);
});

function decisions(handled: Handled) {
  if (handled.kind !== 'run') throw new Error(`there was no run but ${handled.kind}`);
  return handled.outcome.decided?.map(({ verdict, note }) => [verdict, note]);
}
