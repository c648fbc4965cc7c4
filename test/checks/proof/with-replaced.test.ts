import { expect, test } from 'vitest';
import { replaceLines } from '../../../src/checks/proof/with-replaced.ts';

const one = (firstLine: number, lastLine: number, ...after: string[]) => ({ firstLine, lastLine, after });

test('lines are replaced as on GitHub, all counted in the original text', () => {
  expect([
    replaceLines('a\nb\nc\n', [one(1, 1, 'A', 'A2'), one(3, 3, 'C')]),
    replaceLines('a\nb\nc\n', [one(2, 3)]),
    replaceLines('a\r\nb\r\n', [one(2, 2, 'B')]),
    replaceLines('a\nb', [one(2, 2, 'B')]),
    replaceLines('a\n', [one(1, 1)]),
    replaceLines('a', [one(1, 1)]),
    replaceLines('\tx\n', [one(1, 1, '\t\ty')]),
  ]).toEqual(['A\nA2\nb\nC\n', 'a\n', 'a\r\nB\n', 'a\nB', '', '', '\t\ty\n']);
});

test('a replacement that does not fit the text changes nothing', () => {
  expect([
    replaceLines('a\nb\n', [one(3, 3, 'x')]),
    replaceLines('a\nb\n', [one(2, 1, 'x')]),
    replaceLines('a\nb\n', [one(0, 1, 'x')]),
    replaceLines('a\nb\nc\n', [one(1, 2, 'x'), one(2, 3, 'y')]),
  ]).toEqual([null, null, null, null]);
});
