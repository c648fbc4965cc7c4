import { expect, test } from 'vitest';
import { coverageTable } from '../../scripts/coverage.ts';

test('a function counts as called if any test file called it', () => {
  const calls = [
    {
      file: 'config/a.ts',
      functions: [
        { name: 'one', start: 0, called: true },
        { name: 'two', start: 9, called: false },
      ],
    },
    { file: 'config/a.ts', functions: [{ name: 'one', start: 0, called: false }] },
    { file: 'cli.ts', functions: [{ name: 'main', start: 0, called: true }] },
  ];
  expect(coverageTable(calls).split('\n').slice(2)).toEqual([
    '| config | 1 | 2 | 50.0 % |',
    '| entry points | 1 | 1 | 100.0 % |',
    '| all | 2 | 3 | 66.7 % |',
  ]);
});
