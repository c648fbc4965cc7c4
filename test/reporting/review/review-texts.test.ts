import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import type { PreviousFinding } from '../../../src/contract/review-record.ts';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import { type MadeReview, makeReview } from '../../../src/reporting/review/make-review.ts';
import { withdrawReviews } from '../../../src/reporting/review/publish-review.ts';
import { type Proposals, publishedReview } from '../../../src/reporting/review/published-review.ts';
import {
  locationLink,
  renderFinding,
  renderFindingLine,
  renderFindingsTable,
  unlistedFindings,
} from '../../../src/reporting/review/render-finding.ts';
import {
  countSeverities,
  findingMark,
  renderReviewBody,
  renderTally,
} from '../../../src/reporting/review/render-review.ts';
import { baseSha, finding, headSha, samplePlan } from '../samples.ts';

const plan = samplePlan();
const known: PreviousFinding = {
  ...{ id: 'f1', path: 'src/a.js', side: 'RIGHT', line: 3, severity: 'high', category: 'bug' },
  ...{ title: 'Off by one', check: null, anchor: 'x', window: 'w', occurrence: 0, state: 'open' },
  ...{ run_id: 'run_0', dismissed_by: null, fixed: null },
};
const root = 'https://github.com/acme/shop/blob';

test('marks a finding with the fields that identify it', () => {
  const marked = (more: Partial<Finding>) => findingMark({ id: 'f1', finding: { ...finding, ...more } });
  const begin = '<!-- anode:finding v1 fp=f1 severity=high';
  expect([
    marked({}),
    marked({ check: 'files', category: 'c'.repeat(61) }),
    marked({ path: 'p'.repeat(300) }),
    marked({ path: 'p'.repeat(301) }),
  ]).toEqual([
    `${begin} category=bug path=src%2Fa.js line=3 -->`,
    `${begin} category=${'c'.repeat(60)} check=files path=src%2Fa.js line=3 -->`,
    `${begin} category=bug path=${'p'.repeat(300)} line=3 -->`,
    `${begin} category=bug -->`,
  ]);
});

test('counts severities worst first, and tallies later reviews', () => {
  expect([
    countSeverities(['low', 'info', 'critical', 'low', 'medium', 'high']),
    countSeverities([]),
    renderTally({ fresh: [], carried: [], fixed: [] }),
    renderTally({ fresh: [{ id: 'f1', finding }], carried: [], fixed: [] }),
    renderTally({ fresh: [{ id: 'f1', finding }], carried: [known], fixed: [] }),
    renderTally({ fresh: [], carried: [], fixed: [known, known] }),
    renderTally({ fresh: [], carried: [known], fixed: [known], fixedBefore: [known] }),
  ]).toEqual([
    ...['1 critical, 1 high, 1 medium, 2 low, 1 info', '', '', '', '1 new, 1 carried', '2 fixed'],
    '1 carried, 2 fixed',
  ]);
});

type Body = Parameters<typeof renderReviewBody>[0];
const bodyOf = (more: Partial<Body>) =>
  renderReviewBody(
    {
      ...{ reconciled: { fresh: [], carried: [], fixed: [] }, changes: 0, event: 'COMMENT', complete: true },
      ...{ listed: 0, summaryUrl: null },
      ...more,
    },
    plan,
  );
const fresh = [{ id: 'f1', finding }];

test('counts new and open findings in the verdict', () => {
  const verdict = (more: Partial<Body>) => bodyOf(more);
  const mark = '<!-- anode:review v1 run=run_1 -->\n';
  expect([
    verdict({ reconciled: { fresh, carried: [], fixed: [] } }),
    verdict({ reconciled: { fresh, carried: [known], fixed: [] }, changes: 2 }),
    verdict({ reconciled: { fresh: [], carried: [{ ...known, severity: 'low' }], fixed: [known] } }),
    verdict({ reconciled: { fresh: [], carried: [], fixed: [known] }, event: 'APPROVE' }),
    verdict({ changes: 1, complete: false }),
  ]).toEqual([
    `${mark}**1 finding**: 1 high.`,
    `${mark}**1 new, 1 carried.** New: 1 high. Open from before: 1 high. 2 suggested changes.`,
    `${mark}**1 carried, 1 fixed.** Open from before: 1 low.`,
    `${mark}**1 fixed.** **Nothing is open.**`,
    '<!-- anode:review v1 run=run_1 partial=1 -->\n1 suggested change.',
  ]);
});

