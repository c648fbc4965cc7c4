import { expect, test } from 'vitest';
import { closeAbandonedRuns } from '../src/app/close-abandoned-runs.ts';
import { stateKeys } from '../src/contract/state-keys.ts';
import { createOctokit } from '../src/github/create-octokit.ts';
import type { EntryContext } from '../src/pipeline/context/broker-context.ts';
import { handleEvent } from '../src/pipeline/worker.ts';
import { createMemoryStateStore } from '../src/state/memory-state-store.ts';
import { latestEvent } from './support/latest-event.ts';
import { attempt, entryContext, github, login, model, startWorkerEdges } from './support/worker-fixture.ts';

const finding = {
  ...{ path: 'a.txt', line: 1, severity: 'high', category: 'bug', title: 'Wrong', body: 'Because.' },
};
/** Called when the model has said its last word. */
let ended = () => {};
startWorkerEdges(({ messages }) => {
  if (messages.length === 1) return { calls: [{ name: 'report_findings', input: { findings: [finding] } }] };
  ended();
  return { text: 'See the line.' };
});

const checkRight = async () => ({
  kind: 'check' as const,
  token: async () => github.createToken({ actor: login, permissions: { checks: 'write' } }),
});

/** A pull request whose automated review is about to begin, and what is seen of it. */
async function reviewed(name: string) {
  const repository = await github.createRepository(name, { files: { 'a.txt': 'one\n' } });
  repository.setPermission('ada', 'write');
  await repository.commit('work', { files: { 'a.txt': 'two\n' }, message: 'Two', author: 'ada' });
  await repository.openPullRequest({ title: 'Two', head: 'work', author: 'ada' });
  const event = latestEvent(github, 'pull_request', 'opened', name);
  const state = createMemoryStateStore();
  const before = model.requests.length;
  const ports = (change: Partial<EntryContext> = {}) =>
    entryContext({ state, canAsk: true, checkRight, ...change });
  return {
    handle: (number: number, change: Partial<EntryContext> = {}) =>
      handleEvent(event, attempt(number), ports(change)),
    close: () =>
      closeAbandonedRuns({
        ...{ state, ownLogin: login, log: { info() {}, warn() {} } },
        isPending: async () => false,
        octokitFor: (_repository, purpose) => {
          const token = async () =>
            purpose === 'check' ? (await checkRight()).token() : ports().writeToken();
          return createOctokit({ apiUrl: github.apiUrl, token, wait: async () => {} });
        },
      }),
    async stands() {
      const comments = repository.comments(1).map(({ body }) => /\*\*[^*]+\*\*/.exec(body)?.[0]);
      const checks = repository.checkRuns().map(({ status, conclusion }) => [status, conclusion]);
      const keys = await Promise.all(
        [stateKeys.open(''), stateKeys.allEyes, stateKeys.finished('')].map((key) => state.list(key)),
      );
      return { comments, checks, reviews: repository.reviews(1).length, kept: keys.flat() };
    },
    requests: () => model.requests.length - before,
  };
}

const finished = {
  comments: ['**1 open finding**'],
  checks: [['completed', 'neutral']],
  reviews: 1,
  kept: [],
};

test('an automated review whose last writes fail once is finished without a second run', async () => {
  const { handle, stands, requests } = await reviewed('acme/failing');
  ended = () => {
    github.failNext({
      method: 'PATCH',
      path: /failing\/issues\/comments/,
      body: /open finding/,
      status: 500,
    });
    github.failNext({ method: 'PATCH', path: /failing\/check-runs/, body: /completed/, status: 500 });
  };
  const kinds = [(await handle(1)).kind, (await handle(2)).kind];
  expect([kinds, requests(), await stands()]).toEqual([['run', 'none'], 2, finished]);
});

test('an automated review whose process dies at its last writes is finished by the next one', async () => {
  const { handle, stands, requests } = await reviewed('acme/dying');
  let writes = Number.POSITIVE_INFINITY;
  ended = () => {
    writes = 1;
  };
  const stop = github.onRequest(({ method }) => {
    if (method !== 'GET') writes -= 1;
  });
  const { writeToken } = entryContext();
  const dying = async () => {
    if (writes <= 0) throw new Error('the process ended');
    return writeToken();
  };
  let deaths = 0;
  for (let done = false; !done && deaths < 9; ) {
    done = await handle(1, {
      writeToken: dying,
      checkRight: async () => ({
        kind: 'check',
        token: async () => (await dying()) && (await checkRight()).token(),
      }),
    }).then(
      () => true,
      () => false,
    );
    if (!done) deaths += 1;
    writes = 1;
  }
  stop();
  // A slow machine adds a death: its progress comment is edited once more.
  expect([deaths >= 2, requests(), await stands()]).toEqual([true, 2, finished]);
});

test('comment and check of a run that no attempt ends are closed', async () => {
  const { handle, stands, close } = await reviewed('acme/left');
  let dead = false;
  ended = () => {
    dead = true;
  };
  const { writeToken } = entryContext();
  await expect(
    handle(1, {
      async writeToken() {
        if (dead) throw new Error('the process ended');
        return writeToken();
      },
    }),
  ).rejects.toThrow('the process ended');
  const before = await stands();
  await close();
  expect([before.comments, before.checks, await stands()]).toMatchObject([
    ['**Working on it.**'],
    [['in_progress', null]],
    { comments: ['**Failed.**'], checks: [['completed', 'neutral']] },
  ]);
});
