import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { IncomingEvent } from '../src/contract/event.ts';
import type { JsonObject } from '../src/contract/json.ts';
import { createFileStateStore } from '../src/state/file-state-store.ts';
import { createLog } from '../src/webhooks/create-log.ts';
import { type Handled, handleEvent, type WorkerPorts } from '../src/worker.ts';
import type { RepositoryHandle } from './support/github/repository-handle.ts';
import { type GitHub, startGitHub } from './support/github/start-github.ts';
import type { Script } from './support/model/script.ts';
import { type ScriptedModel, startScriptedModel } from './support/model/scripted-model.ts';
import { lastResults } from './uses/support/conversation.ts';

vi.setConfig({ testTimeout: 60_000 });

const permissions = { contents: 'write', issues: 'write', pull_requests: 'write' } as const;
const login = 'anode-ci[bot]';
const config =
  'review: { auto: false }\nsandbox: preferred\npermissions:\n  onAsk: comment\n  rules:\n    - { tool: create_file, action: ask }\n';

const makeOne: Script = (request) =>
  request.messages.length === 1
    ? { calls: [{ name: 'create_file', input: { path: 'new.txt', content: 'new\n' } }] }
    : { text: lastResults(request) };

/** What the model does; a test may set its own. */
let play: Script = makeOne;
let github: GitHub;
let model: ScriptedModel;
let folder: string;

beforeAll(async () => {
  github = await startGitHub();
  model = await startScriptedModel({
    script: (request) => play(request),
  });
  folder = await mkdtemp(path.join(tmpdir(), 'anode-once-'));
  github.addApp({ slug: 'anode-ci', permissions });
});
afterAll(async () => {
  await model.close();
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

function ports(change: Partial<WorkerPorts> = {}): WorkerPorts {
  const token = async () => github.createToken({ actor: login, permissions });
  return {
    apiUrl: github.apiUrl,
    serverUrl: github.url,
    readToken: token,
    writeToken: token,
    store: createFileStateStore({ folder: path.join(folder, 'state'), secret: null, onRejected: () => {} }),
    log: createLog('silent'),
    ownLogin: login,
    runUrl: null,
    runsFolder: path.join(folder, 'runs'),
    checkoutsFolder: path.join(folder, 'checkouts'),
    mirrorsFolder: path.join(folder, 'mirrors'),
    operatorConfig: {},
    overrides: {},
    environment: {
      PATH: process.env.PATH,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'any-key-will-do',
    },
    canAsk: true,
    host: 'app',
    sandbox: 'preferred',
    ...change,
  };
}

const once = (attempt: number) => ({ attempt, last: attempt === 3, signal: new AbortController().signal });

/** Comments as somebody, and gives the delivery this makes. */
function comment(repository: RepositoryHandle, author: string, body: string): IncomingEvent {
  const { id } = repository.comment(1, { author, body });
  const payload = structuredClone(
    github.lastEventPayload('issue_comment', 'created'),
  ) as unknown as JsonObject;
  return { name: 'issue_comment', delivery_id: `guid-${repository.fullName}-${id}`, payload };
}

/** A pull request on which a run waits to make a file. */
async function waiting(name: string) {
  const repository = await github.createRepository(name, {
    files: { 'README.md': '# Here\n', '.github/anode.yml': config },
  });
  for (const person of ['ada', 'bob']) repository.setPermission(person, 'write');
  await repository.commit('topic', { files: { 'a.txt': 'a\n' }, message: 'Start', author: 'ada' });
  await repository.openPullRequest({ title: 'Topic', head: 'topic', author: 'ada' });
  const first = await handleEvent(comment(repository, 'ada', '@anode make it'), once(1), ports());
  const pending = first.kind === 'run' ? first.outcome.pending_approval : undefined;
  return { repository, hash: pending?.hash ?? '' };
}

const commits = async (repository: RepositoryHandle) =>
  Number(await repository.git('rev-list', '--count', 'main..topic'));

test('of two approvals at once one counts, and the call is made once', async () => {
  const { repository, hash } = await waiting('acme/twice');
  const deliveries = ['ada', 'bob'].map((author) => comment(repository, author, `/anode approve ${hash}`));
  const handled = await Promise.all(
    deliveries.map((event, index) =>
      handleEvent(event, once(1), ports({ runsFolder: path.join(folder, `runs-${index}`) })),
    ),
  );
  expect(handled.map(({ kind }) => kind).sort()).toEqual(['broken', 'run']);
  expect(await commits(repository)).toBe(2);
  const words = repository.comments(1).map(({ body }) => body);
  expect(words.filter((body) => body.includes('That approval was decided already.'))).toHaveLength(1);
});

test('a run that broke off behind the approved call does not make it again', async () => {
  const { repository, hash } = await waiting('acme/cut');
  const event = comment(repository, 'ada', `/anode approve ${hash}`);
  const { store } = ports();
  const cut: typeof store = {
    ...store,
    set: (key, value) =>
      key.startsWith('finished/') ? Promise.reject(new Error('the process ended')) : store.set(key, value),
  };
  await expect(handleEvent(event, once(1), ports({ store: cut }))).rejects.toThrow('the process ended');
  const again = await handleEvent(event, once(2), ports());
  expect(decisions(again)).toEqual([['lapsed', 'It was used already, by a run that broke off.']]);
  expect(await commits(repository)).toBe(1);
});

test('an approval is worth nothing once the base branch switches approvals off', async () => {
  const { repository, hash } = await waiting('acme/off');
  const off = config.replace('comment', 'deny');
  await repository.commit('main', { files: { '.github/anode.yml': off }, message: 'Off', author: 'ada' });
  const handled = await handleEvent(comment(repository, 'ada', `/anode approve ${hash}`), once(1), ports());
  expect(decisions(handled)).toEqual([
    ['lapsed', 'This run may not wait for approvals, by its configuration or because it only reads.'],
  ]);
  expect(await commits(repository)).toBe(1);
});

test('a session that waits twice keeps what was granted, while whoever granted it may write', async () => {
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
  const second = await handleEvent(first, once(1), ports());
  const pending = second.kind === 'run' ? second.outcome.pending_approval : undefined;
  expect(pending).toMatchObject({ tool: 'create_file', what: 'b/1.txt' });
  const next = comment(repository, 'ada', `/anode approve ${pending?.hash}`);
  const third = await handleEvent(next, once(1), ports());
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
  await handleEvent(comment(other, 'bob', `/anode approve ${granted}`), once(1), ports());
  const waits = /approve ([0-9a-f]{16})`/.exec(other.comments(1).at(-1)?.body ?? '')?.[1];
  other.setPermission('bob', 'read');
  const without = await handleEvent(comment(other, 'ada', `/anode approve ${waits}`), once(1), ports());
  expect(without.kind === 'run' && without.outcome.pending_approval).toMatchObject({ what: 'a/2.txt' });
  play = makeOne;
});

test('where an answer could be forged nobody is asked, and the report says what is missing', async () => {
  const { repository } = await waiting('acme/alone');
  const event = comment(repository, 'ada', '@anode make it again');
  const handled = await handleEvent(event, once(1), ports({ canAsk: false }));
  expect(handled.kind === 'run' && [handled.outcome.conclusion, handled.outcome.diagnostics]).toEqual([
    'success',
    [expect.stringContaining('permissions.onAsk is comment, but nobody can be asked in this run')],
  ]);
});

function decisions(handled: Handled) {
  if (handled.kind !== 'run') throw new Error(`there was no run but ${handled.kind}`);
  return handled.outcome.decided?.map(({ verdict, note }) => [verdict, note]);
}
