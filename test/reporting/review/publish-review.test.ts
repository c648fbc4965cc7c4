import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/contract/outcome.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { type PreviousFinding, ReviewRecord } from '../../../src/contract/review-record.ts';
import { fingerprintFinding } from '../../../src/reporting/findings/fingerprint.ts';
import { contextOf } from '../../../src/reporting/findings/line-context.ts';
import { createAttempt } from '../../../src/reporting/posting/api-failure.ts';
import type { ReviewPorts } from '../../../src/reporting/posting/ports.ts';
import { publishNothingNew } from '../../../src/reporting/publish-nothing-new.ts';
import { publishReview } from '../../../src/reporting/review/publish-review.ts';
import type { Proposals } from '../../../src/reporting/review/published-review.ts';
import { writeMarker } from '../../../src/reporting/text/marker.ts';
import { finding, headSha, sampleOutcome, samplePlan } from '../samples.ts';
import { apiError, diff, map, own, plan, type World, world } from './review-world.ts';

const proposals = { suggestions: [], leftover: 'left', whole: 'whole' };
const line = { path: 'src/a.js', side: 'RIGHT' as const, line: 3 };
const known: PreviousFinding = {
  ...{ ...line, severity: 'high', category: 'bug', title: 'Off by one', check: null, state: 'open' },
  ...contextOf(line, map),
  ...{ id: fingerprintFinding(finding, map), run_id: 'run_0', dismissed_by: null, fixed: null },
};

interface Run extends World {
  readonly outcome?: Partial<Outcome>;
  readonly plan?: Partial<RunPlan>;
  readonly settings?: object;
  readonly known?: readonly PreviousFinding[];
  readonly review?: Partial<ReviewPorts>;
  readonly pullRequestDiff?: string | null;
  readonly proposals?: Proposals;
}

/** Publishes a review of the pull request and tells what came of it. */
async function publish(run: Run) {
  const { asked, logged, store, ports } = world(run);
  const before = { version: 1, reviewed: { head: 'h0', base: 'b0' }, findings: run.known ?? [] };
  if (run.known !== undefined) await store.set('review/7', JSON.stringify(before));
  const failures: string[] = [];
  const all = {
    ...(ports as object),
    config: { review: run.settings ?? {} },
    pullRequestDiff: run.pullRequestDiff === undefined ? diff : run.pullRequestDiff,
    ...(run.review === undefined
      ? {}
      : {
          review: {
            ...{
              store,
              reviewed: { head: 'h1', base: 'b1' },
              renamed: new Map(),
              asked: null,
              nothingNew: false,
            },
            ...{ readText: async () => null, commitsOf: async () => [] },
            ...run.review,
          },
        }),
  } as never;
  const at = samplePlan({ profile: 'review', verb: 'review', ...run.plan });
  const done = await publishReview({
    outcome: sampleOutcome({ profile: 'review', ...run.outcome }),
    plan: at,
    proposals: run.proposals ?? proposals,
    ports: all,
    attempt: createAttempt(at, { log: { info: () => {}, warn: () => {} } }, failures),
  });
  const record = ReviewRecord.safeParse(JSON.parse((await store.get('review/7')) ?? 'null')).data;
  return { done, asked, logged, failures, record, kinds: asked.map(([kind]) => kind) };
}
const quiet = { posted: null, carried: 0, tally: '', notes: [] };
const scope = { since: null, head: headSha, ignored: [], files: ['src/a.js'] };

test('publishes nothing without a pull request, an end or content', async () => {
  const unposted = { ...quiet, findings: [finding], patch: 'whole' };
  const found = { findings: [finding] };
  const issue = { thread: { kind: 'issue' as const, number: 7, title: 'T' } };
  for (const run of [
    { outcome: found, plan: issue },
    { outcome: found, plan: { thread: null } },
    { outcome: { ...found, conclusion: 'failure' as const } },
    { outcome: { ...found, conclusion: 'cancelled' as const } },
  ]) {
    const { done, asked } = await publish(run);
    expect([done, asked]).toEqual([unposted, []]);
  }
  const { done, asked } = await publish({ plan: { profile: 'craft' } });
  expect([done, asked]).toEqual([{ ...unposted, findings: [] }, []]);
});

