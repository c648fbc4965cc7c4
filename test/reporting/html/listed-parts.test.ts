import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/contract/outcome.ts';
import { clipText, createPageBudget } from '../../../src/reporting/html/render-text.ts';
import { renderItems, renderTimeline } from '../../../src/reporting/html/render-timeline.ts';
import { context, places, seen, story } from './page-parts.ts';

const call = (more: object = {}) => ({
  ...{
    kind: 'call',
    id: 'c',
    tool: 'bash',
    what: 'ls',
    input: clipText('in'),
    decision: null,
    refused: false,
  },
  ...{ result: { ok: true, content: clipText('out'), errorKind: null, spilled: false, durationMs: 41 } },
  ...{ changes: [], items: [], ...more },
});
const items = (given: readonly object[], left = 99, budget = createPageBudget(100_000, 99)) =>
  renderItems(given as never, { places, budget, remaining: { items: left } });
const shown = (more: object) => seen(items([call(more)]));

test('displays the result of each call', () => {
  const result = call().result;
  const decision = { action: 'allow', reason: 'R', rule: null, level: 'preset', commands: [] };
  expect([
    shown({}),
    shown({ result: { ...result, durationMs: 0.5 } }),
    shown({ result: { ...result, ok: false, errorKind: 'exit', spilled: true } }),
    shown({ result: null }),
    shown({ refused: true }),
    shown({ decision: { ...decision, action: 'ask' }, result: null }),
    shown({ decision: { ...decision, action: 'reject' } }),
    shown({ decision: { ...decision, action: 'reject', mistake: true } }),
    shown({ decision }),
    shown({ decision: { ...decision, rule: 'tests' } }),
  ]).toEqual([
    '|✓|done:|bash|ls|41 ms|Input|in|Output|out|',
    '|✓|done:|bash|ls|Input|in|Output|out|',
    '|✗|failed:|bash|ls|41 ms|Input|in|Error|exit|The whole is kept in the run’s record.|out|',
    '|…|did not end:|bash|ls|Input|in|',
    '|⊘|refused:|bash|ls|41 ms|Input|in|Output|out|',
    '|?|not made, waits for a person:|bash|ls|Needs a person|preset|: R|Input|in|',
    '|⊘|refused:|bash|ls|41 ms|Refused|preset|: R|Input|in|Output|out|',
    '|✓|done:|bash|ls|41 ms|Not run|preset|: R|Input|in|Output|out|',
    '|✓|done:|bash|ls|41 ms|Input|in|Output|out|',
    '|✓|done:|bash|ls|41 ms|Allowed|preset, by tests|: R|Input|in|Output|out|',
  ]);
  const parts = [
    { command: 'a', action: 'allow', reason: 'x' },
    { command: 'b', action: 'ask', reason: 'y' },
  ];
  expect([
    shown({ decision: { ...decision, commands: parts } }),
    shown({ decision: { ...decision, commands: parts.slice(0, 1) } }),
    seen(items([call({ decision: { ...decision, commands: parts } })], 9, createPageBudget(30, 1)))?.includes(
      '2 more',
    ),
  ]).toEqual([
    '|✓|done:|bash|ls|41 ms|Allowed|preset|: R|a|allow: x|b|ask: y|Input|in|Output|out|',
    '|✓|done:|bash|ls|41 ms|Input|in|Output|out|',
    true,
  ]);
  expect(items([call(), call({ changes: [], refused: true })]).html.match(/class="call [^"]*"/g)).toEqual([
    ...['class="call ok"', 'class="call refused"'],
  ]);
});

const change = (more: object = {}) => ({
  ...{
    path: 'a.ts',
    kind: 'modify',
    risk: 'low',
    validation: 'unchecked',
    diff: clipText('@@ -1 +1 @@\n-a\n+b'),
  },
  ...more,
});

test('displays checks and risk of a call’s changes', () => {
  const rest = '|@@ -1 +1 @@|1|-|a|1|+|b|';
  const begin = '|✓|done:|bash|ls|41 ms|Input|in|Output|out|';
  expect([
    shown({ changes: [change()] }),
    shown({ changes: [change({ risk: 'high', validation: 'failed' })] }),
    shown({ changes: [change({ validation: 'passed' })] }),
  ]).toEqual([
    `${begin}a.ts|+1|−1|Changed lines${rest}`,
    `${begin}a.ts|+1|−1|high risk|checks failed|Changed lines${rest}`,
    `${begin}a.ts|+1|−1|checks passed|Changed lines${rest}`,
  ]);
  const badges = (more: object) =>
    items([call({ changes: [change(more)] })]).html.match(/class="(?:badge|call) [^"]*"/g);
  expect([badges({ validation: 'passed' }), badges({ validation: 'failed', risk: 'medium' })]).toEqual([
    ['class="call ok changed"', 'class="badge good"'],
    ['class="call ok changed"', 'class="badge warning"', 'class="badge bad"'],
  ]);
});

