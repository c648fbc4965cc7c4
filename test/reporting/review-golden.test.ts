import path from 'node:path';
import { marked } from 'marked';
import { afterAll, expect, test } from 'vitest';
import type { Finding } from '../../src/contract/findings.ts';
import { createHunkMap } from '../../src/reporting/diff/hunk-map.ts';
import { type ReconcileFacts, reconcile } from '../../src/reporting/findings/reconcile.ts';
import { reportableFindings } from '../../src/reporting/findings/reportable-findings.ts';
import { renderFixed } from '../../src/reporting/findings/review-threads.ts';
import { renderReport } from '../../src/reporting/report/render-report.ts';
import { makeReview, type ReviewMaterial } from '../../src/reporting/review/make-review.ts';
import { createDiffRepository } from './diff/git-diff.ts';
import { finding, headSha, sampleOutcome, samplePlan } from './samples.ts';

const repository = createDiffRepository();
afterAll(() => repository.close());

const lines = Array.from({ length: 60 }, (_, index) => `const value${index + 1} = compute(${index + 1});\n`);
const map = createHunkMap(
  repository.diff(
    { 'src/a.js': lines.join(''), 'old.js': 'one\n' },
    {
      'src/a.js': lines.toSpliced(19, 2, 'const twenty = total(list);\n').join(''),
      'docs/ü "x".md': '# New\n',
    },
  ),
);
const plan = samplePlan({ verb: 'review', profile: 'review' });
const on = (line: number, title: string, more: Partial<Finding> = {}): Finding => ({
  ...finding,
  line,
  title,
  ...more,
});
const hostile =
  '<img src=x onerror=alert(1)> @everyone fixes #1\n\n```js\nlet open\n<!-- anode:finding v1 fp=0 -->';

/** One of everything that a review can say. */
const findings: readonly Finding[] = [
  on(20, 'The list may be empty', {
    severity: 'critical',
    body: '`total` divides by the length of the list.\n\n- with `[]` the sum is `NaN`\n- nothing checks for it',
    suggestion: 'const twenty = list.length === 0 ? 0 : total(list);\n',
  }),
  on(21, 'What was taken out was needed', { side: 'LEFT' }),
  on(26, 'Six lines below', { severity: 'medium', suggestion: 'another()\n' }),
  on(18, 'Three lines at once', { start_line: 17, suggestion: '```\nfence\n```\n', severity: 'low' }),
  on(1, hostile, { path: 'docs/ü "x".md', body: hostile, severity: 'info' }),
  on(55, 'Far from the change', { severity: 'medium' }),
  on(1, 'In no file of it', { path: 'src/other (1).js', severity: 'low' }),
  on(19, 'A key is in the code', { severity: 'high', category: 'secrets', check: 'secrets' }),
];
const reconciled = (facts: Partial<ReconcileFacts>) =>
  reconcile({
    ...{ runId: 'run_1', findings: reportableFindings(findings, {}, map), previous: [], source: map },
    ...{ dismissed: new Map(), evidence: { kind: 'text', changed: true }, checks: new Set() },
    ...facts,
  });
const make = (more: Partial<ReviewMaterial>) =>
  makeReview({
    ...{ plan, reconciled: reconciled({}), suggestions: [], map, event: 'COMMENT', complete: true },
    ...{ verdictIsNews: false, budget: 30, threadsFrom: 'info' as const },
    ...more,
  });

const first = make({});
const { known } = reconciled({});
const later = reconciled({
  runId: 'run_2',
  previous: known.map((one, index) => (index === 1 ? { ...one, anchor: 'gone' } : one)),
  findings: reportableFindings(
    [on(22, 'Something new'), on(23, 'Something small', { severity: 'info' })],
    {},
    map,
  ),
});
const suggestion = {
  ...{ path: 'src/a.js', firstLine: 19, lastLine: 20 },
  ...{ before: ['const value19 = compute(19);', 'const twenty = total(list);'], after: [] },
};
const review = { id: 1, url: 'https://github.com/acme/shop/pull/7#pullrequestreview-1', comments: 6 };

const comments = (made: typeof first) =>
  (made.review?.comments ?? [])
    .map(
      ({ path: file, side, line, start_line: from, body }) =>
        `## ${file} ${side} ${from ?? line} to ${line}\n\n${body}`,
    )
    .join('\n\n');

test.each<[string, string]>([
  ['comments', comments(first)],
  [
    'suggested-change',
    comments(make({ reconciled: reconciled({ findings: [] }), suggestions: [suggestion] })),
  ],
  ['first-review', first.review?.body ?? ''],
  ['later-review', make({ reconciled: later, budget: 1 }).review?.body ?? ''],
  [
    'approval',
    make({ reconciled: reconciled({ findings: [] }), event: 'APPROVE', verdictIsNews: true }).review?.body ??
      '',
  ],
  ['fixed', renderFixed(headSha, plan)],
  [
    'report',
    renderReport(sampleOutcome({ findings: [...findings] }), {
      ...{ plan, runUrl: 'https://ci.test/1', findings: [], carried: 6, tally: '2 new, 6 carried, 1 fixed' },
      published: { review, issues: [], downgrades: [], failures: [], patch: '' },
    }),
  ],
])('renders the %s as source and as page', async (name, text) => {
  const file = (ending: string) => path.join(import.meta.dirname, 'golden', `${name}.${ending}`);
  const html = await marked.parse(text, { gfm: true });
  await expect(`${text}\n`).toMatchFileSnapshot(file('md'));
  await expect(html).toMatchFileSnapshot(file('html'));
  const prose = html.replace(/<code[^>]*>[^<]*<\/code>/gu, '');
  // Nothing of a finding becomes markup, a mention or a closing word.
  expect([/<img|onerror="/u.test(html), /@everyone/u.test(prose), /\bfixes #1\b/u.test(prose)]).toEqual([
    false,
    false,
    false,
  ]);
});
