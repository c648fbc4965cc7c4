import { expect, test } from 'vitest';
import { severityFilter } from '../../../src/extensions/language/severity-filter.ts';

test.each([
  [undefined, 'any'],
  [null, 'any'],
  ['', 'any'],
  ['all', 'any'],
  ['any', 'any'],
  ['Error', 'error'],
  ['errors', 'error'],
  ['WARNINGS', 'warning'],
  ['hints', 'hint'],
  ['Information', 'info'],
  ['info', 'info'],
])('%j asks for %j', (given, severity) => {
  expect(severityFilter.parse(given)).toBe(severity);
});

test.each([['infos'], ['no errors'], ['errors!'], [3], [['error']]])('%j is none', (given) => {
  expect(severityFilter.safeParse(given).success).toBe(false);
});
