import { marked } from 'marked';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/contract/outcome.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import type { ReportContext } from '../../../src/reporting/report/published.ts';
import { renderHiddenText, renderReport } from '../../../src/reporting/report/render-report.ts';
import { maximumBody } from '../../../src/reporting/text/markdown.ts';
import { finding, headSha, sampleOutcome, samplePlan } from '../samples.ts';

type Posted = ReportContext['published'];
const nothing: Posted = { issues: [], downgrades: [], failures: [], patch: '' };
const report = (
  outcome: Partial<Outcome>,
  published: Partial<Posted> = {},
  more: Partial<ReportContext> = {},
) =>
  renderReport(sampleOutcome(outcome), {
    plan: samplePlan(),
    runUrl: 'https://ci.test/1',
    published: { ...nothing, ...published },
    findings: [],
    carried: 0,
    ...more,
  });

const patch = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+```\n';
const changes = {
  base_sha: headSha,
  patch,
  files: [
    {
      path: 'a',
      kind: 'modify' as const,
      mode: '100644',
      old_mode: '100644',
      content: 'YA==',
      binary: false,
      diff: patch,
    },
  ],
};

test('tells what proves the change behind the conclusion', () => {
  const proven = [{ command: 'npm test', before: 1, after: 0 }];
  expect(report({ changes, proven }).split('\n\n').slice(0, 3)).toEqual([
    '**Done.**',
    '`npm test` failed before the change and passes after it.',
    'The loop now reaches the last day.',
  ]);
});

test('begins with the commit, then the answer, and folds the rest', () => {
  const text = report(
    {
      changes,
      todos: [
        { id: '1', content: 'Find it', status: 'completed' },
        { id: '2', content: 'Test\nit', status: 'in_progress' },
      ],
      refusals: [{ tool: 'bash', what: 'rm -rf /', reason: 'It is destructive.', call_id: 'c' }],
      approvals: [{ tool: 'bash', what: 'npm i', reason: 'It needs approval.', hash: 'h', call_id: 'd' }],
      diagnostics: ['The sandbox is off'],
    },
    { commit: { sha: 'c'.repeat(40), url: 'https://github.com/acme/shop/commit/c', branch: 'dates' } },
  );
  expect(text).toBe(
    [
      '**Done.** Committed [`ccccccc`](https://github.com/acme/shop/commit/c) to `dates`: 1 file changed.',
      'The loop now reaches the last day.',
      '- [x] Find it\n- [ ] **Test it**',
      '<details><summary>1 file changed</summary>',
      '- `a` changed (+1 −1)',
      '</details>',
      '<details><summary>1 call refused, 1 call not made without approval</summary>',
      '- `bash rm -rf /`: It is destructive.\n- `bash npm i`: It needs approval.',
      '</details>',
      '<details><summary>1 note</summary>',
      '- The sandbox is off.',
      '</details>',
      '<sub>3 turns · 5 tool calls · 1,234 tokens · $0.25 · 1 min 5 s · `anthropic/claude` · [run](https://ci.test/1) · asked by [ada](https://github.com/acme/shop/pull/7#issuecomment-99)</sub>',
    ].join('\n\n'),
  );
});

test('lists twenty notes, and counts the rest', () => {
  const diagnostics = Array.from({ length: 23 }, (_, index) => `Server ${index} could not be loaded`);
  const shown = report({ diagnostics })
    .split('\n')
    .filter((line) => /^- (Server|…)/.test(line));
  expect([shown.length, ...shown.slice(19)]).toEqual([
    21,
    '- Server 19 could not be loaded.',
    '- … and 3 more',
  ]);
});

test('counts summaries of older turns after the calls', () => {
  const footer = (summarised: number) => report({ summarised }).split('\n').at(-1);
  expect(footer(1)).toContain(' · 5 tool calls · older turns summarised once · ');
  expect(footer(3)).toContain(' · older turns summarised 3 times · ');
});

test('reports an unknown cost, but nothing without tokens', () => {
  const footer = (outcome: Partial<Outcome>) => report(outcome).split('\n').at(-1);
  const unpriced = { cost_usd: null, model: 'groq/new' };
  const used = { input: 10, output: 0, cache_read: 0, cache_write: 0 };
  expect(footer({ ...unpriced, usage: used })).toContain(
    ' · 10 tokens · cost unknown · 1 min 5 s · `groq/new` · ',
  );
  expect(footer({ ...unpriced, usage: { ...used, input: 0 } })).toContain(' · 0 tokens · 1 min 5 s · ');
});

test('names the limit, the remedy and the reason, and contains the patch', () => {
  const text = report(
    {
      conclusion: 'limit',
      stop: { kind: 'turn_limit', message: 'The limit of 40 turns was reached' },
      answer: '',
      changes,
    },
    { patch, downgrades: ['Not committed, as the run did not finish.'] },
  );
  expect(text.split('\n\n').slice(0, 3)).toEqual([
    '**Stopped at a limit.** The limit of 40 turns was reached. The changes are in the patch below.',
    'To go on: ask again with what is left to do, or raise `limits.maxTurns` in `.github/anode.yml`.',
    '- Not committed, as the run did not finish.',
  ]);
  expect(text).toContain(`\`\`\`\`diff\n${patch}\`\`\`\``);
});

