import path from 'node:path';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import type { Question } from '../../src/contract/run-results.ts';
import { type Applied, renderApplied } from '../../src/reporting/apply/apply-suggestions.ts';
import { renderPullRequest } from '../../src/reporting/changes/pull-request.ts';
import { checkSummary } from '../../src/reporting/check-run/check-output.ts';
import { createHunkMap } from '../../src/reporting/diff/hunk-map.ts';
import { renderHandoff } from '../../src/reporting/issues/handoff-issue.ts';
import { renderControls } from '../../src/reporting/progress/render-boxes.ts';
import { renderProgress } from '../../src/reporting/progress/render-progress.ts';
import { renderPlan } from '../../src/reporting/questions/post-plan.ts';
import { renderApproval } from '../../src/reporting/questions/render-approval.ts';
import { renderAnswered, renderQuestionForm } from '../../src/reporting/questions/render-question.ts';
import { renderEnd } from '../../src/reporting/report/render-end.ts';
import { renderReport } from '../../src/reporting/report/render-report.ts';
import { renderSummary } from '../../src/reporting/report/render-summary.ts';
import { makeReview } from '../../src/reporting/review/make-review.ts';
import { nameSuggestion } from '../../src/reporting/suggestions/suggestion-checks.ts';
import { publicText } from '../../src/reporting/text/public-text.ts';
import { withOwnPart } from '../../src/reporting/thread/publish-description.ts';
import { renderDoctor } from '../../src/webhooks/replies/render-doctor.ts';
import { renderHelp } from '../../src/webhooks/replies/render-help.ts';
import { finding, handoff, headSha, sampleOutcome, samplePlan } from './samples.ts';

const hostile = '<img src=x onerror=alert(1)> @everyone fixes #1 | a\n\n```js\nlet open';
const plan = samplePlan();
const runUrl = 'https://ci.test/1';
const findings = [
  { ...finding, severity: 'low' as const, title: hostile, body: hostile },
  { ...finding, severity: 'critical' as const, line: 9, title: 'The total is wrong | for refunds' },
];
const question: Question = {
  question: `Which format do you want?\n\n${hostile}`,
  reason: 'Both stand in the code.',
  options: [
    { id: 'iso', label: 'ISO 8601', description: '2026-01-02' },
    { id: 'long', label: hostile },
  ],
  ...{ allow_freeform: true, required: true, default: 'iso' },
  questions: [
    { question: 'And in which zone?', options: [], allow_freeform: true, required: false, multiple: false },
  ],
};
const approval = {
  ...{ tool: 'bash', what: `curl example.com | sh\n${hostile}`, reason: 'It runs what it downloads.' },
  ...{ hash: 'abcdef012345', call_id: 'c1', waits: true, digest: 'f'.repeat(64) },
  ...{ commands: [`curl example.com | sh\n${hostile}`], parts: ['curl example.com', 'sh'] },
};
const outcome = sampleOutcome({ findings, answer: `Three places differ.\n\n${hostile}` });
const context = {
  ...{ plan, runUrl, findings, carried: 0 },
  published: { issues: [], downgrades: [], failures: [], patch: '' },
};

const todos = [
  { id: '1', content: 'Find the loop', status: 'completed' as const },
  { id: '2', content: hostile, status: 'pending' as const },
];
const stopped = sampleOutcome({
  ...{ conclusion: 'limit', answer: 'Two of three places are mended.', todos },
  stop: { kind: 'cost_limit', message: 'The run reached its limit of $2.' },
  refusals: [{ tool: 'bash', what: `npm publish\n${hostile}`, reason: 'No rule allows it.', call_id: 'c9' }],
});
const leftovers = {
  ...{ issues: [], downgrades: ['Not committed, as `work` is gone.'] },
  failures: ['The review could not be posted: Service unavailable'],
  patch: 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-```\n+````\n',
};
const source = { kind: 'app' as const, delivery_id: null };
const fixing = {
  ...plan,
  push: { kind: 'new_branch' as const, branch: 'anode/7', base: 'main', expected_sha: headSha, closes: 7 },
};

function controls(boxes: readonly ('retry' | 'apply')[], applied: Applied): string {
  return renderControls('<!-- anode:controls v1 run=run_1 -->', boxes, renderApplied(applied, 'ada')).text;
}

/** A finding's own suggestion that broke the check, and two of the run's edit. */
function suggestions(): string {
  const lines = ['one', 'two', '\tthree', 'four'];
  const map = createHunkMap(
    `diff --git a/src/a.js b/src/a.js\n--- a/src/a.js\n+++ b/src/a.js\n@@ -0,0 +1,4 @@\n${lines.map((line) => `+${line}\n`).join('')}`,
  );
  const at = (line: number, ...after: string[]) => ({
    ...{ path: 'src/a.js', firstLine: line, lastLine: line },
    ...{ before: [lines[line - 1] ?? ''], after },
  });
  const own = at(3, '\t```', '\tTHREE');
  const edits = [at(1, 'ONE'), at(4, 'FOUR')];
  const tried = { command: 'npm test' };
  const [first = own, last = own] = edits;
  const { review } = makeReview({
    ...{ plan, map, event: 'COMMENT', verdictIsNews: false, complete: true, budget: 9 },
    ...{ suggestions: edits, threadsFrom: 'info' },
    checks: [
      { ...nameSuggestion(own), ...tried, result: 'failed', said: 'fails with it.', quote: hostile },
      { ...nameSuggestion(first), ...tried, result: 'passed', said: 'passes with it.' },
      { ...nameSuggestion(last), result: 'not_run', said: 'There was no time left to check it.' },
    ],
    reconciled: {
      fresh: [{ id: 'f1', finding: { ...finding, suggestion: `${own.after.join('\n')}\n` } }],
      ...{ carried: [], fixed: [], dismissed: [], repeated: [], known: [] },
    },
  });
  return (review?.comments ?? []).map(({ body }) => body).join('\n\n---\n\n');
}

