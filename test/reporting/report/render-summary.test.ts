import { marked } from 'marked';
import { expect, test } from 'vitest';
import { renderReport } from '../../../src/reporting/report/render-report.ts';
import { renderPostedSummary, renderSummary } from '../../../src/reporting/report/render-summary.ts';
import { finding, sampleOutcome, samplePlan } from '../samples.ts';

test('displays a patch that is too long for a comment', () => {
  const patch = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+${'x'.repeat(100_000)}\n`;
  const context = {
    plan: samplePlan(),
    runUrl: null,
    published: { issues: [], downgrades: [], failures: [], patch },
    findings: [],
    carried: 0,
  };
  const outcome = sampleOutcome();
  expect([
    renderReport(outcome, context).includes(patch),
    renderSummary(outcome, context).includes(patch),
  ]).toEqual([false, true]);
});

test('ends with a table of all findings, worst first, with escaped cells', () => {
  const findings = [
    { ...finding, severity: 'low' as const, title: 'a | b', path: 'x|y.js' },
    { ...finding, severity: 'critical' as const },
  ];
  const text = renderPostedSummary('**Done.**', findings, samplePlan());
  const [token] = marked.lexer(text).filter(({ type }) => type === 'table');
  if (token?.type !== 'table') expect.unreachable();
  expect(
    token.rows.map((row: { text: string }[]) => row.map((cell) => cell.text.replace(/\]\(.*\)/u, ']'))),
  ).toEqual([
    ['critical', '[`src/a.js:3`]', 'Off by one', 'bug'],
    ['low', '[`x|y.js:3`]', 'a | b', 'bug'],
  ]);
});

test('omits findings of the report from the table', () => {
  const findings = Array.from({ length: 60 }, (_, index) => ({
    ...{ ...finding, line: index + 1 },
    title: `Number ${index + 1}`,
  }));
  const context = {
    ...{ plan: samplePlan(), runUrl: null, carried: 0 },
    ...{ published: { issues: [], downgrades: [], failures: [], patch: '' }, findings: findings.slice(2) },
  };
  const text = renderSummary(sampleOutcome({ findings }), context);
  const times = findings.map(({ title }) => text.match(new RegExp(`${title}\\b`, 'gu'))?.length);
  expect([new Set(times), text.match(/^\| high \|/gm)?.length]).toEqual([new Set([1]), 10]);
});

test('keeps a summary within GitHub’s limit', () => {
  const text = renderPostedSummary(`\`\`\`\n${'😀'.repeat(400_000)}`, [finding], samplePlan());
  expect([
    Buffer.byteLength(text) <= 1_048_576,
    text.includes('\uFFFD'),
    text.trimEnd().endsWith('```'),
  ]).toEqual([true, false, true]);
});

test('displays posting errors above the report', () => {
  const text = renderPostedSummary('**Done.**', [], samplePlan(), ['The report could not be posted: down']);
  expect(text).toBe('- The report could not be posted: down\n\n**Done.**\n');
});