const note = { statedLine: null, applicable: false };

test('says where the new findings are that have no comment', () => {
  const three = ['f1', 'f2', 'f3'].map((id) => ({ id, finding }));
  const first = { fresh: three, carried: [], fixed: [] };
  const later = { ...first, carried: [known] };
  const summaryUrl = 'https://github.com/acme/shop/pull/7#issuecomment-9';
  const said = (more: Partial<Body>) => bodyOf(more).split('. ').at(-1);
  expect([
    said({ reconciled: first, listed: 2, summaryUrl }),
    said({ reconciled: first, listed: 1 }),
    said({ reconciled: later, listed: 1, summaryUrl }),
    said({ reconciled: later, listed: 3 }),
    said({ reconciled: { ...later, fresh }, listed: 1 }),
  ]).toEqual([
    `2 of them are only in the [summary](${summaryUrl}).`,
    '1 of them is only in the summary.',
    `1 of the new ones is only in the [summary](${summaryUrl}).`,
    'The new ones are only in the summary.',
    'The new one is only in the summary.',
  ]);
});

test('renders text, check, suggestion and its result', () => {
  const told = (more: Partial<Finding>, given: object = {}) =>
    renderFinding({ ...finding, ...more }, { ...note, ...given }, plan);
  const head = '**high** · Off by one\n\nThe loop ends one too early.';
  expect([
    told({}),
    told({}, { statedLine: 9, checked: 'Tried.', omitted: 'Left out.' }),
    told({ suggestion: 'a\r\nb' }, { applicable: true, checked: 'Tried.', omitted: 'Left out.' }),
    told({ suggestion: 'a' }),
    told({ check: 'files' }),
    told({ title: `a\n${'t'.repeat(400)}`, body: ' x ' }),
  ]).toEqual([
    head,
    '**high** · Off by one\n\nAbout line 9, which is not part of this diff.\n\nThe loop ends one too early.\n\nLeft out.',
    `${head}\n\n\`\`\`suggestion\na\nb\n\`\`\`\n\nTried.`,
    `${head}\n\nWhat it could be instead:\n\n\`\`\`\na\n\`\`\``,
    `${head}\n\nChecked by: \`files\``,
    `**high** · a ${'t'.repeat(297)}…\n\nx`,
  ]);
  const long = told({ body: 'b'.repeat(20_001), check: 'c'.repeat(301) });
  expect(long.split('\n\n').slice(1)).toEqual([
    'b'.repeat(20_000 - '\n\n[cut]'.length),
    '[cut]',
    `Checked by: \`${'c'.repeat(299)}…\``,
  ]);
  expect(told({ body: 'b'.repeat(20_000) }).split('\n\n')[1]).toBe('b'.repeat(20_000));
});

test('links a finding at the reviewed commit, a deleted line at the base', () => {
  const link = (more: Partial<Finding>, change: Parameters<typeof samplePlan>[0] = {}) =>
    locationLink({ ...finding, ...more }, samplePlan(change));
  const { checkout } = plan;
  expect([
    link({}),
    link({ start_line: 1 }),
    link({ side: 'LEFT' }),
    link({ side: 'LEFT' }, { checkout: { ...checkout, base_sha: null } }),
    link({ path: 'a b/(c)#d.js' }),
    renderFindingLine({ ...finding, body: 'One\n\ntwo' }, plan),
  ]).toEqual([
    `[\`src/a.js:3\`](${root}/${headSha}/src/a.js#L3)`,
    `[\`src/a.js:3\`](${root}/${headSha}/src/a.js#L1-L3)`,
    `[\`src/a.js:3\`](${root}/${baseSha}/src/a.js#L3)`,
    `[\`src/a.js:3\`](${root}/${headSha}/src/a.js#L3)`,
    `[\`a b/(c)#d.js:3\`](${root}/${headSha}/a%20b/%28c%29%23d.js#L3)`,
    `- **high** · [\`src/a.js:3\`](${root}/${headSha}/src/a.js#L3) Off by one\n\n  One\n  \n  two`,
  ]);
});