test('posts and stores new findings under this run', async () => {
  const { done, kinds, record, failures } = await publish({ outcome: { findings: [finding] }, review: {} });
  expect([done, kinds, failures]).toEqual([
    {
      ...{ ...quiet, posted: { id: 5, url: 'https://r/5', comments: 1 }, findings: [], patch: 'left' },
      told: [{ id: known.id, state: 'new', finding, thread: null, by: null }],
      scope,
    },
    ['review'],
    [],
  ]);
  expect(record).toEqual({
    ...{ version: 1, reviewed: { head: 'h1', base: 'b1' }, located: 'a'.repeat(40) },
    findings: [{ ...known, body: finding.body, run_id: 'run_1' }],
  });
});

test('leaves the reviewed state after an incomplete review', async () => {
  const reviewed = async (outcome: Partial<Outcome>, more: Run = {}) =>
    (await publish({ outcome, known: [], review: {}, ...more })).record?.reviewed?.head;
  expect([
    await reviewed({}),
    await reviewed({ conclusion: 'limit' }),
    await reviewed({ turns: 0 }),
    await reviewed({ turns: 0 }, { review: { nothingNew: true } }),
    await reviewed({ unreported: 'report_findings' }),
    await reviewed({}, { review: { reviewed: null } }),
    await reviewed({ findings: [finding] }, { plan: { profile: 'craft' } }),
    await reviewed({ findings: [finding] }, { refusals: [apiError(403)] }),
  ]).toEqual(['h1', 'h0', 'h0', 'h1', 'h0', 'h0', 'h0', 'h0']);
});

test('leaves small findings and those on no line to the summary, and stores that', async () => {
  const far = { ...finding, line: 99, path: 'src/b.js', title: 'Far', body: 'long '.repeat(4_000) };
  const small = {
    ...finding,
    severity: 'low' as const,
    category: 'style',
    title: 'Small',
    body: 'A name says little.',
  };
  const findings = [finding, far, small];
  const at = async (settings: object) => {
    const { done, record } = await publish({ outcome: { findings }, review: {}, settings });
    const stored = record?.findings.map(({ title, folded, body }) => [title, folded, body?.length]);
    return [done.posted?.comments, done.findings.map(({ title }) => title), stored];
  };
  const whole = ['Off by one', undefined, finding.body.length];
  expect([await at({}), await at({ threadsFrom: 'low' })]).toEqual([
    [1, ['Far', 'Small'], [whole, ['Far', true, 1_000], ['Small', true, small.body.length]]],
    [2, ['Far'], [whole, ['Far', true, 1_000], ['Small', undefined, small.body.length]]],
  ]);
});

const standing = (state: string) => ({
  ...{ id: 8, body: writeMarker('review', { run: 'run_0' }), html_url: 'u', state, commit_id: 'c' },
  user: { login: own },
});

test('approves once, if the reviewed pull request is unchanged', async () => {
  const event = async (more: Run) => {
    const { asked } = await publish({ settings: { approve: true }, review: {}, ...more });
    const given = asked.find(([kind]) => kind === 'review')?.[1].event ?? null;
    return [given, ...asked.filter(([kind]) => kind === 'dismiss').map(([, { message }]) => message)];
  };
  expect([
    await event({}),
    await event({ settings: {} }),
    await event({ pull: { sha: 'f'.repeat(40), ref: 'main' } }),
    await event({ pull: { sha: headSha, ref: 'next' } }),
    await event({ pullRequestDiff: null }),
    await event({ settings: { approve: true, ignore: ['src/**'] } }),
    await event({ reviews: [standing('APPROVED')] }),
    await event({ reviews: [standing('APPROVED'), standing('DISMISSED')] }),
    await event({ reviews: [standing('CHANGES_REQUESTED')] }),
  ]).toEqual([
    ['APPROVE'],
    [null],
    [null],
    [null],
    [null],
    [null],
    [null],
    [null],
    ['APPROVE', `Nothing that asks for changes is open at ${headSha.slice(0, 12)}.`],
  ]);
  const { asked } = await publish({ settings: { approve: true }, review: {} });
  expect(asked[0]).toEqual(['pull', { owner: 'acme', repo: 'shop', pull_number: 7 }]);
});

