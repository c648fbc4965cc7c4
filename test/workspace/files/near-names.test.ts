import { expect, test } from 'vitest';
import { nearNames } from '../../../src/workspace/files/near-names.ts';

test.each([
  ['at most three different letters', 'abcdefgh', ['abcdeXYZ', 'abcdWXYZ'], ['abcdeXYZ']],
  ['fewer different letters in a short name', 'abcd', ['abXY', 'aXYZ'], ['abXY']],
  ['added or missing letters', 'settings', ['setting', 'ttings', 'se'], ['setting', 'ttings']],
  [
    'another letter case or extension',
    'Main.ts',
    ['main.TS', 'main.spec', 'man.ts'],
    ['main.TS', 'main.spec', 'man.ts'],
  ],
  [
    'at most three names, the nearest first',
    'abcdef',
    ['abcXYZ', 'abcdXY', 'abcdeX', 'abcdefg'],
    ['abcdefg', 'abcdeX', 'abcdXY'],
  ],
  ['no name if none is similar', 'main.ts', ['README.md'], []],
])('a search for similar names accepts %s', (_, wanted, names, expected) => {
  expect(nearNames(wanted, names)).toEqual(expected);
});