test('renders a table of findings within the budget, worst first', () => {
  const all = [
    { ...finding, severity: 'low' as const, title: `a|b\n${'t'.repeat(400)}`, category: 'c'.repeat(61) },
    { ...finding, severity: 'critical' as const },
    finding,
  ];
  const head = '| Severity | Where | Finding | Category |\n| --- | --- | --- | --- |';
  const where = locationLink(finding, plan);
  const row = (severity: string) => `\n| ${severity} | ${where} | Off by one | bug |`;
  const last = `\n| low | ${where} | a\\|b ${'t'.repeat(295)}… | ${'c'.repeat(59)}… |`;
  const rest = (count: string) => `\n\n… and ${count}`;
  const whole = `${head}${row('critical')}${row('high')}${last}`;
  expect(renderFindingsTable(all, plan, 10_000)).toBe(whole);
  const budget = whole.length + rest('3 more findings').length;
  expect([
    renderFindingsTable(all, plan, budget) === whole,
    renderFindingsTable(all, plan, budget - 1),
    renderFindingsTable(all, plan, 200),
    renderFindingsTable([], plan, 10_000),
  ]).toEqual([true, `${head}${row('critical')}${row('high')}${rest('1 more finding')}`, '', '']);
  const told = renderFindingLine(finding, plan);
  expect(unlistedFindings([finding, { ...finding, line: 4 }], `x\n${told}\ny`, plan)).toEqual([
    { ...finding, line: 4 },
  ]);
});

test('withdraws only our own reviews, with the reason', async () => {
  const done: unknown[] = [];
  const octokit = { rest: { pulls: { dismissReview: async (query: object) => void done.push(query) } } };
  const reviews = ['APPROVED', 'CHANGES_REQUESTED', 'COMMENTED'].map((state, id) => ({ id, state }));
  const posts = { reviews, remarks: [], listed: new Map() } as never;
  await withdrawReviews('APPROVED', plan, posts, { octokit: octokit as never });
  await withdrawReviews('CHANGES_REQUESTED', plan, posts, { octokit: octokit as never });
  const place = { owner: 'acme', repo: 'shop', pull_number: 7 };
  expect(done).toEqual([
    { ...place, review_id: 0, message: `There are open findings at ${headSha.slice(0, 12)}.` },
    { ...place, review_id: 1, message: `Nothing that asks for changes is open at ${headSha.slice(0, 12)}.` },
  ]);
});

