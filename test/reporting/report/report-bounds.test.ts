import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/contract/outcome.ts';
import { renderCost } from '../../../src/reporting/progress/render-progress.ts';
import { limitKeys } from '../../../src/reporting/report/limit-keys.ts';
import type { ReportContext } from '../../../src/reporting/report/published.ts';
import { renderEnd } from '../../../src/reporting/report/render-end.ts';
import { renderNextStep } from '../../../src/reporting/report/render-next-step.ts';
import { renderHiddenText, renderReport } from '../../../src/reporting/report/render-report.ts';
import { renderFindingLine } from '../../../src/reporting/review/render-finding.ts';
import { finding, headSha, sampleOutcome, samplePlan } from '../samples.ts';

type Posted = ReportContext['published'];
const footer =
  '<sub>3 turns · 5 tool calls · 1,234 tokens · $0.25 · 1 min 5 s · `anthropic/claude` · asked by [ada](https://github.com/acme/shop/pull/7#issuecomment-99)</sub>';
/** The parts of a report without its first and its last. */
const parts = (
  outcome: Partial<Outcome>,
  published: Partial<Posted> = {},
  more: Partial<ReportContext> = {},
  limit?: number,
) => {
  const context = {
    ...{ plan: samplePlan(), runUrl: null, findings: [], carried: 0, ...more },
    published: { issues: [], downgrades: [], failures: [], patch: '', ...published },
  };
  const text = renderReport(sampleOutcome({ answer: '', ...outcome }), context, limit);
  expect(text.split('\n\n').at(-1)).toMatch(/^<sub>/);
  return text.split('\n\n').slice(1, -1);
};
const list = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index)).join('\n');
const folded = (summary: string, inside: string) => [
  `<details><summary>${summary}</summary>`,
  inside,
  '</details>',
];

test('renders two lines for an empty run', () => {
  const context = { plan: samplePlan(), runUrl: null, findings: [], carried: 0 };
  const published = { issues: [], downgrades: [], failures: [], patch: '' };
  expect(renderReport(sampleOutcome({ answer: '' }), { ...context, published })).toBe(
    `**Answered, nothing changed.**\n\n${footer}`,
  );
});

test('lists at most twenty downgrades, apart from the run’s own list', () => {
  const sentences = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);
  const todos = [{ id: '1', content: 'Do', status: 'pending' as const }];
  expect([
    parts({ todos }, { downgrades: ['a\nb'], failures: ['x'.repeat(601)] }),
    parts({ todos }),
    parts({}, { downgrades: sentences(21), failures: ['f'] }),
  ]).toEqual([
    [`- a b\n- ${'x'.repeat(599)}…`, 'Its list:', '- [ ] Do'],
    ['- [ ] Do'],
    [`${list(20, (index) => `- s${index}`)}\n- f`],
  ]);
});

test('lists fifty findings', () => {
  const found = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...finding, body: `b${index}` }));
  const shown = (count: number) => parts({}, {}, { findings: found(count) }).join('\n\n');
  const lines = (count: number) =>
    list(count, (index) => renderFindingLine({ ...finding, body: `b${index}` }, samplePlan()));
  expect([shown(1), shown(50), shown(51)]).toEqual([
    `1 finding:\n\n${lines(1)}`,
    `50 findings:\n\n${lines(50)}`,
    `51 findings:\n\n${lines(50)}\n- … and 1 more in the run’s record`,
  ]);
});

test('lists thirty files with kind and line counts', () => {
  const file = (more: object) => ({
    ...{ path: 'a', kind: 'modify', mode: '1', old_mode: '1', content: null, binary: false, diff: '' },
    ...more,
  });
  const told = (...files: object[]) => parts({ changes: { base_sha: headSha, patch: '', files } as never });
  const diff = '--- a\n+++ b\n@@ -1 +1 @@\n+x\n-y\n-z\n';
  expect([
    told(file({ kind: 'add', diff }), file({ kind: 'modify', old_path: 'o' }), file({ kind: 'delete' })),
    told(file({ kind: 'rename', old_path: 'o' }), file({ kind: 'rename' })),
  ]).toEqual([
    folded('3 files changed', '- `a` added (+1 −2)\n- `a` changed\n- `a` deleted'),
    folded('2 files changed', '- `a` renamed from `o`\n- `a` renamed'),
  ]);
  const many = (count: number) => told(...Array.from({ length: count }, () => file({})));
  const lines = list(30, () => '- `a` changed');
  expect([many(30), many(31)]).toEqual([
    folded('30 files changed', lines),
    folded('31 files changed', `${lines}\n- … and 1 more`),
  ]);
});

