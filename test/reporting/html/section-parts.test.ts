import { expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { renderFinalChanges } from '../../../src/reporting/html/render-changes.ts';
import {
  renderApprovals,
  renderHandoffs,
  renderNotes,
  renderRefused,
} from '../../../src/reporting/html/render-refused.ts';
import { renderFindings } from '../../../src/reporting/html/render-run-report.ts';
import { baseSha, finding, handoff, headSha, samplePlan } from '../samples.ts';
import { context, seen, story } from './page-parts.ts';

const kept = (more: object) => ({
  tool: 'bash',
  what: 'rm x',
  reason: 'No.',
  hash: 'h1',
  call_id: 'c1',
  ...more,
});

test('lists refused, weakened and hidden items with their reasons', () => {
  const hidden = [{ kind: 'HTML comment', where: 'the description', author: 'eve', length: 9, excerpt: 'x' }];
  const all = renderRefused(
    context(
      { refusals: [kept({}), kept({ call_id: 'c2' })], approvals: [kept({ call_id: 'c2' })] } as never,
      {
        published: { downgrades: ['Weak.'], failures: ['Down.'] },
        plan: { ...samplePlan(), hidden_text: hidden },
      },
    ),
  );
  expect([seen(all), renderRefused(context({})), renderRefused(context({}, { plan: null }))]).toEqual([
    '|Refused and dropped|5|Calls that were refused|bash rm x|No.|Calls not made without approval|bash rm x|h1|No.|Published in a weaker form|Weak.|Could not be posted|Down.|Text that readers of the thread do not see, kept from the model|HTML comment in the description, by eve, 9 characters|x|',
    null,
    null,
  ]);
  const many = (count: number, scale = 1) =>
    seen(
      renderNotes(
        context({ diagnostics: Array.from({ length: count }, (_, index) => `n${index}`) }, { scale }),
      ),
    )
      ?.split('|')
      .slice(-2)[0];
  expect([many(200), many(201), many(101, 0.5)]).toEqual([
    'n199',
    '1 more left out here.',
    '1 more left out here.',
  ]);
});

test('lists questions, decisions and what the run waits for', () => {
  const grant = {
    permissions: [{ tool: 'bash', action: 'allow' }],
    by: 'ada',
    hash: 'h3',
    reason: 'To build.',
  };
  const decided = (verdict: string) => ({
    tool: 'bash',
    what: 'make',
    hash: 'h2',
    verdict,
    by: 'bob',
    note: 'N',
    head_sha: 'a',
  });
  const question = { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] };
  const all = renderApprovals(
    context({
      ...{ question, pending_approval: kept({}), grants: [grant] },
      decided: [decided('approved'), decided('denied'), decided('lapsed')],
    } as never),
  );
  expect(renderApprovals(context({}))).toBeNull();
  expect(seen(all)).toMatch(
    /^\|Questions and approvals\|waiting\|Which\?\|waiting\|bash rm x\|h1\|No\.\|approved\|by\|bob\|:\|bash make\|h2\|N\|denied\|by\|bob\|:\|bash make\|h2\|N\|approved, but not done\|by\|bob\|:\|bash make\|h2\|N\|granted\|by\|ada\|:\|.*\|h3\|To build\.\|$/,
  );
  expect(all?.html.match(/class="badge [^"]*"/g)).toEqual([
    ...['warning', 'warning', 'good', 'warning', 'warning', 'good'].map((tone) => `class="badge ${tone}"`),
  ]);
});

