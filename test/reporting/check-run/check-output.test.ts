import { expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import type { Outcome } from '../../../src/contract/outcome.ts';
import {
  checkActions,
  checkAnnotations,
  checkConclusion,
  checkSummary,
  checkTitle,
} from '../../../src/reporting/check-run/check-output.ts';
import { finding, sampleOutcome, samplePlan } from '../samples.ts';

test('annotates each finding on a line of the head, by its level', () => {
  const notes = (more: Partial<Finding>) => checkAnnotations([{ ...finding, ...more }]);
  const one = {
    ...{ path: 'src/a.js', start_line: 3, end_line: 3, annotation_level: 'failure' },
    ...{ title: 'high: Off by one', message: 'The loop ends one too early.' },
  };
  expect([
    notes({}),
    notes({ start_line: 1 }),
    notes({ start_line: 9 }),
    notes({ side: 'LEFT' }),
    notes({ title: `a\n${'t'.repeat(300)}`, body: ' ' })[0]?.title,
    notes({ title: 'T', body: ' ' })[0]?.message,
    notes({ body: 'b'.repeat(16_001) })[0]?.message,
  ]).toEqual([
    [one],
    [{ ...one, start_line: 1 }],
    [{ ...one, end_line: 9 }],
    [],
    `high: a ${'t'.repeat(241)}…`,
    'T',
    `${'b'.repeat(15_999)}…`,
  ]);
  const levels = (['info', 'low', 'medium', 'high', 'critical'] as const).map(
    (severity) => notes({ severity })[0]?.annotation_level,
  );
  expect(levels).toEqual(['notice', 'notice', 'warning', 'failure', 'failure']);
});

test('ends neutral if a review did not report or broke off', () => {
  const end = (outcome: object, open: readonly Finding['severity'][] = []) =>
    checkConclusion({ conclusion: 'success', profile: 'review', ...outcome } as never, open, {
      requestChanges: true,
    });
  expect([
    end({}),
    end({ unreported: 'x' }),
    end({ conclusion: 'limit' }),
    end({}, ['low']),
    end({ profile: 'craft' }, ['critical']),
    end({ conclusion: 'cancelled' }, ['critical']),
    end({ conclusion: 'failure' }, ['critical']),
  ]).toEqual(['success', 'neutral', 'neutral', 'neutral', 'neutral', 'cancelled', 'neutral']);
  const title = (conclusion: string, open: readonly Finding['severity'][] = []) =>
    checkTitle({ conclusion, profile: 'review', stop: null } as never, open);
  expect(['success', 'failure', 'limit', 'waiting', 'cancelled'].map((one) => title(one))).toEqual([
    ...['Nothing found', 'Failed', 'Stopped at a limit', 'Waiting for an answer', 'Cancelled'],
  ]);
  expect(title('limit', ['low', 'low'])).toBe('Stopped at a limit. 2 findings: 2 low');
});

test('links to the report and the review, or displays the report', () => {
  const summary = (outcome: Partial<Outcome>, published: object, findings: readonly Finding[] = []) =>
    checkSummary(sampleOutcome(outcome), findings, samplePlan(), { report: 'R', ...published } as never);
  const comment = { id: 1, url: 'c' };
  const review = { id: 1, url: 'r', comments: 1 };
  expect([
    summary({}, { comment, review }),
    summary({ turns: 1, tool_calls: 1, cost_usd: null }, { review }),
    summary({}, {}),
    summary({}, { comment }, [finding]).split('\n\n').length,
    summary({}, { report: 'x'.repeat(65_001) }).length,
  ]).toEqual([
    '[Report](c) · [Review](r)\n\n<sub>3 turns, 5 tool calls, $0.25</sub>',
    '[Review](r)\n\nR\n\n<sub>1 turn, 1 tool call</sub>',
    'R\n\n<sub>3 turns, 5 tool calls, $0.25</sub>',
    3,
    65_000,
  ]);
});

test('offers buttons to run again, and to fix findings of a review', () => {
  const { checkout } = samplePlan();
  const labels = (outcome: Partial<Outcome>, plan: object = {}) =>
    checkActions(sampleOutcome({ profile: 'review', findings: [finding], ...outcome }), samplePlan(plan)).map(
      ({ label, identifier }) => `${label}: ${identifier}`,
    );
  const [again, fix] = ['Run again: retry', 'Fix: fix'];
  expect([
    labels({}),
    labels({ profile: 'craft' }),
    labels({ findings: [] }),
    labels({}, { checkout: { ...checkout, fork: true } }),
    labels({}, { source: { kind: 'action', delivery_id: null } }),
  ]).toEqual([[again, fix], [again], [again], [again], []]);
});
