import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../src/contract/json.ts';
import { createRedactor } from '../src/permissions/redact.ts';
import { createLineRedactor } from '../src/permissions/redaction/redact-line.ts';
import { createFileStateStore } from '../src/state/file-state-store.ts';
import { createLog } from '../src/webhooks/create-log.ts';
import { handleEvent, type WorkerPorts } from '../src/worker.ts';
import { type GitHub, startGitHub } from './support/github/start-github.ts';
import type { Script } from './support/model/script.ts';
import { type ScriptedModel, startScriptedModel } from './support/model/scripted-model.ts';

const canary = 'kR7vX2mQ9-tB4wZ_8pL3nD6';
const forms = {
  itself: canary,
  base64: Buffer.from(canary).toString('base64').slice(2, -4),
  backwards: [...canary].reverse().join(''),
  hexadecimal: Buffer.from(canary).toString('hex'),
};
const leaks = (text: string) =>
  Object.entries(forms).flatMap(([name, form]) => (text.includes(form) ? [name] : []));

let github: GitHub;
let model: ScriptedModel;
let folder: string;
let answer: Script = () => ({ text: '' });
beforeAll(async () => {
  github = await startGitHub();
  model = await startScriptedModel({ script: (request) => answer(request) });
  folder = await mkdtemp(path.join(tmpdir(), 'anode-channels-'));
  github.addApp({ slug: 'anode-ci', permissions });
});
afterAll(async () => {
  await model.close();
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

const permissions = { contents: 'write', issues: 'write', pull_requests: 'write' } as const;
const login = 'anode-ci[bot]';

function ports(lines: string[]): WorkerPorts {
  const token = async () => github.createToken({ actor: login, permissions });
  const line = createLineRedactor([canary]);
  return {
    apiUrl: github.apiUrl,
    serverUrl: github.url,
    readToken: token,
    writeToken: token,
    store: createFileStateStore({ folder: path.join(folder, 'state'), secret: null, onRejected: () => {} }),
    log: createLog('info', { write: (text) => void lines.push(text) }, line),
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
      SERVICE_TOKEN: canary,
    },
    canAsk: false,
    host: 'app',
    sandbox: 'preferred',
  };
}

test('a secret leaves by no channel: requests, ledger, comments, commits, log, state', async () => {
  const written = Object.values(forms).join('\n');
  const repository = await github.createRepository('acme/leaky', {
    files: { 'AGENTS.md': `Use ${written}`, 'notes.txt': `${written}\n`, 'a.txt': 'a\n' },
  });
  repository.setPermission('ada', 'write');
  await repository.openIssue({
    title: `Dates ${canary}`,
    author: 'ada',
    body: `<!-- hidden -->\nWith ${written}`,
  });
  repository.comment(1, { author: 'ada', body: `@anode look at ${canary}` });
  const payload = structuredClone(
    github.lastEventPayload('issue_comment', 'created'),
  ) as unknown as JsonObject;
  answer = ({ messages }) => {
    if (messages.length === 1) return { calls: [{ name: 'read', input: { path: 'notes.txt' } }] };
    if (messages.length === 3) {
      const todos = [{ content: `Use ${written}`, status: 'in_progress' }];
      return {
        text: `I saw ${written}`,
        calls: [
          { name: 'todo_write', input: { todos } },
          { name: 'create_file', input: { path: 'out.txt', content: `${canary}\n` } },
          { name: 'edit_file', input: { path: 'a.txt', old_string: 'a\n', new_string: 'b\n' } },
        ],
      };
    }
    return { text: `Write it down\n\nIt is ${written}, says [a](https://evil.test/${canary}).` };
  };
  const lines: string[] = [];
  const attempt = { attempt: 1, last: true, signal: new AbortController().signal };
  const run = ports(lines);
  run.log.info({ key: canary }, `starting with ${canary}`);
  const handled = await handleEvent({ name: 'issue_comment', delivery_id: null, payload }, attempt, run);
  if (handled.kind !== 'run') throw new Error('There was no run.');
  const [pull] = repository.pulls();
  const own = repository.comments(1).filter(({ author }) => author === login);
  expect({
    requests: leaks(JSON.stringify(model.requests.map(({ raw }) => raw))),
    ledger: leaks(await readFile(handled.ledgerFile, 'utf8')),
    comments: leaks(JSON.stringify(own)),
    pull: leaks(JSON.stringify(pull ?? null)),
    outcome: leaks(JSON.stringify(handled.outcome)),
    log: leaks(lines.join('')),
    logged: lines.map((text) => JSON.parse(text) as JsonObject).some(({ key }) => key === '[redacted]'),
    files: handled.outcome.changes.files.map((file) => file.path),
    told: handled.outcome.diagnostics,
    hidden: own.some(({ body }) => body.includes('Hidden text in 1 place')),
  }).toEqual({
    requests: [],
    ledger: [],
    comments: [],
    pull: [],
    outcome: [],
    log: [],
    logged: true,
    files: ['a.txt'],
    told: ['out.txt was left out: a credential of this run stands in it. Its other changes are kept.'],
    hidden: true,
  });
}, 60_000);

test('what the test looks for is found where nothing is redacted', () => {
  expect([
    leaks(Object.values(forms).join(' ')),
    leaks(createRedactor([canary])(Object.values(forms).join('\n'))),
  ]).toEqual([Object.keys(forms), []]);
});
