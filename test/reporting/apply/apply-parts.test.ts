import { expect, test } from 'vitest';
import type { PostedSuggestion } from '../../../src/contract/review-record.ts';
import { appliedMessage, renderApplied } from '../../../src/reporting/apply/apply-suggestions.ts';
import { plainStyle } from '../../../src/reporting/changes/commit-style.ts';
import {
  forgetSuggestions,
  readApplied,
  readSuggestions,
  saveSuggestions,
} from '../../../src/reporting/suggestions/stored-suggestions.ts';
import { linesOf } from '../../../src/reporting/suggestions/suggestions.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { headSha, samplePlan } from '../samples.ts';

const left = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: 'a', line: index, why: 'it is there already' }));

test('renders the result of applying, with omitted suggestions', () => {
  const commit = { sha: '0123456789', url: 'https://c' };
  const lines = (count: number) =>
    left(count)
      .map(({ line }) => `* \`a:${line}\`: it is there already`)
      .join('\n');
  const list = (text: string) => `\n\nLeft out:\n\n${text}`;
  expect([
    renderApplied({ kind: 'refused', reason: `No\n@ada ${'x'.repeat(500)}` }, 'ada'),
    renderApplied({ kind: 'nothing', left: [] }, 'ada'),
    renderApplied({ kind: 'nothing', left: left(1) }, 'ada'),
    renderApplied({ kind: 'applied', commit, count: 1, threads: [], left: [] }, 'ada'),
    renderApplied({ kind: 'applied', commit, count: 2, threads: Array(21).fill('t'), left: left(20) }, 'ada'),
    renderApplied({ kind: 'nothing', left: left(21) }, 'ada'),
    renderApplied({ kind: 'nothing', left: [{ path: 'p'.repeat(300), line: 1, why: 'w' }] }, 'ada'),
  ]).toEqual([
    `**Nothing was applied.** No @\u200bada ${'x'.repeat(390)}…`,
    '**Nothing was applied.** No suggestion is open any more.',
    `**Nothing was applied.**${list(lines(1))}`,
    '**Applied 1 suggestion** in [`0123456`](https://c), as ada asked.',
    `**Applied 2 suggestions** in [\`0123456\`](https://c), as ada asked: ${'t, '.repeat(20)}1 more.${list(lines(20))}`,
    `**Nothing was applied.**${list(`${lines(20)}\n* … and 1 more`)}`,
    `**Nothing was applied.**${list(`* \`${'p'.repeat(99)}…\`: w`)}`,
  ]);
});

const posted = (path: string): PostedSuggestion => ({
  ...{ id: 'f', path, first_line: 1, last_line: 2, before: ['a'], after: ['b'] },
});

test('words the commit in the repository’s style', () => {
  const message = (paths: readonly string[], more: object = {}, push: object = {}) =>
    appliedMessage(
      paths.map(posted),
      samplePlan({ thread: { kind: 'pull_request', number: 7, title: 'PROJ-3 dates' }, ...push }),
      {
        ...{ style: plainStyle, coAuthor: false },
        ...more,
      },
    );
  const run = 'Anode-Run: run_1';
  const conventional = {
    ...plainStyle,
    form: 'conventional',
    capital: false,
    areas: ['cli', 'web'],
  } as const;
  const ticket = { ...plainStyle, form: 'ticket', ticketKeys: ['PROJ', 'WEB'], prefixForm: '%: ' } as const;
  const branch = { push: { kind: 'branch', branch: 'WEB-4-x', expected_sha: headSha }, thread: null };
  expect([
    message(['a']),
    message(['a', 'b'], { coAuthor: true }),
    message(['src/cli/a.ts', 'src/cli/a.ts'], { style: conventional }).headline,
    message(['src/cli/a.ts', 'src/web/a.ts'], { style: conventional }).headline,
    message(['a'], { style: ticket }).headline,
    message(['a'], { style: ticket }, branch).headline,
    message(['a'], { style: ticket }, { thread: null, push: { kind: 'none', reason: 'x' } }).headline,
  ]).toEqual([
    { headline: 'Apply 1 suggested change', body: run },
    {
      headline: 'Apply 2 suggested changes',
      body: `Co-authored-by: ada <42+ada@users.noreply.github.com>\n${run}`,
    },
    expect.stringMatching(/^\w+\(cli\): apply 2 suggested changes$/),
    expect.stringMatching(/^\w+: apply 2 suggested changes$/),
    'PROJ-3: Apply 1 suggested change',
    'WEB-4: Apply 1 suggested change',
    'Apply 1 suggested change',
  ]);
});

const suggestion = { path: 'a', firstLine: 1, lastLine: 2, before: ['x'], after: ['y'] };

test('stores suggestions of a run within limits, except on forks', async () => {
  const { checkout } = samplePlan();
  const keep = async (count: number, plan: object = {}, text = 'y') => {
    const store = createMemoryStateStore();
    const offered = Array.from({ length: count }, (_, index) => ({
      ...{ id: `f${index}`, suggestion: { ...suggestion, after: [text] } },
    }));
    await saveSuggestions(samplePlan(plan), offered, store);
    return readSuggestions(store, 'run_1');
  };
  expect(await keep(1)).toEqual({
    ...{ version: 1, run_id: 'run_1', owner: 'acme', name: 'shop', thread: 7, head: headSha },
    suggestions: [{ id: 'f0', path: 'a', first_line: 1, last_line: 2, before: ['x'], after: ['y'] }],
  });
  expect([
    (await keep(1_001))?.suggestions.length,
    await keep(0),
    await keep(1, { thread: null }),
    await keep(1, { checkout: { ...checkout, fork: true } }),
    await keep(1, {}, 'y'.repeat(1_000_000)),
    (await keep(1, {}, 'y'.repeat(999_000)))?.suggestions.length,
  ]).toEqual([1_000, null, null, null, null, 1]);
  await saveSuggestions(samplePlan(), [{ id: 'f', suggestion }], null);
});

test('reads applied suggestions, and deletes both records', async () => {
  const store = createMemoryStateStore();
  await saveSuggestions(samplePlan(), [{ id: 'f', suggestion }], store);
  const [key] = await store.list('');
  const applied = { version: 1, onto: headSha, applied: ['f'], left: [] };
  expect(await readApplied(store, 'run_1')).toBeNull();
  await store.set('applied/run_1', JSON.stringify(applied));
  expect([key !== undefined, await readApplied(store, 'run_1')]).toEqual([true, applied]);
  await store.set('applied/run_1', '{"version":2}');
  expect(await readApplied(store, 'run_1')).toBeNull();
  await forgetSuggestions(store, 'run_1');
  expect([await store.list(''), await readSuggestions(store, 'run_1')]).toEqual([[], null]);
  await store.set(key ?? '', '{}');
  expect(await readSuggestions(store, 'run_1')).toBeNull();
});

test('opens no further line after the last line end', () => {
  expect(['', 'a', 'a\n', 'a\n\n', 'a\r\nb\r\n', '\n'].map(linesOf)).toEqual([
    ...[[], ['a'], ['a'], ['a', ''], ['a', 'b'], ['']],
  ]);
});
