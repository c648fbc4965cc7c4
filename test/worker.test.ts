import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../src/contract/json.ts';
import { createFileStateStore } from '../src/state/file-state-store.ts';
import { createLog } from '../src/webhooks/create-log.ts';
import { handleEvent } from '../src/worker.ts';
import { type GitHub, startGitHub } from './support/github/start-github.ts';

let github: GitHub;
let folder: string;
beforeAll(async () => {
  github = await startGitHub();
  folder = await mkdtemp(path.join(tmpdir(), 'anode-worker-'));
});
afterAll(async () => {
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

test('a reply that quotes a broken configuration mentions nobody, closes nothing and fits', async () => {
  const permissions = { contents: 'read', issues: 'write', pull_requests: 'write' } as const;
  const app = github.addApp({ slug: 'anode-ci', permissions });
  const token = async () => github.createToken({ actor: app.login, permissions });
  const key = `@acme/everyone fixes #1 ${'x'.repeat(70_000)}`;
  const files = { '.github/anode.yml': `? ${JSON.stringify(key)}\n: 1\n` };
  const shop = await github.createRepository('acme/shop', { files });
  shop.setPermission('ada', 'write');
  await shop.openIssue({ title: 'Dates', author: 'ada' });
  shop.comment(1, { author: 'ada', body: '@anode fix it' });
  const payload = structuredClone(
    github.lastEventPayload('issue_comment', 'created'),
  ) as unknown as JsonObject;
  const handled = await handleEvent(
    { name: 'issue_comment', delivery_id: 'guid', payload },
    1,
    new AbortController().signal,
    {
      apiUrl: github.apiUrl,
      serverUrl: github.url,
      readToken: token,
      writeToken: token,
      store: createFileStateStore({ folder, secret: null, onRejected: () => {} }),
      log: createLog('silent'),
      ownLogin: app.login,
      runUrl: null,
      runsFolder: path.join(folder, 'runs'),
      checkoutsFolder: path.join(folder, 'checkouts'),
      mirrorsFolder: path.join(folder, 'mirrors'),
      operatorConfig: {},
      overrides: {},
      environment: {},
      canAsk: false,
      host: 'app',
      sandbox: 'preferred',
    },
  );
  const [, posted] = shop.comments(1);
  expect({
    kind: handled.kind,
    author: posted?.author,
    start: posted?.body.slice(0, 121),
    length: posted?.body.length,
  }).toEqual({
    kind: 'none',
    author: 'anode-ci[bot]',
    start:
      'The configuration cannot be used, so nothing was started. .github/anode.yml: unknown key `@acme/everyone` fixes `#1` xxxx',
    length: 2_000,
  });
});
