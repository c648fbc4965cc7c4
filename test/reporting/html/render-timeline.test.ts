import { describe, expect, test } from 'vitest';
import { clipText, createPageBudget, type PageBudget } from '../../../src/reporting/html/render-text.ts';
import { renderItems } from '../../../src/reporting/html/render-timeline.ts';
import type {
  StoryCall,
  StoryChange,
  StoryChild,
  StoryEvent,
  StoryItem,
} from '../../../src/reporting/html/run-story.ts';
import { places, seen } from './page-parts.ts';

const result = (more: Partial<NonNullable<StoryCall['result']>> = {}) => ({
  ...{ ok: true, content: clipText('said'), errorKind: null, spilled: false, durationMs: 0 },
  ...more,
});
const call = (more: Partial<StoryCall> = {}): StoryCall => ({
  ...{ kind: 'call', id: 'c', tool: 'bash', what: 'make', input: clipText('given'), decision: null },
  ...{ result: result(), refused: false, changes: [], items: [] },
  ...more,
});
const decision = (more: object) =>
  ({ action: 'allow', reason: 'As it is.', rule: null, level: 'auto_read', commands: [], ...more }) as never;
const change = (more: Partial<StoryChange> = {}): StoryChange =>
  ({
    ...{ path: 'a.ts', kind: 'modified', risk: 'low', validation: 'unchecked' },
    diff: clipText('--- a/a.ts\n+++ b/a.ts\n@@ -1 +1,2 @@\n-x\n+y\n+z\n'),
    ...more,
  }) as StoryChange;
const render = (
  items: readonly StoryItem[],
  { left = 10, budget = createPageBudget(100_000, 100) as PageBudget } = {},
) => {
  const context = { places, budget, remaining: { items: left } };
  return { ...renderItems(items, context), left: context.remaining.items };
};
const words = (...items: StoryItem[]) => seen(render(items));

describe('a call', () => {
  test.each([
    [{}, 'ok', '|✓|done:|bash|make|'],
    [{ result: result({ ok: false }) }, 'bad', '|✗|failed:|bash|make|'],
    [{ result: null }, 'bad', '|…|did not end:|bash|make|'],
    [{ refused: true }, 'refused', '|⊘|refused:|bash|make|'],
    [{ decision: decision({ action: 'reject' }) }, 'refused', '|⊘|refused:|bash|make|'],
    [
      { decision: decision({ action: 'reject', mistake: true }), result: null },
      'bad',
      '|…|did not end:|bash|make|',
    ],
    [
      { decision: decision({ action: 'ask' }), result: null },
      'refused',
      '|?|not made, waits for a person:|bash|make|',
    ],
    [{ decision: decision({ action: 'ask' }) }, 'ok', '|✓|done:|bash|make|'],
    [{ changes: [change()] }, 'ok changed', '|✓|done:|bash|make|'],
  ])('%# displays its result', (more, tone, head) => {
    const { html } = render([call(more as Partial<StoryCall>)]);
    expect(html).toContain(`<details class="call ${tone}">`);
    expect(seen({ html })).toContain(head);
  });

  test.each([
    [{}, '|Input|given|Output|said|'],
    [{ result: null }, '|Input|given|'],
    [{ result: result({ ok: false, errorKind: 'timeout' }) }, '|Input|given|Error|timeout|said|'],
    [{ result: result({ spilled: true }) }, '|Output|The whole is kept in the run’s record.|said|'],
    [{ result: result({ durationMs: 0.9 }) }, '|make|Input|'],
    [{ result: result({ durationMs: 1 }) }, '|make|1 ms|Input|'],
    [{ items: [{ kind: 'event', tone: 'plain', text: 'within', more: null }] }, '|said|within|'],
  ])('%# displays input and output', (more, part) => {
    expect(words(call(more as Partial<StoryCall>))).toContain(part);
  });

  test('labels input and output for screen readers, in at most sixty characters', () => {
    const { html } = render([
      call({ tool: 'x'.repeat(61), result: result({ ok: false, errorKind: 'e'.repeat(61) }) }),
    ]);
    const labels = [...html.matchAll(/aria-label="(\w+) of (x+)(.*?)"/g)].map(([, kind, name = '', end]) => [
      ...[kind, name.length, end],
    ]);
    expect(labels).toEqual([
      ['Input', labels[0]?.[1], '…'],
      ['Output', labels[0]?.[1], '…'],
    ]);
    expect(Number(labels[0]?.[1])).toBeLessThanOrEqual(60);
    expect(html).toContain(` <code>${'e'.repeat(60)}…</code>`);
  });

  test('leaves the budget of an unfinished call to others', () => {
    const asked: number[] = [];
    const budget: PageBudget = { next: (most) => asked.push(most) && most, spend: () => undefined };
    render([call({ result: null }), call({ changes: [change()] })], { budget });
    expect(asked).toEqual([8_000, 0, 8_000, 20_000, 40_000]);
  });
});

