import { expect, test } from 'vitest';
import { findConflicts } from '../../src/checks/conflicts.ts';
import { brief } from './brief.ts';
import { diffOf, type Tree } from './diff-fixture.ts';

const found = async (before: Tree, after: Tree) =>
  brief((await diffOf(before, after)).files.flatMap((file) => findConflicts(file)));

const conflict = (end = '\n') =>
  ['<<<<<<< HEAD', 'ours', '||||||| base', 'was', '=======', 'theirs', '>>>>>>> other', ''].join(end);

test('a whole conflict is one finding over its lines, also in prose and with Windows line ends', async () => {
  expect(
    await found(
      { 'a.ts': 'one\n' },
      { 'a.ts': `one\n${conflict()}two\n`, 'b.md': conflict(), 'c.ts': conflict('\r\n') },
    ),
  ).toEqual([
    'a.ts:2-8 high An unresolved merge conflict',
    'b.md:1-7 high An unresolved merge conflict',
    'c.ts:1-7 high An unresolved merge conflict',
  ]);
});

test('a left-over marker is reported in code, but not headings and quotes in prose', async () => {
  const prose = 'Title\n=======\n\n>>>>>>> deep quote\n';
  expect(
    await found({}, { 'a.py': 'x = 1\n>>>>>>> feature\n', 'b.md': prose, 'c.c': '<<<<<<< HEAD\nint a;\n' }),
  ).toEqual(['a.py:2 high A conflict marker is left', 'c.c:1 high A conflict marker is left']);
});

test('markers that are old, indented, longer or without a label are ignored', async () => {
  const after = `${conflict()}new\n  <<<<<<< x\n<<<<<<<< x\n<<<<<<<x\n`;
  expect(await found({ 'a.ts': conflict() }, { 'a.ts': after })).toEqual([]);
});
