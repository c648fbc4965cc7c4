import { expect, test } from 'vitest';
import { changedPlaces } from '../../../src/tools/write/changed-places.ts';

const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`);
const text = (some: readonly string[]) => some.map((line) => `${line}\n`).join('');

test("a change far down in a file is displayed with the file's line numbers", () => {
  const now = lines.with(15_000, 'changed').toSpliced(15_010, 1);
  expect(changedPlaces(text(lines), text(now))).toBe(
    [
      '14999\tline 14999',
      '15000\tline 15000',
      '15001\tchanged',
      '15002\tline 15002',
      '15003\tline 15003',
      '…',
      '15009\tline 15009',
      '15010\tline 15010',
      '15011\tline 15012',
      '15012\tline 15013',
    ].join('\n'),
  );
});

test('the first of thousands of changed lines are displayed, and the others counted', () => {
  const now = lines.map((line) => `${line}!`);
  const displayed = changedPlaces(text(lines), text(now)).split('\n');
  expect([displayed.length, displayed[0], displayed.at(-1)]).toEqual([
    25,
    '1\tline 1!',
    '[19976 more lines]',
  ]);
});

test('the first of hundreds of changes are displayed, and the others counted', () => {
  const now = lines.map((line, index) => (index % 100 === 50 ? `${line}!` : line));
  const places = changedPlaces(text(lines), text(now)).split('\n…\n');
  expect([places.length, places[0]?.split('\n')[2], places.at(-1)]).toEqual([
    17,
    '51\tline 51!',
    '[184 more places]',
  ]);
});

test('removed lines are displayed by their surroundings, and an emptied file is empty', () => {
  expect(changedPlaces('a\nb\nc\n', 'a\nc\n')).toBe('1\ta\n2\tc');
  expect(changedPlaces('a\n', '')).toBe('');
});
