import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { normaliseWords } from '../../../src/contract/normalise-words.ts';
import type { PreviousFinding } from '../../../src/contract/review-record.ts';
import { createHunkMap, hunkMapOf } from '../../../src/reporting/diff/hunk-map.ts';
import { fingerprintSuggestion } from '../../../src/reporting/findings/fingerprint.ts';
import { textSource } from '../../../src/reporting/findings/line-context.ts';
import type { OwnReviewComment } from '../../../src/reporting/findings/own-posts.ts';
import { readReviewRecord, saveReviewRecord } from '../../../src/reporting/findings/previous-findings.ts';
import {
  matchPaths,
  reportableFindings,
  reviewedPaths,
} from '../../../src/reporting/findings/reportable-findings.ts';
import {
  isOwnLogin,
  readReviewThreads,
  renderFixed,
  resolveFixed,
  resolveThreads,
} from '../../../src/reporting/findings/review-threads.ts';
import { writeMarker } from '../../../src/reporting/text/marker.ts';
import { finding, headSha, samplePlan } from '../samples.ts';
import { ownLogin, startWorld, type World } from '../scene.ts';
import { reviewHead, states } from './review-head.ts';

const own = 'anode-ci[bot]';
const plan = samplePlan();
const mark = (fp: string) => writeMarker('finding', { fp, severity: 'low', category: 'bug' });

const remark = (more: Partial<OwnReviewComment> = {}): OwnReviewComment => ({
  ...{
    fp: 'f1',
    fields: { fp: 'f1', severity: 'low', category: 'bug', check: 'files' },
    id: 11,
    nodeId: 'n',
  },
  ...{
    reviewId: 1,
    path: 'src/b.js',
    side: 'LEFT',
    line: 9,
    diffHunk: '@@ -1 +1 @@\n ctx\n-  a b;\n\\ No end',
  },
  ...{
    body: `${mark('f1')}\n**low** · Said so\n\nText`,
    createdAt: '2026-01-02T03:04:05Z',
    thumbsDown: 0,
    replies: [],
  },
  ...more,
});

const apiError = (status: number) => Object.assign(new Error('Refused'), { status });

/** Settles a finding, and tells what was said and resolved. */
async function settle(
  more: Partial<OwnReviewComment>,
  thread: { resolved: boolean } | null,
  {
    fixed = { sha: 'f'.repeat(40), run_id: 'r' } as NonNullable<PreviousFinding['fixed']>,
    graphql = null as Error | null,
  } = {},
) {
  const done: unknown[] = [];
  const octokit = {
    rest: { pulls: { createReplyForReviewComment: async (reply: object) => void done.push(reply) } },
    graphql: async (query: string, variables: object) => {
      done.push([query.replaceAll(/\s+/g, ' '), variables]);
      if (graphql !== null) throw graphql;
    },
  };
  const log = { info: () => {}, warn: (...line: unknown[]) => void done.push(line) };
  const at = thread === null ? null : { id: 't1', resolvedBy: null, ...thread };
  await resolveFixed({ fixed, comment: remark(more), thread: at }, plan, {
    octokit: octokit as never,
    ownLogin: own,
    log,
  });
  return done;
}
const answer = (sha: string) =>
  `<!-- anode:fixed v1 sha=${sha} -->\nFixed by [\`${sha.slice(0, 7)}\`](https://github.com/acme/shop/commit/${sha}).`;
const replied = (sha: string) => ({
  ...{ owner: 'acme', repo: 'shop', pull_number: 7, comment_id: 11, body: answer(sha) },
  request: { retries: 0 },
});
const notPresent = `<!-- anode:fixed v1 at=${headSha} -->\nNo longer present at [\`${headSha.slice(0, 7)}\`](https://github.com/acme/shop/commit/${headSha}).`;
const reply = (login: string, body: string) => ({ replies: [{ login, bot: true, body }] });
const resolution = [
  'mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }',
  { id: 't1' },
];

test('names the commit in a fixed finding’s thread once, and resolves it', async () => {
  const sha = 'f'.repeat(40);
  expect(renderFixed(sha, plan)).toBe(answer(sha));
  expect(await settle({}, { resolved: false })).toEqual([replied(sha), resolution]);
  expect(await settle({}, { resolved: true })).toEqual([replied(sha)]);
  expect(await settle({}, null, { fixed: { sha: null, run_id: 'r' } })).toEqual([
    { ...replied(sha), body: notPresent },
  ]);
  expect(await settle(reply(own, notPresent), null, { fixed: { sha: null, run_id: 'r' } })).toEqual([]);
  expect(await settle(reply(own, answer(sha)), null)).toEqual([]);
  for (const other of [reply('eve', answer(sha)), reply(own, answer('e')), reply(own, `> ${answer(sha)}`)])
    expect(await settle(other, null)).toEqual([replied(sha)]);
});

