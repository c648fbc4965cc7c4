import { expect, test } from 'vitest';
import type { Problem } from '../../../src/checks/linters/check-program.ts';
import { reportableProblems } from '../../../src/checks/linters/new-problems.ts';

const problem = (line: number | null, message: string, rest: Partial<Problem> = {}): Problem => ({
  ...{ path: 'a.js', line, column: 1, severity: 'error', message, rule: 'rule', tool: 'lint', syntax: false },
  ...rest,
});
const syntax = (line: number, message: string) => problem(line, message, { syntax: true });
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);
const before = lines(40).join('');
/** Line 20 is another. */
const after = lines(40).with(19, 'changed\n').join('');
const told = (
  found: readonly Problem[],
  earlier: readonly Problem[] | null,
  file: { before: string | null; after: string } = { before, after },
) =>
  reportableProblems(found, earlier, file).map(
    ({ line, message, isNew }) => `${line} ${message}${isNew ? '' : ', old'}`,
  );

test('without knowing what was there before, findings on and beside changed lines are told', () => {
  const found = [1, 17, 18, 20, 22, 23].map((line) => problem(line, 'odd'));
  expect(told([...found, problem(null, 'not formatted')], null)).toEqual(['18 odd', '20 odd', '22 odd']);
});

test('in a new file everything is told', () => {
  const found = [problem(1, 'odd'), problem(null, 'not formatted')];
  expect(told(found, null, { before: null, after })).toEqual(['1 odd', 'null not formatted']);
});

test('where the findings before are known, what came is told wherever it stands, and what moved is not', () => {
  const earlier = [problem(30, 'long'), problem(2, 'odd')];
  const found = [
    problem(1, 'import is not used'),
    problem(31, 'long'),
    problem(2, 'odd'),
    problem(null, 'not formatted'),
  ];
  expect(told(found, earlier)).toEqual(['1 import is not used', 'null not formatted']);
});

test('of equal findings, as many are told as there are more, those on changed lines first', () => {
  const found = [problem(5, 'odd'), problem(20, 'odd'), problem(33, 'odd')];
  expect(told(found, [problem(5, 'odd'), problem(33, 'odd')])).toEqual(['20 odd']);
});

test('what keeps a file from being understood is told in any case, with a word when it was there before', () => {
  expect([
    told([syntax(3, 'no end')], [syntax(3, 'no end')]),
    told([syntax(3, 'no end')], []),
    told([syntax(3, 'no end')], null),
  ]).toEqual([['3 no end, old'], ['3 no end'], ['3 no end']]);
});

test('findings that only show because the file can be read again are not all called new', () => {
  const found = [problem(3, 'odd'), problem(20, 'odd')];
  expect(told(found, [syntax(9, 'no end')])).toEqual(['20 odd']);
});
