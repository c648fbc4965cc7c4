import { expect, test } from 'vitest';
import { type HeadRecord, notYetTold } from '../../../src/contract/known-head.ts';
import { checkHead } from '../../../src/webhooks/answers/check-head.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { apiError, askedFor, eventRequest, headSha } from '../event-request.ts';
import { memoryStore } from '../memory-store.ts';

const { pull } = eventRequest(askedFor()).facts;
const now = '2026-01-02T04:00:00.000Z';
const key = 'head/5';

interface World {
  readonly repository?: string | null;
  /** Times of the check suites, or the status that GitHub answers. */
  readonly suites?: readonly (string | null)[] | number;
  readonly recorded?: HeadRecord;
  readonly dryRun?: boolean;
  /** In a workflow: the comments of the thread, each by an account at a time. */
  readonly comments?: readonly (readonly [login: string, at: string, body: string])[];
  /** In a workflow: the commits that GitHub has, by their ids. */
  readonly commits?: Readonly<Record<string, { author: string | null; message: string; parent: string }>>;
}

async function check(
  change: Partial<Trigger>,
  { repository = 'Acme/Shop', suites = [], recorded, dryRun = false, comments = [], commits }: World = {},
) {
  const store = memoryStore();
  if (recorded !== undefined) store.values.set(key, JSON.stringify(recorded));
  const asked: unknown[] = [];
  const listSuitesForRef = async (query: object) => {
    asked.push(query);
    if (typeof suites === 'number') throw apiError(suites);
    return { data: { check_suites: suites.map((created_at) => ({ created_at })) } };
  };
  const getCommit = async ({ ref }: { ref: string }) => {
    const { author = null, message = 'Of a person', parent = old } = commits?.[ref] ?? {};
    const user = author === null ? null : { login: author };
    return { data: { author: user, commit: { message }, parents: [{ sha: parent }] } };
  };
  const listComments = async () => ({
    data: comments.map(([login, created_at, body]) => ({ user: { login }, created_at, body })),
  });
  const host = commits === undefined ? 'app' : 'action';
  const settings = { dryRun, host, ownLogins: ['github-actions[bot]'] };
  const ports = {
    ...{
      octokit: { rest: { checks: { listSuitesForRef }, repos: { getCommit }, issues: { listComments } } },
      store,
      settings,
    },
    clock: () => new Date(now),
  };
  const at = pull === null ? null : { ...pull, head: { ...pull.head, repository } };
  const decision = await checkHead(askedFor(change), at, ports as never);
  return { decision, kept: store.values.get(key) ?? null, asked: asked.length === 0 ? null : asked[0] };
}
const fits = { decision: { kind: 'fits' }, kept: null, asked: null };
const query = { owner: 'acme', repo: 'shop', ref: headSha };
const old = 'c'.repeat(40);
const late = `The head is ${'b'.repeat(12)} now, and it was pushed after your comment. Comment again to run on it.`;

test('an event that names its head is valid only for that head', async () => {
  expect(await check({ head_sha: headSha })).toEqual(fits);
  expect(await check({ head_sha: old })).toEqual({
    ...fits,
    decision: {
      kind: 'moved',
      reason: `The head is ${'b'.repeat(12)} now, and ${'c'.repeat(12)} is what was asked about. Ask again to run on it.`,
    },
  });
  expect(await check({ head_sha: old, automated: true })).toEqual({
    ...fits,
    decision: {
      kind: 'superseded',
      reason: `${'b'.repeat(12)} was pushed since, and has an event of its own`,
    },
  });
});

test('an event of a workflow is valid for a head with nothing but our commits on its own', async () => {
  const message = 'Paint it\n\nAnode-Run: run_1';
  const own = { author: 'github-actions[bot]', message, parent: old };
  const theirs = { author: 'eve', message, parent: old };
  const after = async (commit: typeof theirs) =>
    (await check({ head_sha: old, automated: true }, { commits: { [headSha]: commit } })).decision.kind;
  expect([await after(own), await after(theirs)]).toEqual(['fits', 'superseded']);
});

test('an issue has no head that can move', async () => {
  const thread = await checkHead(askedFor(), null, { store: memoryStore() } as never);
  expect(thread).toEqual({ kind: 'fits' });
});

test('the oldest check suite dates a head that no event reported', async () => {
  const [before, after] = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z'];
  expect(await check({}, { suites: [after, null, before] })).toEqual({ ...fits, asked: query });
  expect(await check({}, { suites: [after] })).toEqual({
    decision: { kind: 'moved', reason: late },
    kept: `{"sha":"${headSha}","at":"${now}"}`,
    asked: query,
  });
});