test('logs a refused resolution, and throws a defect', async () => {
  const told = { run: 'run_1', thread: 't1', message: 'Refused' };
  expect((await settle({}, { resolved: false }, { graphql: apiError(403) })).at(-1)).toEqual([
    told,
    'A thread stays unresolved.',
  ]);
  await expect(settle({}, { resolved: false }, { graphql: new Error('ours') })).rejects.toThrow('ours');
});

test('reads threads page by page, by the id of their first comment', async () => {
  const node = (id: string, comment_id: unknown, by: string | null = null) => ({
    ...{ id, isResolved: by !== null, resolvedBy: by === null ? null : { login: by } },
    comments: { nodes: comment_id === null ? [] : [{ fullDatabaseId: comment_id }] },
  });
  const pages = [
    {
      nodes: [node('t1', '8000000001', 'ada'), node('t2', null)],
      pageInfo: { hasNextPage: true, endCursor: 'e' },
    },
    { nodes: [node('t3', 5)], pageInfo: { hasNextPage: false, endCursor: 'f' } },
  ];
  const asked: unknown[] = [];
  const graphql = async (_: string, variables: object) => {
    asked.push(variables);
    return { repository: { pullRequest: { reviewThreads: pages[asked.length - 1] } } };
  };
  const threads = await readReviewThreads(plan, { graphql } as never);
  expect([...(threads ?? [])]).toEqual([
    [8_000_000_001, { id: 't1', resolved: true, resolvedBy: 'ada' }],
    [5, { id: 't3', resolved: false, resolvedBy: null }],
  ]);
  const variables = { owner: 'acme', name: 'shop', number: 7 };
  expect(asked).toEqual([
    { ...variables, after: null },
    { ...variables, after: 'e' },
  ]);
  const failing = (error: Error) =>
    readReviewThreads(plan, { graphql: async () => Promise.reject(error) } as never);
  expect(await failing(apiError(403))).toBeNull();
  await expect(failing(new Error('ours'))).rejects.toThrow('ours');
});

test('recognises our account with and without [bot]', () => {
  expect(
    ['anode-ci', 'Anode-CI', 'anode-ci[bot]', 'anode', null].map((login) => isOwnLogin(login, own)),
  ).toEqual([true, true, true, false, false]);
});

test('reviews files that the configuration includes', () => {
  const which = (settings: Parameters<typeof reviewedPaths>[0]) =>
    ['src/a.ts', 'src/a.test.ts', '.github/b.yml'].filter(reviewedPaths(settings));
  expect([
    which({}),
    which({ paths: [], ignore: [] }),
    which({ paths: ['src/**'] }),
    which({ ignore: ['**/*.test.ts'] }),
    which({ paths: ['src/**'], ignore: ['**/*.test.ts'] }),
    ['src/a.ts', 'src/a.test.ts', '.x/y'].filter(matchPaths(['**', '!**/*.test.ts'])),
    ['src/a.ts', 'src/a.test.ts'].filter(matchPaths(['!**/*.test.ts'])),
    ['src/a.ts'].filter(matchPaths([])),
  ]).toEqual([
    ['src/a.ts', 'src/a.test.ts', '.github/b.yml'],
    ['src/a.ts', 'src/a.test.ts', '.github/b.yml'],
    ['src/a.ts', 'src/a.test.ts'],
    ['src/a.ts', '.github/b.yml'],
    ['src/a.ts'],
    ['src/a.ts', '.x/y'],
    ['src/a.ts'],
    ['src/a.ts'],
  ]);
});

