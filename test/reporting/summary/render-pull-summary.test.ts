import { expect, test } from 'vitest';
import type { ToldFinding } from '../../../src/contract/findings.ts';
import { renderPullSummary } from '../../../src/reporting/summary/render-pull-summary.ts';
import { finding, samplePlan } from '../samples.ts';

const told = (state: ToldFinding['state']): ToldFinding => ({
  ...{ id: '0123456789abcdef', state, finding, thread: 7, by: null },
});

/** The first line of a summary. */
const headline = (findings: readonly ToldFinding[], merged: boolean): string =>
  renderPullSummary(
    findings,
    {
      ...{ head: null, merged, news: '', notes: '', walkthrough: null },
      ...{ runs: [], footer: '', run_id: 'run_1' },
    },
    samplePlan(),
    { threadsFrom: 'medium', mention: 'anode' },
  ).split('\n')[0] ?? '';

test('the first line says what is open, also of a merged pull request', () => {
  const states = [[], [told('fixed')], [told('new')], [told('carried'), told('dismissed')]];
  expect(states.map((findings) => [headline(findings, false), headline(findings, true)])).toEqual([
    ['**No findings.**', '**Merged. No findings.**'],
    ['**Nothing is open.**', '**Merged. Nothing is open.**'],
    ['**1 open finding**: 1 high.', '**Merged with 1 open finding**: 1 high.'],
    ['**1 open finding**: 1 high.', '**Merged with 1 open finding**: 1 high.'],
  ]);
});

test('a dismissed finding is listed with its reason', () => {
  const one = { ...told('dismissed'), by: 'ada', reason: 'Only we\ncall it. @team' };
  const parts = { head: null, merged: false, news: '', notes: '', walkthrough: null, runs: [] };
  const text = renderPullSummary([one], { ...parts, footer: '', run_id: 'run_1' }, samplePlan(), {
    ...{ threadsFrom: 'medium', mention: 'anode' },
  });
  expect(text.split('\n').find((line) => line.startsWith('- dismissed'))).toContain(
    '- dismissed by ada (“Only we call it.',
  );
});

test('of settled findings those that people decided come first, and those without a commit last', () => {
  const settled = [
    { ...told('fixed'), by: null },
    { ...told('fixed'), by: 'c'.repeat(40) },
    { ...told('dismissed'), by: 'ada' },
  ];
  const parts = { head: null, merged: false, news: '', notes: '', walkthrough: null, runs: [], footer: '' };
  const text = renderPullSummary(settled, { ...parts, run_id: 'run_1' }, samplePlan(), {
    ...{ threadsFrom: 'medium', mention: 'anode' },
  });
  expect(text.match(/^- (?:dismissed by ada|fixed by|no longer present)/gm)).toEqual([
    ...['- dismissed by ada', '- fixed by', '- no longer present'],
  ]);
});

test('the second line says that the pull request was retargeted', () => {
  const parts = { head: null, merged: false, news: '', notes: '', walkthrough: null, runs: [], footer: '' };
  const second = (bases: { base?: string; base_before?: string }) =>
    renderPullSummary([], { ...parts, ...bases, run_id: 'run_1' }, samplePlan(), {
      ...{ threadsFrom: 'medium', mention: 'anode' },
    }).split('\n\n')[1];
  expect([second({ base: 'next', base_before: 'main' }), second({ base: 'next' })]).toEqual([
    'Now against `next`; it was against `main`.',
    '<sub>0 runs so far · 0 tokens · $0.00</sub>',
  ]);
});

test('a finding that only the summary lists says that it has a suggestion', () => {
  const parts = { head: null, merged: false, news: '', notes: '', walkthrough: null, runs: [], footer: '' };
  const one = { ...told('new'), finding: { ...finding, suggestion: 'x' } };
  const first = (thread: number | null) =>
    renderPullSummary([{ ...one, thread }], { ...parts, run_id: 'run_1' }, samplePlan(), {
      ...{ threadsFrom: 'medium', mention: 'anode' },
    }).includes('- **high** _with a suggestion_ `0123456`');
  expect([first(null), first(7)]).toEqual([true, false]);
});
