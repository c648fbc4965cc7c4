import { describe, expect, it } from 'vitest';
import { effortNames, effortOf, nearestEffort } from '../../src/contract/profile-names.ts';

describe('nearestEffort', () => {
  it.each([
    [
      ['none', 'low', 'medium', 'high'],
      ['none', 'none', 'low', 'medium', 'high', 'high', 'high'],
    ],
    [
      ['low', 'medium', 'high', 'max'],
      ['low', 'low', 'low', 'medium', 'high', 'high', 'max'],
    ],
    [['high'], ['high', 'high', 'high', 'high', 'high', 'high', 'high']],
  ] as const)('finds for each level one of %j', (levels, expected) => {
    expect(effortNames.map((name) => nearestEffort(effortOf(name), [...levels]))).toEqual(expected);
  });
});