test('reports findings from the configured severity on, with the diff’s paths', () => {
  const diff =
    'diff --git a/src/old.js b/src/new.js\nrename from src/old.js\nrename to src/new.js\n--- a/src/old.js\n+++ b/src/new.js\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n';
  const map = createHunkMap(diff);
  const all = (['info', 'low', 'high'] as const).map((severity) => ({ ...finding, severity }));
  const severities = (settings: object) =>
    reportableFindings(all, settings, hunkMapOf([])).map(({ severity }) => severity);
  expect([severities({}), severities({ minSeverity: 'low' }), severities({ ignore: ['src/**'] })]).toEqual([
    ['info', 'low', 'high'],
    ['low', 'high'],
    [],
  ]);
  const on = (more: object, settings: object = {}) =>
    reportableFindings([{ ...finding, line: 2, ...more }], settings, map);
  expect([
    on({ path: 'src/new.js', start_line: 1 }),
    on({ path: 'src/new.js', start_line: 2 }),
    on({ path: 'src/new.js' }, { paths: ['src/new.js'] }).length,
  ]).toEqual([
    [{ ...finding, path: 'src/new.js', line: 2, start_line: 1 }],
    [{ ...finding, path: 'src/new.js', line: 2 }],
    1,
  ]);
});

test('reads lines from readable files of the head, and deleted ones from the diff', async () => {
  const map = createHunkMap('diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n');
  const asked: string[] = [];
  const readText = async (path: string, sha: string) => {
    asked.push(`${path} ${sha}`);
    return path === 'a' ? 'one\ntwo' : null;
  };
  const source = await textSource(['a', 'b', 'a'], 'sha', map, { readText });
  expect([asked, [...(source.lines('a', 'RIGHT') ?? [])], [...(source.lines('a', 'LEFT') ?? [])]]).toEqual([
    ['a sha', 'b sha'],
    [
      [1, 'one'],
      [2, 'two'],
    ],
    [[1, 'old']],
  ]);
  const unread = await textSource(['a'], 'sha', map, { readText: async () => null });
  expect([[...(unread.lines('a', 'RIGHT') ?? [])], unread.lines('c', 'RIGHT')]).toEqual([
    [
      [1, 'new'],
      [2, 'same'],
    ],
    null,
  ]);
});

test('fingerprints a suggestion by path and both texts, and normalises text', () => {
  const one = { path: 'a', firstLine: 1, lastLine: 1, before: ['x', 'y'], after: ['z'] };
  const names = [
    one,
    { ...one, path: 'b' },
    { ...one, before: ['xy'] },
    { ...one, after: [] },
    { ...one, firstLine: 9, lastLine: 10 },
  ].map(fingerprintSuggestion);
  expect([new Set(names).size, names[0] === names[4], /^[0-9a-f]{16}$/.test(names[0] ?? '')]).toEqual([
    ...[4, true, true],
  ]);
  expect(normaliseWords('  Über-ALL: ﬁx\t2! ')).toBe('über all fix 2');
});

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

const ten: Finding = { ...finding, line: 10, title: 'Ten is another' };
const eleven: Finding = { ...finding, line: 11, title: 'Eleven, too', severity: 'medium' };

test('resolves threads of fixed and dismissed findings once, and leaves open ones', async () => {
  const scene = await world.scene();
  const { store } = scene;
  await reviewHead(store, scene, 'run_1', [ten, eleven]);
  const plan = scene.plan();
  const resolve = () =>
    resolveThreads({ plan, root: null, by: 'ada' }, { octokit: scene.octokit, ownLogin, store });
  const none = 'None of my open threads is about a fixed finding. A review checks this: request one first.';
  expect([await resolve(), states(scene).resolved]).toEqual([none, [null, null]]);
  const record = (await readReviewRecord(plan, store)) ?? expect.unreachable();
  await saveReviewRecord(plan, store, {
    ...record,
    findings: record.findings.map((known) =>
      known.title === ten.title ? { ...known, state: 'dismissed' } : known,
    ),
  });
  expect([await resolve(), await resolve(), states(scene).resolved]).toEqual([
    'Resolved 1 thread of fixed or dismissed findings.',
    none,
    [ownLogin, null],
  ]);
});

test('resolves the requested thread and dismisses its finding, but none of another account', async () => {
  const scene = await world.scene();
  const { store } = scene;
  await reviewHead(store, scene, 'run_1', [ten, eleven]);
  const plan = scene.plan();
  const root = scene.repository.reviewComments(1)[1]?.id ?? 0;
  const resolve = (id: number) =>
    resolveThreads({ plan, root: id, by: 'ada' }, { octokit: scene.octokit, ownLogin, store });
  expect([await resolve(root + 100), await resolve(root), states(scene).resolved]).toEqual([
    'This thread is not one of mine, so I leave it alone.',
    '',
    [null, ownLogin],
  ]);
  const record = await readReviewRecord(plan, store);
  expect(record?.findings.map(({ title, state, dismissed_by }) => [title, state, dismissed_by])).toEqual([
    [ten.title, 'open', null],
    [eleven.title, 'dismissed', 'ada'],
  ]);
});
