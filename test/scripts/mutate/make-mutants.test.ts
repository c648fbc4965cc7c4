import { expect, test } from 'vitest';
import { changedPatterns } from '../../../scripts/mutate/change-pattern.ts';
import { applyMutant, makeMutants } from '../../../scripts/mutate/make-mutants.ts';

/** Every changed source, with the kind of its fault in front. */
const faults = (source: string) =>
  makeMutants('a.ts', source).map((mutant) => `${mutant.kind}: ${applyMutant(source, mutant)}`);

test.each([
  ['x = a < b;', ['operator: x = a <= b;', 'operator: x = a >= b;']],
  ['x = a ?? b;', ['fallback: x = a;', 'fallback: x = b;']],
  ['x = a && b;', ['operator: x = a || b;', 'operand: x = a;', 'operand: x = b;']],
  ['if (a) b();', ['condition: if (true) b();', 'condition: if (false) b();']],
  ['x = !a;', ['negation: x = a;']],
  ['x = [1, c];', ['element: x = [c];', 'element: x = [1];', 'number: x = [2, c];']],
  [
    'x = { a, b: true };',
    ['property: x = { b: true };', 'property: x = { a };', 'boolean: x = { a, b: false };'],
  ],
  ['{ a(); }', ['statement: { ; }']],
  ["x = 'yes';", ["string: x = '';"]],
  ["x = '';", ["string: x = 'mutant';"]],
  ['x = a.filter(b);', ['call: x = a;']],
  ['x = a.some(b);', ['call: x = a.every(b);']],
  [
    'function f() { return a; }',
    ['result: function f() { return undefined; }', 'result: function f() { return null; }'],
  ],
])('%s gets every applicable small fault', (source, expected) => {
  expect(faults(source)).toEqual(expected);
});

test.each([
  "import a from 'b';",
  "type A = 'x' | 1;",
  "let a: 'x' | 1;",
  "x = 'This is a sentence for people.';",
  'x = `This is a sentence, too.`;',
])('%s gets none: types and sentences are no behaviour', (source) => {
  expect(faults(source)).toEqual([]);
});

test.each([
  ['/^a$/', ['/a$/', '/^a/']],
  ['/a|b(c|d)/g', ['/b(c|d)/g', '/a|b(d)/g']],
  ['/[a-z]+\\d?/i', ['/[^a-z]+\\d?/i', '/[a-z]\\d?/i', '/[a-z]+\\D?/i', '/[a-z]+\\d/i', '/[a-z]+\\d?/']],
  ['/(?=a)[^b]{2}/', ['/(?!a)[^b]{2}/', '/(?=a)[b]{2}/', '/(?=a)[^b]/']],
])('the pattern %s is changed piece by piece', (pattern, expected) => {
  expect(changedPatterns(pattern)).toEqual(expected);
});
