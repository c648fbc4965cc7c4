import { expect, test } from 'vitest';
import { nameMatcher } from '../../../src/permissions/gate/name-matcher.ts';

test.each([
  [[], 'read', false],
  [['read'], 'read', true],
  [['rea'], 'read', false],
  [['agent.*'], 'agent.list', true],
  [['agent.*'], 'agentXlist', false],
  [['r??d', 'x'], 'read', true],
  [['*'], 'mcp__a__b', true],
  [['/read/'], 'read', false],
])('the patterns %j fit %s: %s', (patterns, name, expected) => {
  expect(nameMatcher(patterns)(name)).toBe(expected);
});

test('a pattern that a model sends takes no time that grows without end', () => {
  const hostile = '*a'.repeat(5_000);
  expect(nameMatcher([hostile, '+(+(+(a)))!'])('a'.repeat(5_000))).toBe(true);
});
