import { expect, test } from 'vitest';
import type { PreviousFinding } from '../../../src/contract/review-record.ts';
import { describeFindings, type FindingFacts } from '../../../src/reporting/findings/describe-findings.ts';
import { claimRequest } from '../../../src/reporting/findings/fixed-claims.ts';

const known = (id: string, more: Partial<PreviousFinding> = {}): PreviousFinding => ({
  ...{ id, path: 'a.js', side: 'RIGHT', line: 3, severity: 'high', category: 'bug', title: `Title ${id}` },
  ...{ check: null, anchor: 'x', window: 'w', occurrence: 0, state: 'open', run_id: 'run_2' },
  ...{ dismissed_by: null, fixed: null, ...more },
});
const comment = (fp: string, ...replies: { login: string; bot: boolean; body: string }[]) => ({
  ...{ fp, fields: {}, id: 1, nodeId: 'n', reviewId: 1, path: 'a.js', side: 'RIGHT' as const, line: 3 },
  ...{ diffHunk: '', body: '', createdAt: '2026-01-02T03:04:05Z', thumbsDown: 0, replies },
});
const facts = (findings: readonly PreviousFinding[], ...order: string[]): FindingFacts => ({
  findings,
  posts: {
    reviews: [{ id: 1, url: '', body: '', state: '', commit: null, run: 'run_2', partial: false }],
    comments: order.map((fp) => comment(fp)),
    listed: new Map(),
  },
  dismissed: new Map(),
});
const list = (text: string) => /<findings>\n(.*?)\n<\/findings>/s.exec(text)?.[1]?.split('\n');

test('lists findings in the order of the thread, with ids and stored states', () => {
  const findings = [
    known('f4', { state: 'dismissed', dismissed_by: 'ada', dismissed_reason: 'On <b>purpose\nhere' }),
    known('f3', { state: 'fixed', fixed: { sha: 'a'.repeat(40), run_id: 'r' } }),
    known('f2', { run_id: 'run_1' }),
    known('f1'),
    known('f5', { state: 'fixed', fixed: { sha: null, run_id: 'r' } }),
    known('f6'),
  ];
  const all = facts(findings, 'f1', 'f2', 'f3', 'f4', 'f5', 'f6');
  const people = [
    { login: 'rex', bot: false, body: 'Why?' },
    { login: 'anode-ci[bot]', bot: true, body: '' },
    { login: 'ada', bot: false, body: 'So.' },
  ];
  const comments = [comment('f1', ...people), ...all.posts.comments.slice(1)];
  const text = describeFindings(
    { ...all, posts: { ...all.posts, comments }, dismissed: new Map([['f6', 'bob']]) },
    { which: 'all', claims: true },
  );
  expect(list(text)).toEqual([
    '- f1 a.js:3 [high] bug: Title f1 (open; answered by rex, ada)',
    '- f2 a.js:3 [high] bug: Title f2 (open, carried from an earlier review)',
    `- f3 a.js:3 [high] bug: Title f3 (fixed by ${'a'.repeat(12)})`,
    '- f4 a.js:3 [high] bug: Title f4 (dismissed by ada: On b purpose here)',
    '- f5 a.js:3 [high] bug: Title f5 (fixed)',
    '- f6 a.js:3 [high] bug: Title f6 (dismissed by bob)',
  ]);
  expect(text.endsWith(`\n\n${claimRequest}`)).toBe(true);
});

test('names only the finding whose thread the request is in, and nothing without findings', () => {
  const all = facts([known('f1'), known('f2')], 'f2', 'f1');
  expect([
    list(describeFindings(all, { which: { id: 'f1' }, claims: true })),
    describeFindings(all, { which: { id: 'f3' }, claims: true }),
    describeFindings(facts([]), { which: 'all', claims: true }),
  ]).toEqual([['- f1 a.js:3 [high] bug: Title f1 (open)'], '', '']);
});

test('names the open findings of a request that is about none of them', () => {
  const findings = [known('f1'), known('f2', { state: 'fixed' }), known('f3', { state: 'dismissed' })];
  const folded = known('f4', { folded: true, body: 'Only the summary\nhas this.' });
  const all = { ...facts([...findings, folded], 'f4', 'f1'), dismissed: new Map([['f1', 'bob']]) };
  const open = { which: 'open', claims: false } as const;
  expect([describeFindings(all, open), describeFindings(facts([]), open)]).toEqual([
    'The open findings of earlier reviews, to know of. Only the request decides what to do:\n\n' +
      '<findings>\n- f4 a.js:3 [high] bug: Title f4 (open): Only the summary has this.\n</findings>',
    '',
  ]);
});
