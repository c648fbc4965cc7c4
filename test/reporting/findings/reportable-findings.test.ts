import { expect, test } from 'vitest';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import { reportableFindings, reviewedPaths } from '../../../src/reporting/findings/reportable-findings.ts';
import { finding } from '../samples.ts';

const map = createHunkMap(
  'diff --git a/old.js b/new.js\nrename from old.js\nrename to new.js\n--- a/old.js\n+++ b/new.js\n@@ -4,2 +14,2 @@\n one\n-two\n+2\n',
);

test.each([
  [{}, 'src/a.js', true],
  [{ paths: [] }, 'src/a.js', true],
  [{ paths: ['src/**'] }, 'src/.a', true],
  [{ paths: ['src/**'] }, 'lib/a.js', false],
  [{ paths: ['src/**', '!src/b*'] }, 'src/b.js', false],
  [{ paths: ['!lib/**'] }, 'src/a.js', true],
  [{ paths: ['!lib/**'] }, 'lib/a.js', false],
  [{ ignore: [] }, 'src/a.js', true],
  [{ ignore: ['src/**'] }, 'src/a.js', false],
  [{ ignore: ['src/**', '!src/a.js'] }, 'src/a.js', true],
  [{ ignore: ['lib/**'] }, 'src/a.js', true],
  [{ paths: ['src/**'], ignore: ['**/a.js'] }, 'src/a.js', false],
])('with %j, decides on a review of %s: %s', (settings, path, wanted) => {
  expect(reviewedPaths(settings)(path)).toBe(wanted);
});

test('filters findings by severity and by their path on GitHub', () => {
  const all = (['critical', 'high', 'medium', 'low', 'info'] as const).map((severity) => ({
    ...finding,
    severity,
  }));
  const heard = (settings: object) => reportableFindings(all, settings, map).map(({ severity }) => severity);
  const moved = { ...finding, path: 'old.js' };
  expect([
    heard({}),
    heard({ minSeverity: 'medium' }),
    heard({ minSeverity: 'critical' }),
    reportableFindings([moved], { paths: ['new.js'] }, map).map(({ path }) => path),
    reportableFindings([moved], { paths: ['old.js'] }, map),
  ]).toEqual([
    ['critical', 'high', 'medium', 'low', 'info'],
    ['critical', 'high', 'medium'],
    ['critical'],
    ['new.js'],
    [],
  ]);
});

test('moves unchanged lines to the right side, and orders ranges', () => {
  const heard = (more: object) => {
    const [one] = reportableFindings([{ ...finding, path: 'old.js', ...more }], {}, map);
    return [one?.side, one?.start_line, one?.line];
  };
  expect([
    heard({ side: 'LEFT', line: 4 }),
    heard({ side: 'LEFT', line: 5 }),
    heard({ side: 'LEFT', start_line: 4, line: 5 }),
    heard({ start_line: 15, line: 14 }),
    heard({ start_line: 14, line: 14 }),
  ]).toEqual([
    ['RIGHT', undefined, 14],
    ['LEFT', undefined, 5],
    ['LEFT', 4, 5],
    ['RIGHT', 14, 15],
    ['RIGHT', undefined, 14],
  ]);
  expect(reportableFindings([{ ...finding, start_line: 3 }], {}, map)).toEqual([finding]);
});
