import { expect, test } from 'vitest';
import { readThreadFacts } from '../../../src/webhooks/authorize/read-thread-facts.ts';
import type { ReportedPull } from '../../../src/webhooks/triggers/is-behind.ts';
import { apiError } from '../event-request.ts';

const repository = {
  ...{ id: 8, owner: { login: 'acme' }, name: 'shop', default_branch: 'main', private: true },
};
const clone_url = 'https://github.test/acme/shop.git';
const ref = { owner: 'acme', name: 'shop', default_branch: 'main', clone_url, private: true };
const early = { number: 5, title: 'Early', state: 'open', updated_at: '2026-01-02T03:04:05Z' };
const pullAt = (sha: string) => ({
  ...early,
  ...{ head: { ref: 'topic', sha, repo: { full_name: 'acme/shop' } }, base: { ref: 'main', sha: 'base' } },
});
const told: ReportedPull = { head: 'new', base: 'main', updatedAt: Date.parse('2026-01-02T03:04:06Z') };

/** Reads a thread whose looks come to these answers, or errors, one after the other; and how long was waited before each. */
async function read(kind: 'issue' | 'pull_request', looks: readonly (object | Error)[], known = told) {
  const waits: number[] = [];
  const left = [...looks];
  const look = async () => {
    const data = left.shift();
    if (data === undefined) throw new Error('The looks are over.');
    if (data instanceof Error) throw data;
    return { data };
  };
  const rest = {
    repos: {
      get: async () => ({ data: repository }),
      getBranch: async () => ({ data: { commit: { sha: 'm' } } }),
    },
    issues: { get: look },
    pulls: { get: look },
  };
  const candidate = { repository: { owner: 'acme', name: 'shop' }, thread: { kind, number: 5 } };
  const wait = async (milliseconds: number) => waits.push(milliseconds);
  const facts = { serverUrl: 'https://github.test', reported: known, wait };
  const place = await readThreadFacts({ rest } as never, candidate as never, facts).catch(
    (error: Error) => error.message,
  );
  return { place, waits, left: left.length };
}

const issuePlace = {
  ...{ repositoryId: 8, repository: ref, baseBranch: ref.default_branch, baseHead: 'm' },
  ...{ title: 'Early', pull: null },
};
const pullPlace = (sha: string) => ({
  ...{ repositoryId: 8, repository: ref, baseBranch: 'main', baseHead: 'base', title: 'Early' },
  pull: {
    ...{ number: 5, title: 'Early', state: 'open' },
    ...{ head: { ref: 'topic', sha, repository: 'acme/shop' }, base: { ref: 'main', sha: 'base' } },
  },
});

test('an available thread is read without a wait', async () => {
  expect(await read('issue', [early])).toStrictEqual({ place: issuePlace, waits: [], left: 0 });
  expect(await read('pull_request', [pullAt('new')])).toStrictEqual({
    ...{ place: pullPlace('new'), waits: [], left: 0 },
  });
});

test('a missing thread is requested again for six seconds, and any other error is thrown', async () => {
  const gone = () => apiError(404);
  expect([
    await read('issue', [gone(), gone(), early]),
    await read('issue', [gone(), gone(), gone(), early]),
    await read('issue', [gone(), gone(), gone(), gone(), early]),
    await read('issue', [gone(), apiError(500), early]),
  ]).toEqual([
    { place: issuePlace, waits: [500, 1_500], left: 0 },
    { place: issuePlace, waits: [500, 1_500, 4_000], left: 0 },
    { place: 'HTTP 404', waits: [500, 1_500, 4_000], left: 1 },
    { place: 'HTTP 500', waits: [500], left: 1 },
  ]);
});

test('an outdated pull request is requested again, and used as it is in the end', async () => {
  const [old, now] = [pullAt('old'), pullAt('new')];
  expect([
    await read('pull_request', [old, now]),
    await read('pull_request', [old, old, old, old]),
    await read('pull_request', [{ ...old, updated_at: '2026-01-02T03:04:07Z' }]),
    await read('pull_request', [pullAt('new')], { ...told, base: 'release' }),
  ]).toEqual([
    { place: pullPlace('new'), waits: [500], left: 0 },
    { place: pullPlace('old'), waits: [500, 1_500, 4_000], left: 0 },
    { place: pullPlace('old'), waits: [], left: 0 },
    { place: 'The looks are over.', waits: [500], left: 0 },
  ]);
});
