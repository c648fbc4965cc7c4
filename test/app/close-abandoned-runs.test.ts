import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { closeAbandonedRuns } from '../../src/app/close-abandoned-runs.ts';
import { RunStopped } from '../../src/contract/errors.ts';
import { stateKeys } from '../../src/contract/state-keys.ts';
import { createOctokit } from '../../src/github/create-octokit.ts';
import { handleEvent } from '../../src/pipeline/worker.ts';
import { createMemoryStateStore } from '../../src/state/memory-state-store.ts';
import { openRepositoryState } from '../../src/state/repository-state.ts';
import type { Trigger } from '../../src/webhooks/commands/trigger.ts';
import { saveEyes } from '../../src/webhooks/records/record-eyes.ts';
import { ledger, started } from '../reporting/samples.ts';
import {
  attempt,
  entryContext,
  folder,
  github,
  login,
  newestComment,
  startWorkerEdges,
} from '../support/worker-fixture.ts';

startWorkerEdges(() => ({ text: 'Said something.' }));

const never = { debug() {}, info() {}, warn() {} };

/** An issue on which a run was begun and left, since its folder cannot be made. */
async function left(name: string) {
  const repository = await github.createRepository(name, { files: { 'README.md': '# Here\n' } });
  repository.setPermission('ada', 'write');
  await repository.openIssue({ title: 'Dates', author: 'ada' });
  const comment = repository.comment(1, { author: 'ada', body: '@anode say something' });
  const state = createMemoryStateStore();
  const broken = entryContext({ state, mirrorsFolder: '/dev/null/mirrors' });
  await expect(handleEvent(newestComment(name), attempt(1), broken)).rejects.toThrow();
  const own = () =>
    repository
      .comments(1)
      .filter(({ author }) => author === login)
      .map(({ body }) => body.slice(body.indexOf('\n') + 1));
  const close = (pending: boolean, runsFolderOf?: (tenant: string) => string) =>
    closeAbandonedRuns({
      ...(runsFolderOf === undefined
        ? {}
        : { leftovers: { folderOf: (_kind, tenant) => runsFolderOf(tenant), secrets: [] } }),
      state,
      isPending: async (delivery) => pending && delivery === name,
      octokitFor: () =>
        createOctokit({ apiUrl: github.apiUrl, token: broken.writeToken, wait: async () => {} }),
      ownLogin: login,
      log: never,
    });
  return { repository, comment, state, own, close, event: newestComment(name) };
}

test('a run whose delivery was given up is reported as failed, once', async () => {
  const { own, close, state } = await left('acme/left');
  await close(true);
  const before = own();
  const later = [await close(false), await close(false)];
  expect([before.length, before[0]?.startsWith('**Working on it.**'), later]).toEqual([
    1,
    true,
    [false, false],
  ]);
  expect(own()).toEqual([
    '**Failed.** The process that worked on this ended in the middle of it, each time it was tried, or could not reach GitHub to tell how it went.\n\nTo go on: look into the log of the run for the cause, then ask again.',
  ]);
  expect(await state.list(stateKeys.open(''))).toEqual([]);
});

test('a killed run is reported with its findings and its cost from the ledger', async () => {
  const { own, close, state } = await left('acme/killed');
  const [key = ''] = await state.list(stateKeys.open(''));
  const runs = path.join(folder, 'killed');
  const ended = path.join(runs, 'attempt', key.split('/').at(-1) ?? '');
  await mkdir(ended, { recursive: true });
  const usage = { input: 100, output: 10, cache_read: 0, cache_write: 0 };
  const lines = ledger(
    started,
    { type: 'turn.started', turn: 1 },
    { type: 'usage', turn: 1, usage, cost_usd: 0.5 },
  );
  await writeFile(
    path.join(ended, 'ledger.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const tenants: string[] = [];
  await close(false, (tenant) => {
    tenants.push(tenant);
    return runs;
  });
  const [report = ''] = own();
  expect([
    own().length,
    report.split('\n')[0],
    /<sub>.* · asked by/.exec(report)?.[0],
    new Set(tenants).size,
  ]).toEqual([
    1,
    '**Failed.** The process that worked on this ended in the middle of it, each time it was tried, or could not reach GitHub to tell how it went.',
    '<sub>1 turn · 0 tool calls · 110 tokens · $0.50 · 2 s · `anthropic/claude` · asked by',
    1,
  ]);
});

test('a comment that GitHub refuses is closed next time, and a deleted thread is dropped', async () => {
  const { own, close, state } = await left('acme/down');
  github.failNext({ method: 'PATCH', status: 502 });
  expect([await close(false), (await state.list(stateKeys.open(''))).length]).toEqual([true, 1]);
  github.failNext({ method: 'PATCH', status: 410 });
  expect([await close(false), (await state.list(stateKeys.open(''))).length, own().length]).toEqual([
    false,
    0,
    1,
  ]);
});

test('a comment whose delivery was given up loses our 👀', async () => {
  const { repository, comment, close, state, event } = await left('acme/eyes');
  const { store } = await openRepositoryState(state, {
    installation: 1,
    repository: repository.repository.id,
  });
  const repositoryOf = { owner: 'acme', name: 'eyes' };
  const place = { id: comment.id, kind: 'issue_comment' } as const;
  const trigger = {
    ...{ comment: place, repository: repositoryOf, installation_id: null },
    ...{ thread: { kind: 'pull_request', number: 1 }, actor: { login: 'ada' }, kind: 'task', text: 'x' },
  };
  await saveEyes(store, trigger as Trigger, event.delivery_id);
  repository.react(comment, 'eyes', login);
  await close(true);
  const before = repository.reactions(comment).length;
  await close(false);
  expect([before, repository.reactions(comment), await store.list(stateKeys.allEyes)]).toEqual([1, [], []]);
});

test('a run that is cancelled before its start gives the reason, and is not retried', async () => {
  const { own, event, state } = await left('acme/early');
  const reason = new RunStopped({ kind: 'cancelled', message: 'The workflow was cancelled.' });
  const handled = await handleEvent(
    event,
    attempt(2, { signal: AbortSignal.abort(reason) }),
    entryContext({ state }),
  );
  expect([handled.kind, own(), await state.list(stateKeys.open(''))]).toEqual([
    'failed',
    ['**Cancelled.** The workflow was cancelled.\n\nTo start over, ask again.'],
    [],
  ]);
});