test('requests changes once, and withdraws an approval if a finding is open', async () => {
  const settings = { requestChanges: true };
  const told = async (more: Run) => {
    const { asked, kinds } = await publish({
      settings,
      outcome: { findings: [finding] },
      review: {},
      ...more,
    });
    return [kinds, asked.find(([kind]) => kind === 'review')?.[1].event ?? null];
  };
  expect([
    await told({}),
    await told({ reviews: [standing('APPROVED')], settings: { approve: true } }),
    await told({ plan: { profile: 'craft' } }),
  ]).toEqual([
    [['review'], 'REQUEST_CHANGES'],
    [['pull', 'review', 'dismiss'], 'COMMENT'],
    [['review'], 'COMMENT'],
  ]);
});

test('reports a pull request without reviewed files', async () => {
  const note =
    'There is nothing to review here: no file is changed, or only such as `review.paths` and `review.ignore` leave out.';
  const notes = async (run: Run) => (await publish({ review: {}, ...run })).done.notes;
  expect([
    await notes({ settings: { ignore: ['**'] }, outcome: { turns: 0 } }),
    await notes({ pullRequestDiff: null, outcome: { turns: 0 } }),
    await notes({ settings: { ignore: ['**'] }, outcome: { turns: 1 } }),
    await notes({ outcome: { turns: 0 } }),
  ]).toEqual([[note], [note], [], []]);
});

test('limits comments to thirty, or as configured', async () => {
  const findings = Array.from({ length: 31 }, (_, index) => ({
    ...{ ...finding, category: `c${index}`, title: `Finding ${index}`, body: `About ${index}.` },
  }));
  const comments = async (settings: object) =>
    (await publish({ outcome: { findings }, settings, review: {} })).done.posted?.comments;
  expect([await comments({}), await comments({ maxComments: 2 })]).toEqual([30, 2]);
});

/** A comment of ours that tells the known finding, and its thread. */
const remarked = (body = '') => ({
  ...{
    id: 11,
    node_id: 'n',
    body: `${writeMarker('finding', { fp: known.id })}\n${body}`,
    user: { login: own },
  },
  ...{ pull_request_review_id: 8, path: 'src/a.js', side: 'RIGHT', line: 3, diff_hunk: '@@' },
});
const thread = (resolvedBy: string | null) => ({
  ...{ id: 't1', isResolved: resolvedBy !== null },
  resolvedBy: resolvedBy === null ? null : { login: resolvedBy },
  comments: { nodes: [{ fullDatabaseId: 11 }] },
});
const told = { reviews: [standing('COMMENTED')], comments: [remarked()], threads: [thread(null)] };
const changed = diff.replace('+three', '+drei');

test('carries previous findings, and resolves threads of fixed ones', async () => {
  const carried = await publish({ ...told, known: [known], review: {}, outcome: { findings: [finding] } });
  const { path, side, severity, category, title } = known;
  const stored = { path, side, line: 3, severity, category, title, body: title };
  expect([carried.done.tally, carried.done.carried, carried.done.told, carried.kinds]).toEqual([
    '1 carried',
    1,
    [{ id: known.id, state: 'carried', finding: stored, thread: 11, by: null }],
    [],
  ]);
  const fixed = await publish({ ...told, known: [known], review: {}, pullRequestDiff: changed });
  expect([fixed.done.tally, fixed.kinds, fixed.record?.findings]).toEqual([
    '1 fixed',
    ['reply', 'resolve'],
    [{ ...known, state: 'fixed', fixed: { sha: null, run_id: 'run_1' } }],
  ]);
  expect(fixed.asked[0]?.[1].comment_id).toBe(11);
  const commits = {
    commitsOf: async () => [{ sha: 'c1', parents: ['c0'] }],
    readText: async (_: string, sha: string) => (sha === 'c0' ? 'one\ntwo\nthree\nfour\n' : 'drei\n'),
  };
  const named = await publish({ ...told, known: [known], review: commits, pullRequestDiff: changed });
  expect(named.record?.findings[0]?.fixed).toEqual({ sha: 'c1', run_id: 'run_1' });
});

