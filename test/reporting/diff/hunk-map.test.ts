import { afterAll, expect, test } from 'vitest';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import { createDiffRepository } from './git-diff.ts';

const repository = createDiffRepository();
afterAll(() => repository.close());

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

const before = numbered(40);
const after = before.with(9, 'line ten, changed').toSpliced(29, 1);
const map = createHunkMap(
  repository.diff(
    { 'src/a.js': text(before), 'old.txt': text(before), gone: 'x\ny\n', bin: Buffer.from([0, 1]) },
    {
      'src/a.js': text(after),
      'ü "new".txt': text(before.with(0, '-- one')),
      fresh: 'a\nb\n',
      bin: Buffer.from([0, 2]),
    },
  ),
);
const legal = (path: string, side: 'LEFT' | 'RIGHT') =>
  Array.from({ length: 45 }, (_, index) => index).filter((line) => map.isLegal(path, side, line));

test('allows added and unchanged lines on the right, and deleted ones on the left', () => {
  expect({ right: legal('src/a.js', 'RIGHT'), left: legal('src/a.js', 'LEFT') }).toEqual({
    right: [7, 8, 9, 10, 11, 12, 13, 27, 28, 29, 30, 31, 32],
    left: [10, 30],
  });
});

test('maps renamed, new, deleted and binary files, and quoted names', () => {
  expect({
    names: ['src/a.js', 'old.txt', 'ü "new".txt', 'gone', 'fresh', 'bin', 'other'].map(map.resolve),
    renamed: legal('old.txt', 'RIGHT'),
    gone: [legal('gone', 'LEFT'), legal('gone', 'RIGHT')],
    fresh: [legal('fresh', 'LEFT'), legal('fresh', 'RIGHT')],
    bin: legal('bin', 'RIGHT'),
    text: [map.text('old.txt', 'LEFT', 1), map.text('ü "new".txt', 'RIGHT', 1)],
  }).toEqual({
    names: ['src/a.js', 'ü "new".txt', 'ü "new".txt', 'gone', 'fresh', 'bin', null],
    renamed: [1, 2, 3, 4],
    gone: [[1, 2], []],
    fresh: [[], [1, 2]],
    bin: [],
    text: ['line 1', '-- one'],
  });
});

test('returns the nearest line, the hunk and the other side’s number', () => {
  expect({
    nearest: [1, 10, 20, 21, 99].map((line) => map.nearest('src/a.js', 'RIGHT', line)),
    none: map.nearest('bin', 'RIGHT', 1),
    same: [map.sameHunk('src/a.js', 'RIGHT', 7, 13), map.sameHunk('src/a.js', 'RIGHT', 13, 27)],
    hunk: map.hunkOf('src/a.js', 'RIGHT', 8),
    right: [9, 10, 31, 1].map((line) => map.rightOf('src/a.js', line)),
  }).toEqual({
    nearest: [7, 10, 13, 27, 32],
    none: null,
    same: [true, false],
    hunk: [7, 8, 9, 10, 11, 12, 13],
    right: [9, null, 30, null],
  });
});