test.each<[string, string]>([
  [
    'progress',
    renderProgress(
      {
        todos: [
          { id: '1', content: 'Find the loop', status: 'completed' },
          { id: '2', content: hostile, status: 'in_progress' },
          { id: '3', content: 'Run the tests', status: 'pending' },
        ],
        ...{ turn: 4, maxTurns: 40, costUsd: 0.31, state: 'running' },
        activity: { tool: 'bash', what: `npm test\n${hostile}` },
      },
      runUrl,
    ),
  ],
  ['controls', renderControls('<!-- anode:controls v1 run=run_1 -->', ['stop', 'retry']).text],
  [
    'controls-applied',
    renderControls(
      '<!-- anode:controls v1 run=run_1 -->',
      ['retry', 'apply'],
      renderApplied(
        {
          kind: 'applied',
          threads: ['[`src/a.ts:3`](https://github.com/acme/shop/pull/7#discussion_r3)'],
          commit: { sha: headSha, url: `https://github.com/acme/shop/commit/${headSha}` },
          count: 3,
          left: [{ path: 'src/`a`.js', line: 9, why: 'the lines changed since' }],
        },
        'ada',
      ),
    ).text,
  ],
  [
    'question',
    renderQuestionForm(question, {
      mention: 'anode',
      answerers: ['author'],
      deadline: '2026-01-03T00:00:00Z',
    }).text,
  ],
  ['approval-request', renderApproval(approval, outcome, plan, {})],
  [
    'plan',
    renderPlan(
      {
        version: 1,
        text: `1. Read the loop.\n2. ${'Mend it.'}`,
        hash: 'abcdef0123456789',
        head_sha: headSha,
      } as Parameters<typeof renderPlan>[0],
      'anode',
    ),
  ],
  [
    'handoff-issue',
    renderHandoff(
      {
        ...{ ...handoff, goal: 'Migrate the sessions', completed: ['Tokens'], open_questions: [hostile] },
        ...{ recommended_next_steps: ['Migrate the sessions'], relevant_files: ['src/a.js'] },
      },
      0,
      plan,
      { runUrl },
    ).body,
  ],
  [
    'help',
    renderHelp({ note: null, thread: { kind: 'pull_request', number: 7 } }, { mention: 'anode', label: '' }),
  ],
  ['failure', renderEnd({ kind: 'failed', message: hostile }, runUrl)],
  ['tried-suggestions', suggestions()],
  ['cancelled', renderEnd({ kind: 'cancelled', message: 'Stopped by ada' }, runUrl)],
  ['superseded', renderEnd({ kind: 'superseded', message: `${hostile} was pushed` }, runUrl)],
  ['answered', renderAnswered(question, `1a, and ${hostile}`, 'ada')],
  [
    'limit',
    renderReport(stopped, { ...context, plan: { ...plan, source }, mention: 'anode', published: leftovers }),
  ],
  ['no-suggestions', controls(['retry'], { kind: 'nothing', left: [] })],
  ['suggestions-refused', controls(['apply'], { kind: 'refused', reason: `GitHub refused: ${hostile}` })],
  ['pull-request', renderPullRequest({ ...outcome, todos }, fixing, { runUrl }).body],
  [
    'description',
    withOwnPart('What the author wrote.', publicText(`### What changes\n\n${hostile}`), 'below'),
  ],
  [
    'doctor',
    renderDoctor([
      { name: 'model', state: 'missing', found: 'no key | for it' },
      { name: 'sandbox', state: 'ok', found: 'works' },
    ]),
  ],
  ['summary', renderSummary(outcome, context)],
  ['check', checkSummary(outcome, findings, plan, { ...context.published, report: 'The report.' })],
])('renders the comment %s as source and as page', async (name, text) => {
  const file = (ending: string) => path.join(import.meta.dirname, 'golden', `${name}.${ending}`);
  const html = await marked.parse(text, { gfm: true });
  await expect(`${text}\n`).toMatchFileSnapshot(file('md'));
  await expect(html).toMatchFileSnapshot(file('html'));
  const prose = html.replace(/<code[^>]*>[^<]*<\/code>/gu, '');
  // Nothing of a model becomes markup, a mention or a closing word.
  expect([/<img|onerror="/u.test(html), /@everyone/u.test(prose), /\bfixes #1\b/u.test(prose)]).toEqual([
    false,
    false,
    false,
  ]);
});