describe('a decision', () => {
  const told = (more: object) => words(call({ decision: decision(more) }));
  const part = (command: string) => ({ command, action: 'allow', reason: 'It reads.' });
  test.each([
    [{ rule: 'rule 1' }, '|Allowed|auto_read, by rule 1|: As it is.|Input|'],
    [{ action: 'ask' }, '|Needs a person|auto_read|: As it is.|Input|'],
    [{ action: 'reject' }, '|Refused|auto_read|: As it is.|Input|'],
    [{ action: 'reject', mistake: true }, '|Not run|auto_read|: As it is.|Input|'],
    [{ rule: 'r', commands: [part('a')] }, ': As it is.|Input|'],
    [
      { commands: [part('a'), part('b')] },
      '|Allowed|auto_read|: As it is.|a|allow: It reads.|b|allow: It reads.|Input|',
    ],
  ])('%# displays its reason', (more, expected) => {
    expect(told(more)).toContain(expected);
  });

  test('displays no decision if no rule was involved', () => {
    expect([told({}), told({ commands: [part('a')] })]).toEqual([words(call()), words(call())]);
  });

  test('displays no more parts than the budget allows', () => {
    const many = new Array(80).fill(part('c'.repeat(161)));
    const { html } = render([call({ decision: decision({ commands: many }) })]);
    const [, list = ''] = /<ul>(.*?)<\/ul>/s.exec(html) ?? [];
    const rows = list.match(/<li><code>/g)?.length ?? 0;
    const row = `<li><code>${'c'.repeat(160)}…</code> allow: It reads.</li>`;
    expect(list).toBe(`${row.repeat(rows)}<li class="cut">${80 - rows} more</li>`);
    const share = Math.floor(100_000 / 98);
    expect(rows).toBe(Math.floor(share / Buffer.byteLength(row)));
  });
});

describe('changes of a call', () => {
  test.each([
    [{}, '|a.ts|+2|−1|'],
    [{ risk: 'high' }, '|a.ts|+2|−1|high risk|'],
    [{ validation: 'passed' }, '|a.ts|+2|−1|checks passed|'],
    [{ validation: 'failed' }, '|a.ts|+2|−1|checks failed|'],
    [{ diff: clipText('') }, '|a.ts|+0|−0|'],
    [{ diff: clipText('Binary files differ') }, '|a.ts|+0|−0|'],
  ])('%# is counted', (more, part) => {
    expect(words(call({ changes: [change(more as Partial<StoryChange>)] }))).toContain(part);
  });

  test('marks results as good or bad', () => {
    const html = (more: Partial<StoryChange>) => render([call({ changes: [change(more)] })]).html;
    expect([
      html({ validation: 'passed' }).includes('<span class="badge good">checks passed</span>'),
      html({ validation: 'failed' }).includes('<span class="badge bad">checks failed</span>'),
      html({ risk: 'high' }).includes('<span class="badge warning">high risk</span>'),
    ]).toEqual([true, true, true]);
  });
});

describe('a child run', () => {
  const child = (more: Partial<StoryChild> = {}): StoryChild => ({
    ...{ kind: 'child', id: 'r', title: 'Look', profile: 'find', changes: [], items: [] },
    result: {
      conclusion: 'success',
      summary: clipText('**Found**'),
      turns: 1_234,
      tokens: 5_678,
      costUsd: 0.25,
    },
    ...more,
  });
  const ended = (more: object) => child({ result: { ...child().result, ...more } as StoryChild['result'] });
  test.each([
    [child(), 'child ok', '|find: Look|1,234 turns · 5,678 tokens · $0.25|Found|'],
    [ended({ costUsd: null }), 'child ok', '|find: Look|1,234 turns · 5,678 tokens|Found|'],
    [
      ended({ conclusion: 'failure' }),
      'child bad',
      '|find: Look|failure · 1,234 turns · 5,678 tokens · $0.25|Found|',
    ],
    [child({ result: null }), 'child bad', '|find: Look|did not end|'],
    [child({ changes: [change()] }), 'child ok changed', '|Found|a.ts|+2|−1|'],
    [child({ items: [call()] }), 'child ok', '|Found|✓|done:|bash|make|'],
  ])('%# displays conclusion and result', (item, tone, part) => {
    const { html } = render([item]);
    expect(html).toContain(`<details class="call ${tone}">`);
    expect(seen({ html })).toContain(part);
    expect(html.includes('<div class="nested">')).toBe(item.items.length > 0);
  });
});

describe('an event', () => {
  const event = (more: Partial<StoryEvent> = {}): StoryEvent => ({
    ...{ kind: 'event', tone: 'warning', text: 'A b', more: null },
    ...more,
  });
  test('displays an event as a line, or as a fold', () => {
    expect([render([event()]).html, seen(render([event({ more: clipText('all') })]))]).toEqual([
      '<ol class="items"><li><p class="event warning">A b</p></li></ol>',
      '|A b|all|',
    ]);
    expect(render([event({ more: clipText('all') })]).html).toContain(
      '<details class="event warning"><summary>',
    );
  });

  test('counts omitted items at every level', () => {
    expect(render([])).toMatchObject({ html: '', left: 10 });
    const three = [event(), event(), event()];
    expect([render(three, { left: 3 }).left, seen(render(three, { left: 3 }))?.includes('more')]).toEqual([
      0,
      false,
    ]);
    const cut = render([event(), ...three], { left: 2 });
    expect([cut.left, seen(cut)]).toEqual([0, '|A b|A b|2 more left out here.|']);
    expect(seen(render(three, { left: -1 }))).toBe('|3 more left out here.|');
    const nested = render([call({ items: three }), event()], { left: 3 });
    expect([nested.left, seen(nested)?.endsWith('|A b|2 more left out here.|A b|')]).toEqual([0, true]);
  });
});
