import { expect, test } from 'vitest';
import { isTrustedBranch } from '../../src/config/defaults.ts';
import { parseConfig } from '../../src/config/parse-config.ts';

test.each<[branch: string, patterns: readonly string[], trusted: boolean]>([
  ['next', [], false],
  ['next', ['next'], true],
  ['next', ['other', 'next'], true],
  ['nexts', ['next'], false],
  ['Next', ['next'], false],
  ['release/1', ['release/*'], true],
  ['release/', ['release/*'], true],
  ['release', ['release/*'], false],
  ['my/release/1', ['release/*'], false],
  ['release/1', ['release/'], false],
])('%s, with %j trusted: %s', (branch, patterns, trusted) => {
  expect(isTrustedBranch(branch, patterns)).toBe(trusted);
});

test.each(['*', '**', 'a*b', 'a b', ''])('the pattern %j is refused', (pattern) => {
  expect(() => parseConfig(JSON.stringify({ trustedBranches: [pattern] }), 'anode.json')).toThrow(
    'trustedBranches.0',
  );
});
