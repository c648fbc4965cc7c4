import { diffArrays } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineChanges } from '../../../src/workspace/changes/line-changes.ts';

test('returns added, deleted and changed lines by position', () => {
  expect(lineChanges(['a', 'b', 'c', 'd', 'e'], ['a', 'x', 'c', 'e', 'f'], 1000)).toEqual([
    { oldFrom: 1, oldTo: 2, newFrom: 1, newTo: 2 },
    { oldFrom: 3, oldTo: 4, newFrom: 3, newTo: 3 },
    { oldFrom: 5, oldTo: 5, newFrom: 4, newTo: 5 },
  ]);
  expect(lineChanges(['a'], ['a'], 1000)).toEqual([]);
});

test('the changes turn the old lines into the new ones, with as few lines as possible', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '}'), { maxLength: 20 });
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const changes = lineChanges(old, now, 10_000) ?? [];
      const made = [...old];
      for (const { oldFrom, oldTo, newFrom, newTo } of changes.toReversed()) {
        made.splice(oldFrom, oldTo - oldFrom, ...now.slice(newFrom, newTo));
      }
      expect(made).toEqual(now);
      const changed = changes.reduce(
        (sum, one) => sum + one.oldTo - one.oldFrom + one.newTo - one.newFrom,
        0,
      );
      const least = diffArrays(old, now).filter(({ added, removed }) => added || removed);
      expect(changed).toBe(least.reduce((sum, part) => sum + part.value.length, 0));
    }),
    { numRuns: 1000 },
  );
});

test('compares twenty thousand changed lines', () => {
  const old = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
  const now = old.map((line, index) => (index % 3 === 0 ? line : `${line} changed`));
  expect(lineChanges(old, now, 10_000)).toHaveLength(6667);
});