test('returns the result of a review and the part for the report', () => {
  const far = { id: 'f2', finding: { ...finding, title: 'Far' } };
  const both = [finding, far.finding];
  const reconciled = {
    ...{ fresh: [...fresh, far], carried: [known], fixed: [], dismissed: [], repeated: [], known: [] },
  };
  const proposals: Proposals = { suggestions: [], leftover: 'left', whole: 'whole' };
  const made: MadeReview = {
    review: null,
    ...{ offered: [], onLines: ['f1'] },
  };
  const posted = { id: 1, url: 'u', comments: 2 };
  const ports = { store: null, reviewed: null } as never;
  const published = (result: Parameters<typeof publishedReview>[0]['result'], review = ports) =>
    publishedReview({ reconciled, result, proposals, review, patch: '' });
  const whole = { carried: 1, tally: '2 new, 1 carried' };
  expect([
    published({ posted, made, suggested: true, note: null }),
    published({ posted: null, made, suggested: false, note: 'Refused.' }),
    published(null),
  ]).toEqual([
    {
      ...whole,
      posted,
      findings: [{ ...finding, title: 'Far' }],
      notes: [],
      patch: 'left',
    },
    {
      ...{ ...whole, posted: null, findings: [{ ...finding, title: 'Far' }] },
      ...{ notes: ['Refused.'], patch: 'whole' },
    },
    { ...whole, posted: null, findings: both, notes: [], patch: 'whole' },
  ]);
  const unshown = (count: number, reviewed: object | null = null) =>
    published(null, {
      unshown: Array.from({ length: count }, (_, index) => `f${index}`),
      reviewed,
    } as never).notes;
  const begin = 'The change is too large to be shown to the reviewer whole, who could only read on in';
  const ten = '`f0`, `f1`, `f2`, `f3`, `f4`, `f5`, `f6`, `f7`, `f8`, `f9`';
  expect([unshown(0), unshown(1), unshown(10), unshown(12, { unseen: ['f0'] }), unshown(1, {})]).toEqual([
    [],
    [`${begin} 1 file: \`f0\`.`],
    [`${begin} 10 files: ${ten}.`],
    [`${begin} 12 files: ${ten}, 2 more. The next review begins with those that fit.`],
    [`${begin} 1 file: \`f0\`.`],
  ]);
});

const diff =
  'diff --git a/src/a.js b/src/a.js\n--- a/src/a.js\n+++ b/src/a.js\n@@ -1,4 +1,4 @@\n one\n two\n-old\n+three\n four\n';
const map = createHunkMap(diff);
const nothing = { carried: [], fixed: [], dismissed: [], repeated: [], known: [] };
const made = (findings: readonly Finding[], more: object = {}) =>
  makeReview({
    ...{ plan, map, event: 'COMMENT', complete: true, verdictIsNews: false, suggestions: [] },
    ...{ budget: 30, threadsFrom: 'info' as const },
    reconciled: { ...nothing, fresh: findings.map((one, index) => ({ id: `f${index}`, finding: one })) },
    ...more,
  });

test('does not offer a suggestion that failed its test', () => {
  const one = { ...finding, suggestion: 'drei' };
  const [offered] = made([one]).offered;
  const digest = createHash('sha256').update('["drei"]').digest('hex').slice(0, 16);
  const check = (result: 'passed' | 'failed', name: string) => ({
    checks: [
      {
        ...{ path: 'src/a.js', first_line: 3, last_line: 3, digest: name, result },
        ...{ command: 'npm test', said: result === 'passed' ? 'went well.' : 'broke.' },
      },
    ],
  });
  expect(offered).toEqual({
    id: 'f0',
    suggestion: { path: 'src/a.js', firstLine: 3, lastLine: 3, before: ['three'], after: ['drei'] },
  });
  const found = made([one], check('passed', digest));
  const text = (given: ReturnType<typeof made>) => given.review?.comments[0]?.body.split('\n\n').slice(2);
  expect([
    text(found),
    text(made([one], check('failed', digest))),
    text(made([one], check('failed', 'x'))),
  ]).toEqual([
    [expect.stringMatching(/suggestion\ndrei/), 'Tried: `npm test` went well.'],
    ['A suggested change was tried and left out. `npm test` broke.'],
    [expect.stringMatching(/suggestion\ndrei/)],
  ]);
  expect([found.offered.length, made([one], check('failed', digest)).offered]).toEqual([1, []]);
});

test('moves a finding to the nearest line, and omits a suggestion that is too long', () => {
  const { review } = made([{ ...finding, line: 6 }]);
  expect(review?.comments.map(({ line, side }) => [line, side])).toEqual([[4, 'RIGHT']]);
  const long = made([{ ...finding, suggestion: 'z\n'.repeat(40_000) }]);
  expect([long.review?.comments[0]?.body, long.offered]).toEqual([
    `${findingMark({ id: 'f0', finding })}\n**high** · Off by one\n\nThe loop ends one too early.`,
    [],
  ]);
});
