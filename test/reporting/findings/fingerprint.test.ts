import { expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { isReportedBy } from '../../../src/reporting/findings/fingerprint.ts';

const checked: Finding = {
  path: 'a.ts',
  side: 'RIGHT',
  start_line: 3,
  line: 5,
  severity: 'high',
  category: 'conflict',
  title: 'An unresolved merge conflict',
  body: 'Both sides.',
  check: 'conflicts',
};
const { check: _, start_line: __, ...plain } = checked;
const model: Finding = { ...plain, line: 4, category: 'correctness', title: 'Wrong' };

test.for<[string, Partial<Finding>, boolean]>([
  ['names the check', { check: 'conflicts' }, true],
  ['has the check for its category', { category: 'Conflicts' }, true],
  ['has its title in other words around', { title: 'There is an unresolved merge conflict here' }, true],
  ['has its category on its last line', { line: 5, category: 'conflict' }, true],
  ['says something else of its lines', {}, false],
  ['has its category elsewhere in its lines', { category: 'conflict' }, false],
  ['is beside its lines', { check: 'conflicts', line: 6 }, false],
  ['is on the other side', { check: 'conflicts', side: 'LEFT' }, false],
  ['is in another file', { check: 'conflicts', path: 'b.ts' }, false],
])('a finding that %s', ([, fields, told]) => {
  expect(isReportedBy([checked], { ...model, ...fields })).toBe(told);
});
