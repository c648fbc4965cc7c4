import { expect, test } from 'vitest';
import { renderReport } from '../../src/reporting/render-report.ts';
import { renderSummary } from '../../src/reporting/render-summary.ts';
import { sampleOutcome, samplePlan } from './samples.ts';

test('The summary of a job shows the patch that a comment has no room for.', () => {
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