test('a head of unknown age is accepted in the repository itself, but not on a fork', async () => {
  const unknown = {
    kind: 'moved',
    reason: `The head is ${'b'.repeat(12)} now, and it is not known when it was pushed. Comment again to run on it.`,
  };
  for (const suites of [[], [null], 403, 404]) {
    expect(await check({}, { suites })).toEqual({ ...fits, asked: query });
    for (const repository of ['rex/shop', 'acme/other', null])
      expect((await check({}, { suites, repository })).decision).toEqual(unknown);
  }
  const named = { owner: 'Acme', name: 'SHOP' };
  expect((await check({ repository: named }, { repository: 'acme/shop' })).decision).toEqual(fits.decision);
  await expect(check({}, { suites: 500 })).rejects.toThrow('HTTP 500');
});

test('a second comment in a workflow is valid for a head that our reply to the first one named', async () => {
  const reply = `<!-- anode:reply v1 -->\nThe head is ${'b'.repeat(12)} now, and it is not known when it was pushed.`;
  const [own, before, after] = ['github-actions[bot]', '2026-01-02T03:04:04Z', '2026-01-02T03:04:06Z'];
  const kind = async (...comment: readonly [login: string, at: string, body: string]) =>
    (await check({}, { repository: 'rex/shop', commits: {}, comments: [comment] })).decision.kind;
  expect({
    told: await kind(own, before, reply),
    later: await kind(own, after, reply),
    byOther: await kind('rex', before, reply),
    inReport: await kind(own, before, `<!-- anode:progress v1 -->\n${reply}`),
    otherHead: await kind(own, before, reply.replaceAll('b', 'd')),
  }).toEqual({ told: 'fits', later: 'moved', byOther: 'moved', inReport: 'moved', otherHead: 'moved' });
});

test('a head reported by an event needs no check suites, and a new head is recorded', async () => {
  const recorded = { sha: headSha, at: '2026-01-02T03:04:05.000Z' };
  expect(await check({}, { recorded })).toEqual({ ...fits, kept: JSON.stringify(recorded) });
  const later = { sha: headSha, at: '2026-01-02T03:04:06.000Z' };
  const moved = { kind: 'moved', reason: late };
  expect(await check({}, { recorded: later })).toEqual({
    ...{ decision: moved, kept: JSON.stringify(later), asked: null },
  });
  const other = { sha: old, at: '2026-01-02T03:00:00.000Z' };
  expect(await check({}, { recorded: other })).toEqual({
    ...{ decision: moved, kept: `{"sha":"${headSha}","at":"${now}"}`, asked: null },
  });
  expect(await check({}, { recorded: other, dryRun: true })).toEqual({
    ...{ decision: moved, kept: JSON.stringify(other), asked: null },
  });
});

test('our own commits on the seen head are accepted', async () => {
  const early = '2026-01-02T03:04:05.000Z';
  const under = { sha: old, at: early };
  const recorded = { sha: headSha, at: now, under, made: ['d'.repeat(40), headSha] };
  const kept = JSON.stringify(recorded);
  expect(await check({}, { recorded })).toEqual({ ...fits, kept });
  // What was pushed under ours after the comment is somebody else's.
  const later = { ...recorded, under: { sha: old, at: '2026-01-02T03:04:06.000Z' } };
  const moved = { decision: { kind: 'moved', reason: late }, kept: JSON.stringify(later), asked: null };
  expect(await check({}, { recorded: later })).toEqual(moved);
  const event = async (head_sha: string, automated = false) =>
    (await check({ head_sha, automated }, { recorded })).decision.kind;
  expect([
    await event(old),
    await event('d'.repeat(40)),
    await event('e'.repeat(40)),
    await event(old, true),
    await event('d'.repeat(40), true),
  ]).toEqual(['fits', 'fits', 'moved', 'fits', 'superseded']);
});

test('in a workflow without a record, the parent of our own commits decides', async () => {
  const message = 'Fix\n\nAnode-Run: run_1';
  const ours = { author: 'github-actions[bot]', message, parent: old };
  const askedOf = async (commits: NonNullable<World['commits']>) => (await check({}, { commits })).asked;
  expect([
    await askedOf({ [headSha]: ours }),
    await askedOf({ [headSha]: { ...ours, message: 'Fix' } }),
    await askedOf({ [headSha]: { ...ours, author: 'rex' } }),
    await askedOf({ [headSha]: { ...ours, parent: 'd'.repeat(40) }, ['d'.repeat(40)]: ours }),
  ]).toEqual([{ ...query, ref: old }, query, query, { ...query, ref: old }]);
});

test('a head that moved below our commits during a run is refused until it was reported', async () => {
  const under = { sha: old, at: notYetTold };
  const recorded = { sha: headSha, at: now, under, made: [headSha] };
  const moved = { kind: 'moved', reason: late };
  expect(await check({}, { recorded })).toEqual({
    ...{ decision: moved, kept: JSON.stringify(recorded), asked: null },
  });
  expect(await check({}, { recorded, commits: {} })).toEqual({
    ...{ decision: moved, kept: JSON.stringify({ ...recorded, under: { sha: old, at: now } }), asked: null },
  });
});
