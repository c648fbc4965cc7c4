import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../src/contract/json.ts';
import { createFileStateStore } from '../src/state/file-state-store.ts';
import { createLog } from '../src/webhooks/create-log.ts';
import type { DeliveryAttempt } from '../src/webhooks/queue.ts';
import { handleEvent, type WorkerPorts } from '../src/worker.ts';
import { type GitHub, startGitHub } from './support/github/start-github.ts';
import type { Script } from './support/model/script.ts';
import { type ScriptedModel, startScriptedModel } from './support/model/scripted-model.ts';

let github: GitHub;
let model: ScriptedModel;
let folder: string;
/** What the model answers with; each test sets its own. */
let answer: Script = () => ({ text: 'Done nothing.' });
beforeAll(async () => {
  github = await startGitHub();
  model = await startScriptedModel({ script: (request) => answer(request) });
  folder = await mkdtemp(path.join(tmpdir(), 'anode-worker-'));
  github.addApp({ slug: 'anode-ci', permissions });
});
afterAll(async () => {
  await model.close();
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

const permissions = { contents: 'write', issues: 'write', pull_requests: 'write' } as const;
const login = 'anode-ci[bot]';

function ports(): WorkerPorts {
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
    canAsk: false,
    host: 'app',
    sandbox: 'preferred',
  };
}

/** A repository whose issue 1 a maintainer comments on, and the event that this makes. */
async function asked(name: string, body: string, files: Record<string, string> = {}) {
  const repository = await github.createRepository(name, { files: { 'README.md': '# Here\n', ...files } });
  repository.setPermission('ada', 'write');
  await repository.openIssue({ title: 'Dates', author: 'ada' });
  repository.comment(1, { author: 'ada', body });
  const payload = structuredClone(
    github.lastEventPayload('issue_comment', 'created'),
  ) as unknown as JsonObject;
  return { repository, event: { name: 'issue_comment', delivery_id: `guid-${name}`, payload } };
}

const attempt = (number: number, change: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  attempt: number,
  last: number === 3,
  signal: new AbortController().signal,
  ...change,
});

test('a run whose end was cut off is published again, nothing of it twice, and not run again', async () => {
  const { repository, event } = await asked('acme/late', '@anode say something');
  answer = () => ({ text: 'Said something.' });
  const before = model.requests.length;
  const { store } = ports();
  const cut: typeof store = { ...store, delete: () => Promise.reject(new Error('the process ended')) };
  await expect(handleEvent(event, attempt(1), { ...ports(), store: cut })).rejects.toThrow(
    'the process ended',
  );
  const second = await handleEvent(event, attempt(2), ports());
  expect({
    kind: second.kind,
    requests: model.requests.length - before,
    comments: repository.comments(1).filter(({ author }) => author === login).length,
  }).toEqual({ kind: 'run', requests: 1, comments: 1 });
});

test('what breaks before the run is tried again without a word, and told when no other attempt follows', async () => {
  const { repository, event } = await asked('acme/gone', '@anode say something');
  const broken = { ...ports(), mirrorsFolder: '/dev/null/mirrors' };
  await expect(handleEvent(event, attempt(1), broken)).rejects.toThrow();
  const own = () =>
    repository
      .comments(1)
      .filter(({ author }) => author === login)
      .map(({ body }) => body);
  expect(own().filter((body) => body.includes('**Failed.**'))).toEqual([]);
  const handled = await handleEvent(event, attempt(3), broken);
  expect({ kind: handled.kind, comments: own().length }).toEqual({ kind: 'broken', comments: 1 });
  expect(own()[0]).toContain('**Failed.** Something broke inside Anode CI itself');
});

test('a run that breaks is told at once and not run again', async () => {
  const { repository, event } = await asked('acme/key', '@anode say something');
  const keyless = { ...ports(), environment: { PATH: process.env.PATH } };
  const handled = await handleEvent(event, attempt(1), keyless);
  const [, comment] = repository.comments(1);
  expect({
    kind: handled.kind,
    told: comment?.body.includes('No model is set and no key was found'),
  }).toEqual({
    kind: 'broken',
    told: true,
  });
});

test('without the sandbox it prefers, a run for GitHub runs no command that a rule allows', async () => {
  const config = 'sandbox: preferred\npermissions:\n  rules:\n    - { tool: bash, action: allow }\n';
  const { event } = await asked('acme/bare', '@anode run it', { '.github/anode.yml': config });
  answer = ({ messages }) =>
    messages.length === 1
      ? { calls: [{ name: 'bash', input: { command: 'node -e 1' } }] }
      : { text: 'Could not.' };
  const bare = { ...ports(), environment: { ...ports().environment, PATH: '/nonexistent' } };
  const handled = await handleEvent(event, attempt(1), bare);
  const refusals =
    handled.kind === 'run' ? handled.outcome.refusals.map(({ what, reason }) => ({ what, reason })) : null;
  expect(refusals).toEqual([
    {
      what: 'node -e 1',
      reason: expect.stringContaining('this run has no sandbox to keep keys out of reach'),
    },
  ]);
});

test('a reply that quotes a broken configuration mentions nobody, closes nothing and fits', async () => {
  const key = `@acme/everyone fixes #1 ${'x'.repeat(70_000)}`;
  const { repository, event } = await asked('acme/shop', '@anode fix it', {
    '.github/anode.yml': `? ${JSON.stringify(key)}\n: 1\n`,
  });
  const handled = await handleEvent(event, attempt(1), ports());
  const [, posted] = repository.comments(1);
  expect({
    kind: handled.kind,
    author: posted?.author,
    start: posted?.body.slice(0, 125),
    length: posted?.body.length,
  }).toEqual({
    kind: 'none',
    author: login,
    start:
      'The configuration cannot be used, so nothing was started. .github/anode.yml:1:3: unknown key `@acme/everyone` fixes `#1` xxxx',
    length: 2_000,
  });
});
