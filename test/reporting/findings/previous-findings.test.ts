import { describe, expect, test } from 'vitest';
import type { PreviousFinding, ReviewRecord } from '../../../src/contract/review-record.ts';
import type { OwnPosts, OwnReviewComment } from '../../../src/reporting/findings/own-posts.ts';
import {
  previousFindings,
  readReviewRecord,
  saveReviewRecord,
} from '../../../src/reporting/findings/previous-findings.ts';
import { isOwnLogin } from '../../../src/reporting/findings/review-threads.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';

const known = (id: string, more: Partial<PreviousFinding> = {}): PreviousFinding =>
  ({
    ...{
      id,
      path: 'a.ts',
      side: 'RIGHT',
      line: 3,
      severity: 'high',
      category: 'bug',
      title: 'T',
      check: null,
    },
    ...{
      anchor: '',
      window: '',
      occurrence: 0,
      state: 'open',
      run_id: 'run_1',
      dismissed_by: null,
      fixed: null,
    },
    ...more,
  }) as PreviousFinding;
const plan = (number: number | null) => ({ thread: number === null ? null : { number } }) as never;
const record = (...findings: PreviousFinding[]): ReviewRecord =>
  ({ version: 1, reviewed: null, findings }) as ReviewRecord;

describe('the stored record of a pull request', () => {
  test('returns the stored record, fixed findings last', async () => {
    const store = createMemoryStateStore();
    expect(await readReviewRecord(plan(4), store)).toBe(null);
    const [fixed, open, other] = [
      known('a', { state: 'fixed' }),
      known('b'),
      known('c', { state: 'dismissed' }),
    ];
    await saveReviewRecord(plan(4), store, record(fixed, open, other));
    expect(await readReviewRecord(plan(4), store)).toEqual(record(open, other, fixed));
    expect(await readReviewRecord(plan(5), store)).toBe(null);
  });

  test('stores at most 2,000 findings, and drops fixed ones first', async () => {
    const store = createMemoryStateStore();
    const many = Array.from({ length: 2_000 }, (_, index) => known(`o${index}`));
    await saveReviewRecord(plan(4), store, record(known('f', { state: 'fixed' }), ...many));
    const kept = await readReviewRecord(plan(4), store);
    expect([kept?.findings.length, kept?.findings.some(({ id }) => id === 'f')]).toEqual([2_000, false]);
  });

  test('returns nothing without a thread or a store, or if it is unreadable', async () => {
    const store = createMemoryStateStore();
    await saveReviewRecord(plan(null), store, record(known('a')));
    await saveReviewRecord(plan(4), null, record(known('a')));
    expect(await store.list('')).toEqual([]);
    await saveReviewRecord(plan(4), store, record(known('a')));
    const [key = ''] = await store.list('');
    for (const text of ['no JSON', '{"version":9}']) {
      await store.set(key, text);
      expect(await readReviewRecord(plan(4), store)).toBe(null);
    }
    expect([await readReviewRecord(plan(null), store), await readReviewRecord(plan(4), null)]).toEqual([
      null,
      null,
    ]);
  });
});

const remark = (fp: string, more: Partial<OwnReviewComment> = {}): OwnReviewComment =>
  ({
    ...{ fp, id: 1, reviewId: 9, path: 'b.ts', side: 'LEFT', line: 8, body: '**High** · It leaks\nMore.' },
    ...{ diffHunk: '@@ -1 +1 @@\n-old\n+ new  line\n\\ No newline at end of file' },
    fields: { severity: 'high', category: 'bug', path: 'x.ts', line: '2', check: 'lint' },
    ...more,
  }) as OwnReviewComment;
const posts = (more: Partial<OwnPosts> = {}): OwnPosts =>
  ({
    reviews: [
      { id: 9, run: 'run_1' },
      { id: 10, run: null },
    ],
    comments: [],
    listed: new Map(),
    ...more,
  }) as OwnPosts;

