import { describe, expect, test } from 'vitest';
import type { DisplayItem } from '../../../src/contract/display-item.ts';
import { markdownDisplay } from '../../../src/reporting/text/markdown-display.ts';
import { everyComponent } from '../../tools/show/every-component.ts';
import { liveParts, renderGitHub } from './live-parts.ts';

const allow = ['github.com'];
const chart = (type: 'bar' | 'line' | 'sparkline' | 'table', count = 3): DisplayItem => ({
  chart: {
    type,
    title: 'Days | of @octocat',
    points: Array.from({ length: count }, (_, index) => ({ label: `D${index}`, value: index * 1.5 - 1 })),
    width: 40,
  },
});

/** Code where it stands, and none once its lines are one. */
const live = '~~~\n@octocat fixes #1\n~~~';

describe('displayed items as Markdown', () => {
  test('renders every component, and nothing active', async () => {
    const markdown = markdownDisplay([{ render_spec: everyComponent }], 20_000, allow);
    expect(markdown).not.toMatch(/<img|^\s*click|(?<!`)@octocat/m);
    await expect(markdown).toMatchFileSnapshot('golden/every-component.md');
  });

  test('draws charts with their numbers below', async () => {
    const all = (['bar', 'line', 'sparkline', 'table'] as const).map((type) => chart(type));
    await expect(markdownDisplay(all, 20_000, allow)).toMatchFileSnapshot('golden/charts.md');
  });

  test('draws no chart with too many points for GitHub', () => {
    expect(markdownDisplay([chart('line', 61)], 20_000, allow)).not.toContain('mermaid');
  });

  test('omits items above the budget, and counts them', () => {
    const items = [chart('table', 400), chart('sparkline'), chart('table', 400)];
    expect(markdownDisplay(items, 1_000, allow)).toMatch(
      /^\*\*Days .*\n\n`▁▅█`\n\n<details>.*<\/details>\n\n2 more of what was to be shown are in the run’s record\.$/s,
    );
  });

  test('renders nothing for an invalid record', () => {
    const broken = { render_spec: { root: 'x', elements: {} } };
    expect(markdownDisplay([broken], 1_000, allow)).toBe(
      '1 more of what was to be shown is in the run’s record.',
    );
  });

  test.each([
    ['Text', { text: 'a\nb', bold: true }, 'a\nb'],
    ['Text', { text: ' a ', bold: true, italic: true }, '**_a_**'],
    ['Text', { text: ' a ', italic: true }, '_a_'],
    ['Text', { text: ' a ', bold: null }, 'a'],
    ['Text', { text: '  ', bold: true }, '  '],
    ['Heading', { text: 'a|b' }, '#### a\\|b'],
    ['Heading', { text: 'a', level: 'h1' }, '### a'],
    ['Heading', { text: 'a', level: 'h4' }, '###### a'],
    ['Divider', {}, '---'],
    ['Divider', { title: 'a' }, '---\n\n**a**'],
    ['BarChart', { data: [], title: 'a' }, ''],
    ['Sparkline', { data: [] }, ''],
    ['Sparkline', { data: [], label: 'a' }, 'a '],
    ['Sparkline', { data: [1, 2] }, '`▁█`'],
    ['Sparkline', { data: [1], label: 'a' }, 'a `▄`'],
    [
      'Table',
      {
        columns: [
          'a',
          ...['left', 'center', 'right', null].map((align) => ({ header: 'b', key: 'c', align })),
        ],
        rows: [{ a: 1, c: 'x|' }, {}],
      },
      '| a | b | b | b | b |\n| --- | :-- | :-: | --: | --- |\n| 1 | x\\| | x\\| | x\\| | x\\| |\n|  |  |  |  |  |',
    ],
    ['List', { items: ['a', 'b'] }, '- a\n- b'],
    ['List', { items: ['a', 'b'], ordered: true }, '1. a\n2. b'],
    ['StatusLine', { text: 'a' }, '⚪ a'],
    ['StatusLine', { text: 'a', status: 'info' }, '🔵 a'],
    ['StatusLine', { text: 'a', status: 'success' }, '🟢 a'],
    ['StatusLine', { text: 'a', status: 'warning' }, '🟡 a'],
    ['Badge', { label: 'a', variant: 'error' }, '🔴 `a`'],
    ['Badge', { label: 'a' }, '⚪ `a`'],
    ['KeyValue', { label: 'a', value: 'b' }, '**a:** b'],
    ['KeyValue', { label: 'a', value: ['b', 'c'] }, '**a:** b, c'],
    ['ProgressBar', { progress: 0 }, `\`${'░'.repeat(20)}\` 0 %`],
    ['ProgressBar', { progress: 0.494, label: 'a' }, `a \`${'█'.repeat(10)}${'░'.repeat(10)}\` 49 %`],
    ['Metric', { label: 'a', value: 'b' }, '**b** a'],
    ['Metric', { label: 'a', value: 'b', trend: 'up', detail: 'c' }, '**b** ↑ a (c)'],
    ['Metric', { label: 'a', value: 'b', trend: 'down' }, '**b** ↓ a'],
    ['Metric', { label: 'a', value: 'b', trend: 'neutral' }, '**b** → a'],
    ['Callout', { content: 'a\n\nb' }, '> [!NOTE]\n> a\n>\n> b'],
    ['Callout', { content: 'a', title: 'b' }, '> [!NOTE]\n> **b**\n>\n> a'],
    ...(['TIP', 'WARNING', 'IMPORTANT'] as const).map(
      (kind) => ['Callout', { content: 'a', type: kind.toLowerCase() }, `> [!${kind}]\n> a`] as const,
    ),
    ['Callout', { content: 'a', type: 'info' }, '> [!NOTE]\n> a'],
    ['Callout', { content: 'a', type: 'success' }, '> [!TIP]\n> a'],
    ['Callout', { content: 'a', type: 'error' }, '> [!CAUTION]\n> a'],
    [
      'Timeline',
      {
        items: [
          { title: 'a' },
          { title: 'b', status: 'completed', date: 'c' },
          { title: 'd', status: 'current', description: 'e' },
          { title: 'f', status: 'upcoming' },
        ],
      },
      '- ✅ **a**\n- ✅ **b** (c)\n- ▶️ **d**<br>e\n- ⬜ **f**',
    ],
  ] as const)('renders a component from its properties: %s %j', (type, props, markdown) => {
    const spec = { root: 'all', elements: { all: { type, props } } };
    expect(markdownDisplay([{ render_spec: spec as never }], 20_000, allow) || '').toBe(
      markdown === '' ? '1 more of what was to be shown is in the run’s record.' : markdown,
    );
  });

  test('puts components of one line into a row, and others below each other', () => {
    const held = (holder: object, ...children: readonly object[]) => {
      const named = children.map((child, index) => [`${index}`, child] as const);
      const all = { type: 'Box', props: {}, ...holder, children: named.map(([name]) => name) };
      const spec = { root: 'all', elements: { all, ...Object.fromEntries(named) } };
      return markdownDisplay([{ render_spec: spec as never }], 20_000, allow);
    };
    const text = (words: string) => ({ type: 'Text', props: { text: words } });
    const row = { props: { flexDirection: 'row-reverse', title: 'never' } };
    const ruled = { type: 'Divider', props: { title: 'c' } };
    expect([
      held(row, text('a'), text('b')),
      held(row, text('a'), { type: 'Spacer' }, text('b')),
      held(row, text('a'), text('b\nc')),
      held(row, text('a'), ruled),
      held({ props: { flexDirection: 'column', title: 'd' } }, text('a'), text('b')),
      held({}, text('a'), ruled),
      held({ type: 'Card', props: { title: 'e|f' } }, text('a'), text('b')),
      held({ type: 'Card' }, { type: 'Newline' }, text('b')),
    ]).toEqual([
      'a &nbsp; b',
      'a &nbsp; b',
      'a\n\nb\nc',
      'a\n\n---\n\n**c**',
      '**d**\n\na\n\nb',
      'a\n\n---\n\n**c**',
      '**e\\|f**\n\na\n\nb',
      'b',
    ]);
  });

  test('uses the budget, and nothing if it is too small for a sentence', () => {
    const text = (length: number): DisplayItem => ({
      render_spec: {
        root: 'a',
        elements: { a: { type: 'Text', props: { text: 'x'.repeat(length) } } },
      },
    });
    const missing = '2 more of what was to be shown are in the run’s record.';
    expect([
      markdownDisplay([text(118)], 200, allow),
      markdownDisplay([text(119), text(119)], 200, allow),
      markdownDisplay([text(57), text(59), text(1)], 200, allow),
      markdownDisplay([text(1)], 199, allow),
      markdownDisplay([], 200, allow),
    ]).toEqual([
      'x'.repeat(118),
      missing,
      `${'x'.repeat(57)}\n\n${'x'.repeat(59)}\n\n1 more of what was to be shown is in the run’s record.`,
      '',
      '',
    ]);
  });

  test.each([
    ['Text', { text: live }],
    ['Heading', { text: live }],
    ['Divider', { title: live }],
    ['Card', { title: live }],
    ['BarChart', { title: live, data: [{ label: live, value: 1 }] }],
    ['Sparkline', { label: live, data: [1] }],
    ['Table', { columns: [{ header: live, key: 'a' }], rows: [{ a: live }] }],
    ['List', { items: [live] }],
    ['StatusLine', { text: live }],
    ['KeyValue', { label: live, value: [live, live] }],
    ['Badge', { label: live }],
    ['ProgressBar', { progress: 0.5, label: live }],
    ['Metric', { label: live, value: live, detail: live }],
    ['Callout', { content: live, title: live }],
    ['Timeline', { items: [{ title: live, description: live, date: live }] }],
  ])('Renders nothing active from code on lines of its own: %s', (type, props) => {
    const spec = { root: 'all', elements: { all: { type, props } } };
    const markdown = markdownDisplay([{ render_spec: spec }], 20_000, allow);
    expect([markdown.match(/octocat/g)?.length, liveParts(renderGitHub(markdown))]).toEqual([
      expect.any(Number),
      [],
    ]);
  });

  test('renders no active text in a chart', () => {
    const points = [{ label: live, value: 1 }];
    const item: DisplayItem = { chart: { type: 'table', title: live, points, width: 40 } };
    expect(markdownDisplay([item], 20_000, allow)).toBe(
      '**~~~ @\u200boctocat fixes \u200b#1 ~~~**\n\n| | |\n| --- | --: |\n| ~~~ @\u200boctocat fixes \u200b#1 ~~~ | 1 |'.replaceAll(
        '~~~',
        '&#126;&#126;&#126;',
      ),
    );
  });
});
