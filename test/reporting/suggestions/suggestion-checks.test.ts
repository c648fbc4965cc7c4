import { expect, test } from 'vitest';
import type { SuggestionCheck } from '../../../src/contract/findings.ts';
import {
  breaksCheck,
  checkOf,
  nameSuggestion,
  renderOmitted,
  renderSuggestionCheck,
} from '../../../src/reporting/suggestions/suggestion-checks.ts';

const suggestion = { path: 'src/a.js', firstLine: 3, lastLine: 4, before: ['old'], after: ['new'] };
const failed: SuggestionCheck = {
  ...nameSuggestion(suggestion),
  result: 'failed',
  command: 'npm test',
  said: 'One test fails.',
};

test('omits a suggestion only after a failed check of exactly that change', () => {
  const others = [
    { ...suggestion, path: 'src/b.js' },
    { ...suggestion, firstLine: 2 },
    { ...suggestion, lastLine: 5 },
    { ...suggestion, after: ['newer'] },
  ];
  expect([checkOf(suggestion, [failed]), ...others.map((other) => checkOf(other, [failed]))]).toEqual([
    failed,
    ...others.map(() => null),
  ]);
  expect([
    breaksCheck(suggestion, [failed]),
    breaksCheck(suggestion, [{ ...failed, result: 'passed' }]),
    breaksCheck(suggestion, []),
  ]).toEqual([true, false, false]);
});

test('renders the result of a check below a change, or in its place', () => {
  const passed: SuggestionCheck = { ...failed, result: 'passed', said: 'It passes.', quote: '3\npassed' };
  expect([
    renderSuggestionCheck(passed),
    renderSuggestionCheck({ ...failed, result: 'not_run', said: 'No sandbox.' }),
    renderSuggestionCheck({ ...passed, said: '' }),
    renderSuggestionCheck(null),
    renderOmitted(failed),
    renderOmitted(passed),
    renderOmitted(null),
  ]).toEqual([
    'Tried: `npm test` It passes. `3 passed`',
    'Not tried: `npm test` No sandbox.',
    '',
    '',
    'A suggested change was tried and left out. `npm test` One test fails.',
    '',
    '',
  ]);
});
