import { expect, test } from 'vitest';
import type { Applied } from '../../../src/reporting/apply/apply-suggestions.ts';
import { renderApplied } from '../../../src/reporting/apply/render-applied.ts';

const left = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ path: 'a.ts', line: at + 1, why: 'it does not\nfit' }));
const render = (applied: object) => renderApplied(applied as Applied, 'ada');
const commit = { sha: 'abcdef0123', url: 'https://c' };
const item = (line: number) => `* \`a.ts:${line}\`: it does not fit`;

test('what was applied names its commit, and what was left out', () => {
  expect([
    render({ kind: 'applied', commit, count: 1, left: [] }),
    render({ kind: 'applied', commit, count: 2, left: left(1) }),
  ]).toEqual([
    '**Applied 1 suggestion** in [`abcdef0`](https://c), as ada asked.',
    `**Applied 2 suggestions** in [\`abcdef0\`](https://c), as ada asked.\n\nLeft out:\n\n${item(1)}`,
  ]);
});

test('where nothing was applied it is said why', () => {
  expect([
    render({ kind: 'refused', reason: 'the branch\nmoved' }),
    render({ kind: 'nothing', left: [] }),
    render({ kind: 'nothing', left: left(2) }),
  ]).toEqual([
    '**Nothing was applied.** the branch moved',
    '**Nothing was applied.** No suggestion of this run is open any more.',
    `**Nothing was applied.**\n\nLeft out:\n\n${item(1)}\n${item(2)}`,
  ]);
});

test('of many that were left out the first twenty are named', () => {
  const lines = (count: number) =>
    render({ kind: 'nothing', left: left(count) })
      .split('\n')
      .slice(4);
  const all = Array.from({ length: 20 }, (_, at) => item(at + 1));
  expect([lines(20), lines(21)]).toEqual([all, [...all, '* … and 1 more']]);
});
