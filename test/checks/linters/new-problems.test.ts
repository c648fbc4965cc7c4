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

test('without the earlier findings, those on and beside changed lines are reported', () => {
  const found = [1, 17, 18, 20, 22, 23].map((line) => problem(line, 'odd'));
  expect(told([...found, problem(null, 'not formatted')], null)).toEqual(['18 odd', '20 odd', '22 odd']);
});

test('everything in a new file is reported', () => {
  const found = [problem(1, 'odd'), problem(null, 'not formatted')];
  expect(told(found, null, { before: null, after })).toEqual(['1 odd', 'null not formatted']);
});

test('with the earlier findings known, new ones are reported anywhere, and moved ones are not', () => {
  const earlier = [problem(30, 'long'), problem(2, 'odd')];
  const found = [
    problem(1, 'import is not used'),
    problem(31, 'long'),
    problem(2, 'odd'),
    problem(null, 'not formatted'),
  ];
  expect(told(found, earlier)).toEqual(['1 import is not used', 'null not formatted']);
});

test('of equal findings only the additional ones are reported, those on changed lines first', () => {
  const found = [problem(5, 'odd'), problem(20, 'odd'), problem(33, 'odd')];
  expect(told(found, [problem(5, 'odd'), problem(33, 'odd')])).toEqual(['20 odd']);
});

test('a fault that prevents parsing is always reported, with a note if it existed before', () => {
  expect([
    told([syntax(3, 'no end')], [syntax(3, 'no end')]),
    told([syntax(3, 'no end')], []),
    told([syntax(3, 'no end')], null),
  ]).toEqual([['3 no end, old'], ['3 no end'], ['3 no end']]);
});

test('findings that appear because a file can be parsed again are not all called new', () => {
  const found = [problem(3, 'odd'), problem(20, 'odd')];
  expect(told(found, [syntax(9, 'no end')])).toEqual(['20 odd']);
});