test('does not count open findings for a run that is no review', async () => {
  const suggestions = [{ path: 'src/a.js', firstLine: 3, lastLine: 3, before: ['y'], after: ['x'] }];
  const { done, asked } = await publish({
    ...{ ...told, known: [known], review: {}, plan: { profile: 'craft', verb: 'fix' } },
    proposals: { ...proposals, suggestions },
  });
  const body = asked.find(([kind]) => kind === 'review')?.[1].body;
  expect([done.tally, done.told?.map(({ state }) => state), done.scope, body]).toEqual([
    ...['', ['carried'], undefined],
    `${writeMarker('review', { run: 'run_1', partial: '1' })}\n1 suggested change.`,
  ]);
});

test('fixes a finding only after a complete review that was asked about it', async () => {
  const tally = async (run: Run) =>
    (await publish({ ...told, known: [known], review: {}, pullRequestDiff: changed, ...run })).done.tally;
  const [open, fixed] = ['1 carried', '1 fixed'];
  expect([
    await tally({ outcome: { conclusion: 'limit' } }),
    await tally({ review: { asked: new Set() } }),
    await tally({ review: { asked: new Set([known.id]) } }),
    await tally({ review: { nothingNew: true }, outcome: { turns: 0 } }),
    await tally({ outcome: { turns: 0 } }),
  ]).toEqual([open, open, fixed, fixed, open]);
});

test('fixes a check’s finding if the check no longer reports it', async () => {
  const checked = [{ ...known, check: 'files' }];
  const tally = async (outcome: Partial<Outcome>) =>
    (await publish({ ...told, known: checked, review: {}, outcome })).done.tally;
  expect([await tally({ checks_whole: ['files'] }), await tally({ checks_whole: ['other'] })]).toEqual([
    '1 fixed',
    '1 carried',
  ]);
});

test('reopens a dismissed finding if nothing dismisses it any more', async () => {
  const gone = [{ ...known, state: 'dismissed' as const, dismissed_by: 'ada' }];
  const state = async (run: Run) =>
    (await publish({ ...told, known: gone, review: {}, ...run })).record?.findings.map((one) => [
      one.state,
      one.dismissed_by,
    ]);
  expect([await state({}), await state({ threads: [thread('ada')] }), await state({ threads: [] })]).toEqual([
    [['open', null]],
    [['dismissed', 'ada']],
    [['dismissed', 'ada']],
  ]);
});

test('moves findings with a renamed file', async () => {
  const before = [{ ...known, path: 'src/old.js' }];
  const { record } = await publish({
    ...{ ...told, known: before, outcome: { findings: [finding] } },
    review: { renamed: new Map([['src/old.js', 'src/a.js']]) },
  });
  expect(record?.findings.map(({ path, state }) => [path, state])).toEqual([['src/a.js', 'open']]);
});

test('resolves fixed findings without new changes, and reacts with a thumb', async () => {
  const { asked, logged, store, ports } = world(told);
  await store.set('review/7', JSON.stringify({ version: 1, reviewed: null, findings: [known] }));
  const review = {
    ...{ store, reviewed: { head: 'h1', base: 'b1' }, renamed: new Map(), asked: null, nothingNew: true },
    ...{ readText: async () => null, commitsOf: async () => [] },
  };
  const more = { config: {}, pullRequestDiff: changed, runUrl: null, review };
  await publishNothingNew(plan, { ...(ports as object), ...more } as never);
  expect(asked.map(([kind, { content }]) => content ?? kind)).toEqual([
    ...['reply', 'resolve', '+1', 'no reaction'],
  ]);
  const record = ReviewRecord.parse(JSON.parse((await store.get('review/7')) ?? ''));
  expect([record.reviewed, record.findings.map(({ state }) => state)]).toEqual([
    { head: 'h1', base: 'b1' },
    ['fixed'],
  ]);
  expect(logged.at(-1)).toEqual([{ run: 'run_1' }, 'nothing new to review']);
});