test('lists thirty refused or unapproved calls, cut to length', () => {
  const call = { tool: 'bash', what: 'x', reason: 'No.', call_id: 'c' };
  const refused = (count: number) => Array.from({ length: count }, () => call);
  const told = (refusals: object[], approvals: object[]) => parts({ refusals, approvals } as never);
  const proposed = { ...call, call_id: 'd' };
  const line = '- `bash x`: No.';
  expect([
    told(refused(2), []),
    told([], [call]),
    told([{ ...call, what: 'w'.repeat(300), reason: 'r'.repeat(401) }], []),
    told(refused(29), [proposed]),
    told(refused(30), [proposed]),
    told([call], [call]),
  ]).toEqual([
    folded('2 calls refused', `${line}\n${line}`),
    folded('1 call not made without approval', line),
    folded('1 call refused', `- \`bash ${'w'.repeat(194)}…\`: ${'r'.repeat(399)}…`),
    folded(
      '29 calls refused, 1 call not made without approval',
      list(30, () => line),
    ),
    folded('30 calls refused, 1 call not made without approval', `${list(30, () => line)}\n- … and 1 more`),
    folded('1 call not made without approval', line),
  ]);
  const notes = (count: number) =>
    parts({ diagnostics: Array.from({ length: count }, (_, index) => `n${index}`) });
  const all = list(20, (index) => `- n${index}.`);
  expect([notes(20), notes(21), parts({ diagnostics: ['n'.repeat(500)] })[1]]).toEqual([
    folded('20 notes', all),
    folded('21 notes', `${all}\n- … and 1 more`),
    `- ${'n'.repeat(399)}…`,
  ]);
});

test('displays times and costs in the last line', () => {
  const last = (outcome: Partial<Outcome>) => {
    const context = { plan: samplePlan(), runUrl: 'https://ci', findings: [], carried: 0 };
    const published = { issues: [], downgrades: [], failures: [], patch: '' };
    return renderReport(sampleOutcome(outcome), { ...context, published })
      .split('\n')
      .at(-1)
      ?.split(' · ')
      .slice(3, 5);
  };
  const time = (duration_ms: number) => last({ duration_ms })?.[1];
  expect([0, 499, 59_499, 59_500, 3_599_499, 3_599_500, 7_380_000].map(time)).toEqual([
    ...['0 s', '0 s', '59 s', '1 min 0 s', '59 min 59 s', '1 h 0 min', '2 h 3 min'],
  ]);
  expect([0, 0.05, 0.0999, 0.1, 2.345].map(renderCost)).toEqual([
    '$0.00',
    '$0.0500',
    '$0.0999',
    '$0.10',
    '$2.35',
  ]);
});

test('cuts the answer to the budget, and omits it for plans and empty reviews', () => {
  const review = samplePlan({ verb: 'review' });
  const answer = { answer: 'Said.' };
  expect([
    parts(answer),
    parts(answer, { plan: { id: 1, url: 'u' } }),
    parts(answer, {}, { plan: review }),
    parts(answer, {}, { plan: review, tally: '1 new' }),
    parts({ ...answer, findings: [finding] }, {}, { plan: review }),
    parts({ ...answer, conclusion: 'limit' }, {}, { plan: review })[0],
  ]).toEqual([['Said.'], [], [], [], ['Said.'], 'Said.']);
  const note = '[cut: the whole answer is in the run’s record]';
  const whole = `**Answered, nothing changed.**\n\n${footer}`.length + 8;
  const shown = (length: number, limit?: number) => parts({ answer: 'a'.repeat(length) }, {}, {}, limit);
  expect([
    shown(29_900),
    shown(29_901),
    shown(100, whole + 200),
    shown(101, whole + 200)[1],
    shown(1, whole + 199),
  ]).toEqual([
    ['a'.repeat(29_900)],
    ['a'.repeat(29_900 - note.length - 2), note],
    ['a'.repeat(100)],
    note,
    [],
  ]);
});

test('displays whole files of a patch within the budget, and names the others', () => {
  const section = (name: string, size: number) =>
    `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -0,0 +1 @@\n+${'x'.repeat(size)}\n`;
  const limit = 5_000;
  const shown = (patch: string) => parts({}, { patch }, { plan: samplePlan({ verb: 'improve' }) }, limit);
  const title = '<details><summary>The patch (save it and run <code>git apply</code>)</summary>';
  const whole = '**Done.** The proposed changes are in the patch below.';
  const budget = limit - whole.length - footer.length - 8 - 1_000 - 300;
  const fits = section('a', budget - section('a', 0).length);
  const over = section('a', budget - section('a', 0).length + 1);
  const missing = (names: string) => `Too long to show here, complete in the run’s record: ${names}`;
  expect([shown(fits), shown(over), shown(over + section('b', 5))]).toEqual([
    [title, `\`\`\`diff\n${fits}\`\`\``, '</details>'],
    [title, missing('`a`'), '</details>'],
    [title, `\`\`\`diff\n${section('b', 5)}\`\`\``, missing('`a`'), '</details>'],
  ]);
});