test('notes an incomplete record once, and lists handoffs with their steps', () => {
  const notes = (finished: boolean, diagnostics: readonly string[]) =>
    seen(renderNotes(context({ diagnostics: [...diagnostics] }, { story: { ...story, finished } })));
  expect([
    notes(true, []),
    notes(false, []),
    notes(true, ['N']),
    notes(false, ['The run ended without saying so.']),
  ]).toEqual([
    null,
    '|Notes|1|The record ends in the middle of the run.|',
    '|Notes|1|N|',
    '|Notes|1|The run ended without saying so.|',
  ]);
  const steps = Array.from({ length: 21 }, (_, index) => `s${index}`);
  const handed = (more: object) => seen(renderHandoffs(context({ handoffs: [{ ...handoff, ...more }] })));
  expect([
    renderHandoffs(context({})),
    handed({}),
    handed({ goal: 'G', recommended_next_steps: steps }),
  ]).toEqual([
    null,
    '|Handed over|user|Tokens are migrated.|',
    `|Handed over|user|G|${steps.slice(0, 20).join('|')}|`,
  ]);
});

test('lists findings with their locations, worst first', () => {
  const told = (findings: readonly Partial<Finding>[], more: object = {}) =>
    renderFindings(context({ findings: findings.map((one) => ({ ...finding, ...one })) }, more));
  expect(told([])).toBeNull();
  const levels = ['info', 'low', 'medium', 'high', 'critical'] as const;
  expect(told(levels.map((severity) => ({ severity })))?.html.match(/class="badge \w+"/g)).toEqual(
    levels.toReversed().map((severity) => `class="badge ${severity}"`),
  );
  const one = '|Findings|1|high|Off by one|';
  const text = '|bug|The loop ends one too early.|';
  expect([
    seen(told([{}])),
    seen(told([{ start_line: 1, side: 'LEFT' }])),
    seen(told([{ start_line: 3, suggestion: 'x', check: 'files' }])),
  ]).toEqual([
    `${one}src/a.js:3${text}`,
    `${one}src/a.js:1–3|before the change${text}`,
    `${one}src/a.js:3${text}Suggestion|x|Checked by|files|`,
  ]);
  const link = (more: Partial<Finding>, change: object = {}) =>
    /href="([^"]*)"/.exec(told([more], change)?.html ?? '')?.[1];
  const blob = 'https://github.com/acme/shop/blob';
  const { checkout } = samplePlan();
  expect([
    link({}),
    link({ start_line: 1 }),
    link({ side: 'LEFT', path: 'a b.js' }),
    link({ side: 'LEFT' }, { plan: samplePlan({ checkout: { ...checkout, base_sha: null } }) }),
    link({ path: 'p'.repeat(500) })?.length,
    link({ path: 'p'.repeat(501) }),
    link({}, { plan: null }),
  ]).toEqual([
    `${blob}/${headSha}/src/a.js#L3`,
    `${blob}/${headSha}/src/a.js#L1-L3`,
    `${blob}/${baseSha}/a%20b.js#L3`,
    `${blob}/${headSha}/src/a.js#L3`,
    `${blob}/${headSha}/#L3`.length + 500,
    undefined,
    undefined,
  ]);
  const cut = (count: number, scale = 1) =>
    told(
      Array.from({ length: count }, () => ({})),
      { scale },
    )?.html.match(/<p class="cut">(.*?)<\/p>/)?.[1] ?? null;
  expect([cut(500), cut(501), cut(6, 0.01)]).toEqual([
    null,
    '1 more left out here.',
    '1 more left out here.',
  ]);
});

