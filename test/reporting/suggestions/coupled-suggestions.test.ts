import { expect, test } from 'vitest';
import { coupledSuggestions } from '../../../src/reporting/suggestions/coupled-suggestions.ts';

/** The partners of each of these changes, by their numbers. */
function partners(...changes: readonly (readonly [before: string, after: string])[]): number[][] {
  const suggestions = changes.map(([before, after]) => ({
    before: before.split('\n'),
    after: after.split('\n'),
  }));
  const coupled = coupledSuggestions(suggestions);
  return suggestions.map((one) => (coupled.get(one) ?? []).map((other) => suggestions.indexOf(other)));
}

test.each<[string, [string, string][], number[][]]>([
  [
    'a function that is renamed at its definition and two uses',
    [
      ['function sum(a, b) {', 'function total(a, b) {'],
      ['print(sum(1, 2));', 'print(total(1, 2));'],
      ['return sum(3, 4);', 'return total(3, 4);'],
    ],
    [[1, 2], [0], [0]],
  ],
  [
    'a new constant in Python and its use',
    [
      ['import os', 'import os\n\nDAYS = 7'],
      ['range(7)', 'range(DAYS)'],
    ],
    [[1], [0]],
  ],
  [
    'a method of Go and its call',
    [
      ['func (r *Range) Len() int {', 'func (r *Range) Days() int {'],
      ['n := r.Len()', 'n := r.Days()'],
    ],
    [[1], [0]],
  ],
  [
    'a name that both only use',
    [
      ['read(a)', 'await read(a)'],
      ['read(b)', 'await read(b)'],
    ],
    [[], []],
  ],
  [
    'the same keyword at two places',
    [
      ['var a = 1;', 'const a = 1;'],
      ['var b = 2;', 'const b = 2;'],
    ],
    [[], []],
  ],
  [
    'locals of the same name in two functions',
    [
      ['return a + 1;', 'const result = a + 1;\nreturn result;'],
      ['return b + 1;', 'const result = b + 1;\nreturn result;'],
      ['print(a)', 'print(result)'],
    ],
    [[], [], []],
  ],
  [
    'a name that was there before',
    [
      ['const days = 1;', 'const days = 7;'],
      ['print(days, 1);', 'print(days, 7);'],
    ],
    [[], []],
  ],
])('%s', (_, changes, expected) => {
  expect(partners(...changes)).toEqual(expected);
});

test('many long suggestions take little time', () => {
  const startedAt = performance.now();
  const long = 'name_'.repeat(1_000);
  const changes = Array.from({ length: 1_000 }, (_, at): [string, string] => [
    `old${at} ${long}`,
    `${at === 0 ? 'const shared = 1;' : 'use(shared)'} ${'x = '.repeat(1_000)}`,
  ]);
  expect(partners(...changes)[0]?.length).toBe(999);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