test('displays child runs and events, and counts omitted ones', () => {
  const child = (result: object | null, more: object = {}) => ({
    ...{ kind: 'child', id: 'r', title: 'Look', profile: 'find', result, changes: [], items: [] },
    ...more,
  });
  const done = {
    conclusion: 'success',
    summary: clipText('**Well**'),
    turns: 1_000,
    tokens: 2_000,
    costUsd: 0.5,
  };
  const event = (more: string | null) => ({
    kind: 'event',
    tone: 'bad',
    text: 'W',
    more: more === null ? null : clipText(more),
  });
  const one = (item: object) => seen(items([item]));
  expect([
    one(child(done)),
    one(child({ ...done, conclusion: 'limit', costUsd: null })),
    one(child(null, { items: [event(null)] })),
    one(event(null)),
    one(event('more')),
  ]).toEqual([
    '|↳|child run|find: Look|1,000 turns · 2,000 tokens · $0.50|Well|',
    '|↳|child run|find: Look|limit · 1,000 turns · 2,000 tokens|Well|',
    '|↳|child run|find: Look|did not end|W|',
    '|W|',
    '|W|more|',
  ]);
  expect(
    items([child(done, { changes: [change()] }), child(null)]).html.match(/class="call [^"]*"/g),
  ).toEqual([...['class="call child ok changed"', 'class="call child bad"']]);
  const many = [event(null), event(null), event(null)];
  expect([items([]).html, seen(items(many, 3)), seen(items(many, 1)), seen(items(many, -1))]).toEqual([
    '',
    '|W|W|W|',
    '|W|2 more left out here.|',
    '|3 more left out here.|',
  ]);
});

test('displays the timeline by turn, with the first and the last of very many', () => {
  const turn = (number: number, more: object = {}) => ({
    ...{ number, at: '2026-01-01T00:00:02Z', text: null, costUsd: 0, childTokens: 0, items: [] },
    usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
    ...more,
  });
  const timeline = (turns: readonly object[], more: object = {}, outcome: Partial<Outcome> = {}) =>
    seen(
      renderTimeline(
        context(outcome, { story: { ...story, startedAt: '2026-01-01T00:00:00Z', turns, ...more } }),
      ),
    )?.replace(/^.*changes only\|/, '');
  const spent = {
    usage: { input: 1_000, output: 1, cache_read: 0, cache_write: 0 },
    childTokens: 1,
    costUsd: 0.5,
  };
  const answer = { answer: 'The  end' };
  expect([
    timeline([]),
    timeline([turn(1)], { before: [{ kind: 'event', tone: 'bad', text: 'W', more: null }] }),
    timeline([turn(1, spent)]),
    timeline([turn(1, { at: '2025-12-31T00:00:00Z', costUsd: null, text: clipText('Said') })]),
    timeline([turn(1, { text: clipText('The end') })], {}, answer),
    timeline([turn(1, { text: clipText('The end') }), turn(2)], {}, answer),
    timeline([turn(1, { text: clipText('else') })], {}, answer),
    timeline([turn(1, { text: clipText('') })], {}, { answer: '' }),
  ]).toEqual([
    '',
    'Start|W|Turn 1|after 2.0 s|',
    'Turn 1|after 2.0 s · 1,002 tokens · $0.50|',
    'Turn 1|Said|',
    'Turn 1|after 2.0 s|Gave the|answer|.|',
    'Turn 1|after 2.0 s|The end|Turn 2|after 2.0 s|',
    'Turn 1|after 2.0 s|else|',
    'Turn 1|after 2.0 s|',
  ]);
  const many = (count: number) => {
    const text = timeline(Array.from({ length: count }, (_, index) => turn(index + 1))) ?? '';
    return [text.match(/Turn \d+/g)?.length, text.match(/\|([^|]*left out here[^|]*)\|/)?.[1] ?? null];
  };
  expect([many(700), many(702)]).toEqual([
    [700, null],
    [700, '2 turns left out here.'],
  ]);
});