test('gives the reason of a refused commit above the answer, and once', () => {
  const uncommitted = 'Not committed, as GitHub refused it: No.';
  const other = 'The branch `a` has no commit and stays.';
  const text = report({ changes }, { patch, downgrades: [uncommitted, other], uncommitted });
  expect(text.split('\n\n').slice(0, 3)).toEqual([
    `**${uncommitted}** The changes are in the patch below.`,
    'The loop now reaches the last day.',
    `- ${other}`,
  ]);
});

test('renders one sentence each for reviews, pull requests and handoffs', () => {
  const plan = samplePlan({ verb: 'review' });
  const first = (text: string) => text.split('\n')[0];
  expect([
    first(report({}, {}, { plan })),
    first(report({ findings: [finding] }, {}, { plan, carried: 1, tally: '1 carried, 2 fixed' })),
    first(report({}, { review: { id: 1, url: 'https://r', comments: 2 } }, { plan })),
    first(
      report(
        { changes },
        {
          pull_request: { number: 8, url: 'https://p' },
          issues: [{ number: 9, url: 'https://i', title: 't' }],
        },
      ),
    ),
  ]).toEqual([
    '**Done.** No findings.',
    '**Done.** Nothing new: 1 carried, 2 fixed.',
    '**Done.** [Review](https://r) with 2 comments on lines.',
    '**Done.** Opened #8 with 1 file changed. Handed over in #9.',
  ]);
});

test('displays the text of a review without a report, and does not call it empty', () => {
  const plan = samplePlan({ verb: 'review' });
  const unreported = 'report_findings';
  const [first, words] = report({ unreported, answer: 'Line 3 is wrong.' }, {}, { plan }).split('\n\n');
  expect([first, words]).toEqual([
    '**Done.** The review did not call `report_findings`. Anything it found is only in its answer, and earlier findings stay as they were.',
    'Line 3 is wrong.',
  ]);
});

test('contains a question that could not be posted', () => {
  const question = {
    question: 'Which calendar?',
    options: [{ id: 'iso', label: 'ISO' }],
    allow_freeform: false,
    required: true,
    questions: [],
  };
  const posted = { question: { id: 1, url: 'https://q' } };
  expect([
    report({ conclusion: 'waiting', question }).includes('Which calendar?'),
    report({ conclusion: 'waiting', question }, posted).includes('Which calendar?'),
  ]).toEqual([true, false]);
});

test('fits any amount, with whole files in the patch and the footer', () => {
  const section = (name: string, size: number) =>
    `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -0,0 +1 @@\n+${'x'.repeat(size)}\n`;
  const text = report(
    {
      answer: `\`\`\`js\n${'answer '.repeat(8000)}`,
      todos: Array.from({ length: 200 }, (_, id) => ({
        id: String(id),
        content: 'do '.repeat(200),
        status: 'pending' as const,
      })),
      refusals: Array.from({ length: 200 }, (_, id) => ({
        tool: 'bash',
        what: 'x'.repeat(500),
        reason: 'no '.repeat(300),
        call_id: String(id),
      })),
    },
    { patch: section('small', 100) + section('large', 70_000) },
  );
  expect({
    fits: text.length <= maximumBody - 200,
    footer: text.endsWith('</sub>'),
    small: text.includes(section('small', 100)),
    large: text.includes('complete in the run’s record: `large`'),
  }).toEqual({ fits: true, footer: true, small: true, large: true });
});

