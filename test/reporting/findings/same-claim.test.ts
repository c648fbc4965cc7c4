import { expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { isSameClaim, mergeClaims, sharesCategory } from '../../../src/reporting/findings/same-claim.ts';

const dead: Finding = {
  path: 'src/encoder.ts',
  side: 'RIGHT',
  start_line: 114,
  line: 115,
  severity: 'low',
  category: 'maintainability',
  title: 'Dead code in ASN1 encoding',
  body: 'These lines create encoders that are discarded without being used.',
};
const discarded: Finding = {
  ...{ path: 'src/encoder.ts', side: 'RIGHT', line: 114, severity: 'medium', category: 'performance' },
  title: 'Encoders are created and discarded',
  body: 'The encoding of these lines is never used: the return statement creates new ones.',
};
const another: Finding = {
  ...discarded,
  title: 'The provider has the wrong order',
  body: 'It returns 100 while all others return 200.',
};

test('makes one finding of two on overlapping lines in other words, the more severe, with both categories', () => {
  expect([mergeClaims([dead, another, discarded]), mergeClaims([discarded, dead, dead])]).toEqual([
    [{ ...discarded, category: 'performance / maintainability' }, another],
    [{ ...discarded, category: 'performance / maintainability' }],
  ]);
});

test('keeps findings apart that are elsewhere, or say something else', () => {
  expect(
    [
      discarded,
      { ...discarded, line: 116 },
      { ...discarded, path: 'src/decoder.ts' },
      { ...discarded, side: 'LEFT' as const },
      another,
      { ...discarded, title: 'Dead code', body: 'Unused.' },
    ].map((one) => isSameClaim(dead, one)),
  ).toEqual([true, false, false, false, false, false]);
});

test('keeps the finding of a check, with the higher severity', () => {
  const checked: Finding = { ...dead, check: 'linters' };
  const other: Finding = { ...discarded, check: 'files' };
  expect([
    mergeClaims([checked, discarded]),
    mergeClaims([discarded, checked]),
    mergeClaims([checked, other]),
  ]).toEqual([
    [{ ...checked, severity: 'medium', category: 'maintainability / performance' }],
    [{ ...checked, severity: 'medium', category: 'maintainability / performance' }],
    [checked, other],
  ]);
});

test('finds a common category', () => {
  expect([
    sharesCategory('Performance / bug', 'performance'),
    sharesCategory('bug', 'style / Bug'),
    sharesCategory('bug', 'style / performance'),
  ]).toEqual([true, true, false]);
});