describe('previous findings from the record', () => {
  test('counts posted findings, dismisses deleted ones, and drops unposted ones', () => {
    const listed = new Map([['b', { reviewId: 9, fields: {} }]]) as unknown as OwnPosts['listed'];
    const told = previousFindings(
      record(known('a'), known('b'), known('c'), known('d', { run_id: 'run_9' })),
      posts({ comments: [remark('a')], listed }),
    );
    expect(told).toEqual([known('a'), known('b'), known('c', { state: 'dismissed' })]);
  });

  test('adds comments since the start of the run that the record lacks', () => {
    const start = '2026-01-02T03:04:05Z';
    const comments = [
      remark('a', { createdAt: start }),
      remark('b', { createdAt: '2026-01-02T03:04:04Z' }),
      remark('c', { createdAt: start }),
    ];
    const ids = (since?: string) =>
      previousFindings(record(known('a')), posts({ comments }), since).map(({ id, path }) => [id, path]);
    expect([ids(), ids('2026-01-02T03:04:05.000Z')]).toEqual([
      [['a', 'a.ts']],
      [
        ['a', 'a.ts'],
        ['c', 'b.ts'],
      ],
    ]);
  });
});

describe('previous findings from our posts alone', () => {
  const fromRemark = {
    ...{ path: 'b.ts', side: 'LEFT', line: 8, title: 'It leaks', check: 'lint', anchor: 'newline' },
  } as const;
  test.each([
    [{}, fromRemark],
    [{ reviewId: 10 }, { ...fromRemark, run_id: '' }],
    [{ reviewId: null }, { ...fromRemark, run_id: '' }],
    [{ body: 'It **High** · leaks' }, { ...fromRemark, title: '' }],
    [{ body: 'Hm.\n**Low** · Later' }, { ...fromRemark, title: 'Later' }],
    [{ diffHunk: '' }, { ...fromRemark, anchor: '' }],
    [
      { fields: { severity: 'low', category: 'style' } },
      { ...fromRemark, severity: 'low', category: 'style', check: null },
    ],
  ])('%# a comment', (more, expected) => {
    expect(
      previousFindings(null, posts({ comments: [remark('a', more as Partial<OwnReviewComment>)] })),
    ).toEqual([known('a', expected as Partial<PreviousFinding>)]);
  });

  test.each([
    [{ severity: 'high' }],
    [{ category: 'bug' }],
    [{ severity: 'awful', category: 'bug' }],
  ])('Reads no finding from %j', (fields) => {
    expect(previousFindings(null, posts({ comments: [remark('a', { fields })] }))).toEqual([]);
  });

  test.each([
    [
      { path: 'x.ts', line: '2' },
      { path: 'x.ts', line: 2 },
    ],
    [{ line: '0' }, { path: '', line: 1 }],
    [{ line: '-4' }, { path: '', line: 1 }],
    [{ line: 'x' }, { path: '', line: 1 }],
    [{}, { path: '', line: 1 }],
  ])('a finding in the list of a review, with %j', (fields, place) => {
    const entry = { reviewId: 9, fields: { severity: 'high', category: 'bug', ...fields } };
    const listed = new Map([
      ['a', entry],
      ['b', entry],
    ]) as unknown as OwnPosts['listed'];
    // One that has a comment of its own is known by that.
    const told = previousFindings(null, posts({ comments: [remark('b')], listed }));
    expect(told.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(told[1]).toEqual(known('a', { title: '', ...place }));
  });
});

test.each([
  ['anode-ci', 'anode-ci[bot]', true],
  ['Anode-CI', 'anode-ci[bot]', true],
  ['anode-ci[bot]', 'anode-ci[bot]', true],
  ['maya', 'maya', true],
  ['anode', 'anode-ci[bot]', false],
  ['anode-ci', 'anode-ci[bot]x', false],
  [null, 'anode-ci[bot]', false],
])('%j is %j, as GraphQL names it: %j', (login, own, same) => {
  expect(isOwnLogin(login, own)).toBe(same);
});