test('cuts to a hundred characters below the limit, and no earlier', () => {
  const context = { plan: samplePlan(), runUrl: null, findings: [], carried: 0 };
  const published = { issues: [], downgrades: ['d'.repeat(500)], failures: [], patch: '' };
  const report = (limit?: number) =>
    renderReport(sampleOutcome({ answer: '' }), { ...context, published }, limit);
  const whole = report();
  expect([report(whole.length), report(whole.length - 1)]).toEqual([
    whole,
    `${whole.slice(0, whole.length - 108)}\n\n[cut]`,
  ]);
});

test('names the configuration key of each limit', () => {
  const keys = {
    turn_limit: 'limits.maxTurns',
    tool_call_limit: 'limits.maxToolCalls',
    token_limit: 'limits.maxTokens',
    cost_limit: 'limits.maxCostUsd',
    time_limit: 'limits.timeoutSeconds',
  };
  expect(limitKeys).toEqual(keys);
  const stop = { kind: 'cost_limit', message: 'm' } as const;
  const outcome = sampleOutcome({ conclusion: 'limit', stop });
  expect([
    renderNextStep(outcome, samplePlan(), 'bot'),
    renderNextStep(outcome, samplePlan({ config_file: 'own.yml' })),
  ]).toEqual([
    'To go on from here, with a limit of its own: `/bot continue`. Or raise `limits.maxCostUsd` in `.github/anode.yml`.',
    'To go on: ask again with what is left to do, or raise `limits.maxCostUsd` in `own.yml`.',
  ]);
});

test('states cause and remedy for a run without a report', () => {
  const end = (
    kind: 'failed' | 'cancelled' | 'superseded',
    runUrl: string | null = null,
    message = ' It @broke ',
  ) => renderEnd({ kind, message }, runUrl);
  expect([
    end('failed'),
    end('failed', 'https://ci'),
    end('cancelled'),
    end('superseded'),
    end('failed', null, 'x'.repeat(2_001)).split('\n')[0],
  ]).toEqual([
    '**Failed.** It @\u200bbroke.\n\nTo go on: look into the log of the run for the cause, then ask again.',
    '**Failed.** It @\u200bbroke.\n\nTo go on: look into the [log of the run](https://ci) for the cause, then ask again.',
    '**Cancelled.** It @\u200bbroke.\n\nTo start over, ask again.',
    '**Superseded.** It @\u200bbroke.',
    `**Failed.** ${'x'.repeat(1_999)}…`,
  ]);
});

test('lists twenty hidden parts and five bots, cut to length', () => {
  const part = {
    kind: 'tag',
    length: 2,
    excerpt: 'e',
    digest: '0',
    alarming: false,
    where: 'w',
    author: 'a',
  };
  const lines = (hidden: object[]) =>
    renderHiddenText(hidden as never)
      .split('\n')
      .slice(4, -2);
  const bot = (author: string, more: object = {}) => ({
    ...part,
    kind: 'HTML comment',
    bot: true,
    author,
    ...more,
  });
  const line = '- tag in `w` by `a`, 2 characters: `e`';
  const same = (count: number) => Array.from({ length: count }, () => part);
  expect([
    lines(same(20)),
    lines(same(21)).slice(-1),
    lines([{ ...part, where: 'w'.repeat(121), author: 'a'.repeat(61), excerpt: `${'e'.repeat(90)}` }]),
    lines(['a', 'b', 'c', 'd', 'e', 'a'].map((author) => bot(author))),
    lines(['a', 'b', 'c', 'd', 'e', 'f'].map((author) => bot(author))),
    lines([bot('x'.repeat(61))]),
    lines([bot('a', { alarming: true }), bot('a', { kind: 'tag' }), { ...part, kind: 'HTML comment' }])
      .length,
  ]).toEqual([
    Array.from({ length: 20 }, () => line),
    ['- … and 1 more'],
    [`- tag in \`${'w'.repeat(119)}…\` by \`${'a'.repeat(59)}…\`, 2 characters: \`${'e'.repeat(79)}…\``],
    ['- 6 HTML comments as bots leave them, by `a`, `b`, `c`, `d`, `e`'],
    ['- 6 HTML comments as bots leave them, by `a`, `b`, `c`, `d`, `e` and more'],
    [`- 1 HTML comment as bots leave them, by \`${'x'.repeat(59)}…\``],
    3,
  ]);
  const summary = (hidden: object[]) =>
    /<summary>(.*?)<\/summary>/.exec(renderHiddenText(hidden as never))?.[1];
  expect([
    summary([part]),
    summary([{ ...part, alarming: true }, part, bot('a')]),
    summary([bot('a')]),
  ]).toEqual([
    'Hidden text in 1 place',
    '⚠️ Hidden text in 2 places, 1 of them unusual',
    'Hidden text of bots',
  ]);
});
