import { expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { patchOfFindings } from '../../../src/reporting/review/patch-of-findings.ts';
import { nameSuggestion } from '../../../src/reporting/suggestions/suggestion-checks.ts';
import { finding } from '../samples.ts';

const texts: Readonly<Record<string, string>> = {
  'a.js': 'one\ntwo\nthree\nfour\nfive\n',
  'b.js': 'x\r\ny',
};
const patch = (findings: readonly Partial<Finding>[], checks: Parameters<typeof patchOfFindings>[1] = []) =>
  patchOfFindings(
    findings.map((one) => ({ ...finding, path: 'a.js', ...one })),
    checks,
    async (path) => texts[path] ?? null,
  );
/** The lines of a patch that change something. */
const changed = async (...of: Parameters<typeof patch>) =>
  (await patch(...of)).split('\n').filter((line) => /^[-+](?![-+])/.test(line));

test('combines suggestions of findings into one patch with context', async () => {
  const findings = [
    { line: 2, suggestion: 'zwei\n' },
    { path: 'b.js', line: 1, suggestion: 'X\nZ' },
    { start_line: 4, line: 5, suggestion: '' },
  ];
  expect(await patch(findings)).toBe(
    [
      'diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1,5 +1,3 @@',
      ' one\n-two\n+zwei\n three\n-four\n-five',
      'diff --git a/b.js b/b.js\n--- a/b.js\n+++ b/b.js\n@@ -1,2 +1,3 @@',
      '-x\r\n+X\r\n+Z\r\n y\n\\ No newline at end of file\n',
    ].join('\n'),
  );
});

test('takes the worst finding’s suggestion for shared lines', async () => {
  const failed = {
    ...nameSuggestion({ path: 'a.js', firstLine: 1, lastLine: 1, after: ['broken'] }),
    ...{ result: 'failed' as const, said: 'It broke.' },
  };
  expect([
    await changed([
      { line: 2, severity: 'low', suggestion: 'low' },
      { start_line: 1, line: 2, severity: 'critical', suggestion: 'worst' },
    ]),
    await changed([{ line: 1, suggestion: 'broken' }], [failed]),
    await changed([
      { line: 9, suggestion: 'beyond' },
      { line: 1, side: 'LEFT', suggestion: 'old' },
      { path: 'gone.js', line: 1, suggestion: 'gone' },
      { line: 1, suggestion: 'one' },
      { line: 1 },
    ]),
  ]).toEqual([['-one', '-two', '+worst'], [], []]);
});