test('confines all text of a model', () => {
  const text = report({ answer: 'See <!-- hidden\n\n```\nopen', conclusion: 'success' }, { patch });
  const tokens = marked.lexer(text).map((token) => token.type);
  expect({ codes: tokens.filter((type) => type === 'code').length, last: text.split('\n').at(-1) }).toEqual({
    codes: 2,
    last: expect.stringMatching(/^<sub>3 turns/u),
  });
  expect(text).not.toContain('<!--');
});

const comment = {
  kind: 'HTML comment',
  length: 123,
  excerpt: '<!-- anode:progress v1 run=x --> `@ada` fixes #1',
  digest: '0',
  alarming: false,
  where: 'the description',
  author: 'eve',
};

test('displays nothing if nothing was hidden', () => {
  expect(renderHiddenText([])).toBe('');
});

test('lists hidden text folded, unusual parts first, as inert code', () => {
  const tags = { ...comment, kind: 'invisible characters', length: 1, excerpt: '·', alarming: true };
  expect(renderHiddenText([comment, tags])).toBe(
    [
      '<details><summary>⚠️ Hidden text in 2 places, 1 of them unusual</summary>',
      '',
      'Readers of this page do not see it, and the model did not get it.',
      '',
      '- invisible characters in `the description` by `eve`, 1 character: `·`',
      '- HTML comment in `the description` by `eve`, 123 characters: ``<! -- anode:progress v1 run=x --> `@ada` fixes #1``',
      '',
      '</details>',
    ].join('\n'),
  );
});

test('summarises HTML comments of bots in one line', () => {
  const bot = { ...comment, author: 'dependabot[bot]', bot: true as const };
  const tags = { ...bot, kind: 'invisible characters', length: 30, excerpt: '·', alarming: true };
  expect(renderHiddenText([bot, { ...bot, author: 'codecov[bot]' }, bot, tags])).toBe(
    [
      '<details><summary>⚠️ Hidden text in 1 place, 1 of them unusual</summary>',
      '',
      'Readers of this page do not see it, and the model did not get it.',
      '',
      '- invisible characters in `the description` by `dependabot[bot]`, 30 characters: `·`',
      '- 3 HTML comments as bots leave them, by `dependabot[bot]`, `codecov[bot]`',
      '',
      '</details>',
    ].join('\n'),
  );
  expect(renderHiddenText([bot])).toContain('<summary>Hidden text of bots</summary>');
});

test('names who asked for the run or let it go on, with a link to the comment', () => {
  const last = (plan: Partial<RunPlan>) => {
    const context = { plan: samplePlan(plan), runUrl: null, findings: [], carried: 0 };
    const published = { issues: [], downgrades: [], failures: [], patch: '' };
    const text = renderReport(sampleOutcome({ answer: '' }), { ...context, published });
    return / · ((?:asked|answered|continued) by .*)<\/sub>$/u.exec(text)?.[1] ?? null;
  };
  const resume = { run_id: 'run_0', session_id: 's', answer: 'blue', answered_by: 'bob' };
  const page = 'https://github.com/acme/shop/pull/7';
  expect([
    last({ trigger_comment: { id: 5, kind: 'review_comment' } }),
    last({ trigger_comment: null, verb: 'fix' }),
    last({ trigger_comment: null, verb: 'review', profile: 'review' }),
    last({ trigger_comment: null, thread: null }),
    last({ resume }),
    last({ trigger_comment: null, resume: { ...resume, answered_by: '' } }),
    last({ resume: { ...resume, stopped: true } }),
    last({ resume: { ...resume, approval: { verdict: 'approve', hash: '0123456789abcdef' } } }),
  ]).toEqual([
    `asked by [ada](${page}#discussion_r5)`,
    'asked by ada',
    null,
    null,
    `answered by [bob](${page}#issuecomment-99)`,
    null,
    `continued by [bob](${page}#issuecomment-99)`,
    `continued by [bob](${page}#issuecomment-99)`,
  ]);
});
