import { expect, test } from 'vitest';
import { nearNames } from '../../../src/workspace/files/near-names.ts';

test.each([
  ['three slips, not four', 'abcdefgh', ['abcdeXYZ', 'abcdWXYZ'], ['abcdeXYZ']],
  ['fewer in a short name', 'abcd', ['abXY', 'aXYZ'], ['abXY']],
  ['letters more or less', 'settings', ['setting', 'ttings', 'se'], ['setting', 'ttings']],
  [
    'another case, or extension',
    'Main.ts',
    ['main.TS', 'main.spec', 'man.ts'],
    ['main.TS', 'main.spec', 'man.ts'],
  ],
  [
    'three at most, the nearest first',
    'abcdef',
    ['abcXYZ', 'abcdXY', 'abcdeX', 'abcdefg'],
    ['abcdefg', 'abcdeX', 'abcdXY'],
  ],
  ['nothing alike', 'main.ts', ['README.md'], []],
])('names near another have %s', (_, wanted, names, expected) => {
  expect(nearNames(wanted, names)).toEqual(expected);
});