test('lists changes by file, open if they are short', () => {
  const file = (more: object = {}) => ({
    ...{
      path: 'a',
      kind: 'modify',
      mode: '1',
      old_mode: '1',
      content: '',
      binary: false,
      diff: '@@ -1 +1 @@\n-a\n+b',
    },
    ...more,
  });
  const told = (files: readonly object[], more: object = {}, change: object = {}) =>
    renderFinalChanges(context({ changes: { base_sha: 'a', patch: '', files, ...change } } as never, more));
  const rows = '|Changed lines|@@ -1 +1 @@|1|-|a|1|+|b|';
  expect([
    told([]),
    seen(told([file()])),
    seen(told([file({ kind: 'rename', old_path: 'o' }), file({ kind: 'add', binary: true })])),
    seen(told([file({ kind: 'delete', old_path: 'o' })], { plan: samplePlan({ read_only: true }) })),
    seen(told([], {}, { left_out: ['big'] })),
  ]).toEqual([
    null,
    `|Changes|1|1 file,|+1|−1|changed|a|+1|−1${rows}`,
    `|Changes|2|2 files,|+2|−2|renamed|o → a|+1|−1${rows}added|a|+1|−1|A binary file; its content is not shown.|`,
    `|Changes|1|1 file,|+1|−1|The run could not write to the repository; this is what it proposes.|deleted|a|+1|−1${rows}`,
    '|Changes|0|0 files,|+0|−0|Too large to be part of the changes:|big|',
  ]);
  const open = (...counts: number[]) =>
    told(counts.map((count) => file({ diff: `@@ -0,0 +1 @@\n${'+x\n'.repeat(count)}` })))?.html.match(
      /<details class="file"( open)?>/g,
    );
  const [yes, no] = ['<details class="file" open>', '<details class="file">'];
  expect([open(120), open(121), open(60, 60, 1)]).toEqual([[yes], [no], [yes, yes, no]]);
  const cut = (count: number, scale = 1) =>
    told(
      Array.from({ length: count }, () => file()),
      { scale },
    )?.html.match(/<p class="cut">(.*?)<\/p>/)?.[1] ?? null;
  expect([cut(300), cut(301), cut(152, 0.5)]).toEqual([
    null,
    '1 more file left out here.',
    '2 more files left out here.',
  ]);
  const big = told([file({ diff: `@@ -0,0 +1 @@\n${'+x\n'.repeat(601)}` })]);
  expect(big?.html.match(/<p class="cut">(.*?)<\/p>/)?.[1]).toBe('2 more lines left out here.');
  const names = Array.from({ length: 31 }, (_, index) => `f${index}`);
  expect(told([], {}, { left_out: names })?.html.match(/<code>f\d+/g)?.length).toBe(30);
});

test('bounds each text of findings, calls and decisions', () => {
  const long = 'x'.repeat(40_000);
  const runs = (piece: { html: string } | null) =>
    piece?.html
      .replaceAll(/href="[^"]*"/g, '')
      .match(/x{20,}/g)
      ?.map(({ length }) => length);
  const hidden = [{ kind: 'comment', where: long, author: 'a', length: 3, excerpt: long }];
  const call = { tool: long, what: '', reason: long, hash: long, call_id: 'c' };
  const decided = [{ ...call, verdict: 'lapsed', by: long, note: long }];
  const grants = [{ permissions: [{ tool: long, action: 'allow' }], by: long, hash: long, reason: long }];
  const question = { question: long, options: [], allow_freeform: true, required: true, questions: [] };
  const all = {
    ...{
      refusals: [{ ...call, call_id: 'd' }],
      approvals: [call],
      decided,
      question,
      pending_approval: call,
    },
    diagnostics: [long],
    handoffs: [{ ...handoff, summary: long, recommended_next_steps: [long] }],
    findings: [
      { ...finding, path: long, title: long, category: long, check: long, body: long, suggestion: long },
    ],
  };
  const page = context(all as never, {
    published: { issues: [], downgrades: [long], failures: [long], patch: '' },
    plan: samplePlan({ hidden_text: hidden as never }),
  });
  expect({
    heldBack: runs(renderRefused(page)),
    approvals: runs(renderApprovals(page)),
    notes: runs(renderNotes(page)),
    handoffs: runs(renderHandoffs(page)),
    findings: runs(renderFindings(page)),
    grants: runs(renderApprovals(context({ grants } as never))),
  }).toEqual({
    heldBack: [240, 600, 240, 40, 600, 600, 600, 289, 200],
    approvals: [600, 240, 40, 600, 60, 240, 40, 600],
    notes: [600],
    handoffs: [600, 600],
    findings: [240, 240, 60, 8_400, 3_600, 8_400, 3_600, 200],
    grants: [60, 286, 40, 600],
  });
});
