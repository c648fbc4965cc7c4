import { expect, test } from 'vitest';
import { patternProblem } from '../../../src/permissions/patterns/pattern-problem.ts';
import { describePermission } from '../../../src/permissions/policy/describe-permission.ts';

test.each([
  ['npm *'],
  ['/^a$/'],
  [3],
  [true],
  [null],
  [['a', '/b/']],
  [{ a: ['b'], c: 1 }],
])('all patterns in %j can be used', (matcher) => {
  expect(patternProblem(matcher as never)).toBeNull();
});

test.each([
  ['/(/'],
  [['a', '/(/']],
  [{ a: 'b', c: ['d', '/(/'] }],
])('the first pattern in %j that is none is named', (matcher) => {
  expect(patternProblem(matcher)).toMatch(/^\/\(\/ is no regular expression: /);
});

test('what a rule of a grant allows is said in words', () => {
  const rule = { tool: 'bash', action: 'allow' as const };
  expect([
    describePermission(rule),
    describePermission({ ...rule, matches: {} }),
    describePermission({ ...rule, matches: { command: ['npm *'], network: true } as never }),
  ]).toEqual([
    'every call of bash',
    'every call of bash',
    'each call of bash whose command matches ["npm *"] and network matches true',
  ]);
});
