import { expect, test } from 'vitest';
import { readSource, trackedFiles } from './source-tree.ts';

test('the README has the number of attacks in test/red-team', () => {
  const files = trackedFiles().filter((file) => /^test\/red-team\/[^/]+\.test\.ts$/.test(file));
  // One attack is one test, and each begins a line; none is made by a loop.
  const attacks = files.flatMap((file) => readSource(file).match(/^ *test(\.concurrent)?\('/gm) ?? []);
  const loops = files.filter((file) => /\btest(\.concurrent)?\.(for|each)\b/.test(readSource(file)));
  expect(loops).toEqual([]);
  expect(readSource('README.md')).toContain(
    `${attacks.length} attacks in [test/red-team](test/red-team), in ${files.length} classes,`,
  );
});
