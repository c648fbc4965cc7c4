import { expect, test } from 'vitest';
import { suggestionsToTry } from '../../../src/reporting/review/suggestions-to-try.ts';
import { finding, noChanges, sampleOutcome, samplePlan } from '../samples.ts';

const diff = (from: string, to: string, path = 'src/a.js') =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,3 +1,3 @@\n one\n-${from}\n+${to}\n three\n`;
const pull = `${diff('old', 'two')}${diff('old', 'two', 'src/b.js')}`;
const reads = samplePlan({ push: { kind: 'none', reason: 'A review only reads.' } });
const suggested = (after: string, edit: boolean, path = 'src/a.js') => ({
  ...{ path, firstLine: 2, lastLine: 2, before: ['two'], after: [after], edit },
});
const tried = (
  outcome: Parameters<typeof sampleOutcome>[0],
  plan = reads,
  settings: Parameters<typeof suggestionsToTry>[3] = {},
) => suggestionsToTry(sampleOutcome(outcome), plan, pull, settings);

const own = { ...finding, line: 2, suggestion: 'TWO\n' };
const { suggestion: _, ...textOnly } = own;
const waiting = (to: string) => ({
  ...{ tool: 'edit_file', what: 'src/a.js', hash: '0123456789abcdef', reason: 'Asks.', call_id: 'c' },
  diff: diff('two', to),
});

test('orders changes of findings, of the tree and of approvals, each once', () => {
  expect(
    tried({
      findings: [own, own, textOnly],
      changes: { ...noChanges, patch: `${diff('two', 'TWO')}${diff('two', 'ZWEI', 'src/b.js')}` },
      approvals: [waiting('DEUX'), { ...waiting('x'), diff: undefined }] as never,
    }),
  ).toEqual([suggested('TWO', true), suggested('ZWEI', true, 'src/b.js'), suggested('DEUX', true)]);
  expect(tried({ findings: [own, textOnly] })).toEqual([suggested('TWO', false)]);
});

test('omits pushed changes, and those that cannot be suggested', () => {
  const changes = { ...noChanges, patch: diff('two', 'ZWEI') };
  expect([
    tried({ changes }, samplePlan()),
    tried({ findings: [{ ...own, line: 40 }] }),
    tried({ findings: [{ ...own, suggestion: 'two' }] }),
    tried({ findings: [own] }, reads, { minSeverity: 'critical' }),
  ]).toEqual([[], [], [], []]);
});
