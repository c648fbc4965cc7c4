import { expect, test } from 'vitest';
import type { PreviousFinding } from '../../../src/contract/review-record.ts';
import { finding } from '../samples.ts';
import { lines, none, on, run } from './reconcile-runs.ts';

test('keeps the lines and the suggestion of a finding while its lines stay', () => {
  const found = on(6, 'Six is slow', { start_line: 5, suggestion: 'quick();\n' });
  const { known } = run('run_1', [], { findings: [found] });
  const place = ({ line, start_line, suggestion }: PreviousFinding) => ({ line, start_line, suggestion });
  const moved = ['// One more line', ...lines()];
  const touched = lines({ 6: 'const value6 = compute(7);' });
  expect([
    known.map(place),
    run('run_2', known, { text: moved }).known.map(place),
    run('run_2', known, { text: touched, evidence: { kind: 'none' } }).known.map(place),
  ]).toEqual([
    [{ line: 6, start_line: 5, suggestion: 'quick();\n' }],
    [{ line: 7, start_line: 6, suggestion: 'quick();\n' }],
    [{ line: 6, start_line: 5, suggestion: undefined }],
  ]);
});

test('takes the text of a later report, unless the first has a conversation', () => {
  const [known] = run('run_1', [], { findings: [on(5, 'Five overflows')] }).known;
  const again = on(5, 'Five overflows for large days', { body: 'Seen at 2^31.', suggestion: 'five();' });
  const text = (folded: boolean) =>
    known === undefined
      ? []
      : run('run_2', [{ ...known, folded }], { findings: [again] }).known.map(
          ({ title, body, suggestion }) => ({ title, body, suggestion }),
        );
  expect([text(true), text(false)]).toEqual([
    [{ title: 'Five overflows for large days', body: 'Seen at 2^31.', suggestion: 'five();' }],
    [{ title: 'Five overflows', body: finding.body, suggestion: undefined }],
  ]);
});

test('leaves a finding open whose lines only changed, if nothing looked at them', () => {
  const [known] = run('run_1', [], { findings: [on(5, 'The name is wrong')] }).known;
  const renamed = lines({ 5: 'const value5 = calculate(5);' });
  const removed = lines().toSpliced(0, 30, 'export {};');
  const told = (text: string[]) =>
    known === undefined
      ? null
      : run('run_2', [known], { text, evidence: { kind: 'text', changed: false } }).told;
  expect([told(renamed), told(removed)]).toEqual([
    { ...none, carried: ['The name is wrong'] },
    { ...none, fixed: ['The name is wrong'] },
  ]);
});
