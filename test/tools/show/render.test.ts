import { describe, expect, test } from 'vitest';
import type { DisplayNode } from '../../../src/contract/display-tree.ts';
import { drawTree } from '../../../src/tools/show/render.ts';

const text = (value: string): DisplayNode => ({ type: 'Text', props: { text: value }, children: [] });
const drawn = (displayed: unknown): string[] => drawTree(displayed as DisplayNode).split('\n');

describe('each component', () => {
  test.each([
    [text('a\nb'), ['a', 'b']],
    [{ type: 'Heading', props: { text: '日本', level: 'h1' } }, ['日本', '====']],
    [{ type: 'Heading', props: { text: 'ab', level: 'h2' } }, ['ab', '--']],
    [{ type: 'Heading', props: { text: 'ab' } }, ['ab', '--']],
    [{ type: 'Heading', props: { text: 'ab', level: 'h3' } }, ['ab']],
    [{ type: 'Heading', props: { text: 'ab', level: 'h4' } }, ['ab']],
    [{ type: 'Divider', props: {} }, ['─'.repeat(40)]],
    [{ type: 'Divider', props: { title: 'Part' } }, [`── Part ${'─'.repeat(32)}`]],
    [{ type: 'Divider', props: { title: 'x'.repeat(34) } }, [`── ${'x'.repeat(34)} ──`]],
    [{ type: 'Divider', props: { title: 'x'.repeat(50) } }, [`── ${'x'.repeat(50)} ──`]],
    [{ type: 'Newline', props: {} }, ['']],
    [{ type: 'Newline', props: { count: 3 } }, ['', '', '']],
    [{ type: 'Spacer', props: {} }, ['']],
    [{ type: 'Box', props: {}, children: [{ type: 'Spacer', props: {} }, text('a')] }, ['', 'a']],
    [{ type: 'BarChart', props: { data: [] } }, ['(no data)']],
    [{ type: 'BarChart', props: { data: [], title: 'T' } }, ['T', '(no data)']],
    [{ type: 'Sparkline', props: { data: [] } }, ['(no data)']],
    [{ type: 'Sparkline', props: { data: [1, 8], label: 'L' } }, ['L ▁█']],
    [{ type: 'Sparkline', props: { data: [1, 8], label: null } }, ['▁█']],
    [{ type: 'List', props: { items: ['a', 'b\nc'] } }, ['- a', '- b', '  c']],
    [{ type: 'List', props: { items: ['a', 'b\nc'], ordered: true } }, ['1. a', '2. b', '   c']],
    [{ type: 'StatusLine', props: { text: 'x' } }, ['· x']],
    [{ type: 'StatusLine', props: { text: 'x', status: 'info' } }, ['i x']],
    [{ type: 'StatusLine', props: { text: 'x', status: 'success' } }, ['✓ x']],
    [{ type: 'StatusLine', props: { text: 'x', status: 'warning' } }, ['! x']],
    [{ type: 'StatusLine', props: { text: 'x', status: 'error' } }, ['✗ x']],
    [{ type: 'KeyValue', props: { label: 'k', value: 'v' } }, ['k: v']],
    [{ type: 'KeyValue', props: { label: 'k', value: ['v', 'w'] } }, ['k: v, w']],
    [{ type: 'Badge', props: { label: 'new' } }, ['[new]']],
    [{ type: 'ProgressBar', props: { progress: 0 } }, [`[${'░'.repeat(30)}] 0 %`]],
    [
      { type: 'ProgressBar', props: { progress: 0.5, label: 'P' } },
      [`P [${'█'.repeat(15)}${'░'.repeat(15)}] 50 %`],
    ],
    [{ type: 'ProgressBar', props: { progress: 1, label: null } }, [`[${'█'.repeat(30)}] 100 %`]],
    [{ type: 'Metric', props: { label: 'm', value: '1' } }, ['m: 1']],
    [{ type: 'Metric', props: { label: 'm', value: '1', trend: 'up', detail: 'd' } }, ['m: 1 ↑ (d)']],
    [{ type: 'Metric', props: { label: 'm', value: '1', trend: 'down', detail: null } }, ['m: 1 ↓']],
    [{ type: 'Metric', props: { label: 'm', value: '1', trend: 'neutral' } }, ['m: 1 →']],
    [{ type: 'Callout', props: { content: 'a\nb' } }, ['| Info', '| a', '| b']],
    [{ type: 'Callout', props: { content: 'a', title: '' } }, ['| ', '| a']],
    [{ type: 'Callout', props: { content: 'a', type: 'warning' } }, ['| Warning', '| a']],
    [{ type: 'Callout', props: { content: 'a', type: 'tip', title: 'mine' } }, ['| mine', '| a']],
    [
      {
        type: 'Timeline',
        props: {
          items: [
            { title: 'a' },
            { title: 'b', date: 'today', status: 'current', description: 'x\ny' },
            { title: 'c', status: 'upcoming', date: null, description: null },
            { title: 'd', status: 'completed' },
          ],
        },
      },
      ['● a', '◉ b (today)', '  x', '  y', '○ c', '● d'],
    ],
  ])('%j', (displayedText, lines) => {
    expect(drawn(displayedText)).toEqual(lines);
  });

  test('bars have a percentage only if requested', () => {
    const data = [
      { label: 'a', value: 3 },
      { label: 'b', value: 1 },
    ];
    const bars = (showPercentage?: boolean | null) =>
      drawn({ type: 'BarChart', props: { data, showPercentage } });
    const bare = [`a  ${'█'.repeat(30)} 3`, `b  ${'█'.repeat(10)} 1`];
    expect([bars(true), bars(false), bars(null), bars()]).toEqual([
      [`${bare[0]} (75 %)`, `${bare[1]} (25 %)`],
      bare,
      bare,
      bare,
    ]);
  });
});

describe('a table', () => {
  const table = (columns: unknown, rows: unknown) => drawn({ type: 'Table', props: { columns, rows } });
  test('is as wide as its widest cell, with numbers right-aligned if requested', () => {
    expect(
      table(
        [
          { header: 'Name', key: 'n', align: null },
          { header: 'N', key: 'c', align: 'right' },
          { header: 'End', key: 'e', align: 'left' },
        ],
        [
          { n: 'a\n  b', c: '100', e: 'x' },
          { n: '日本語', c: '7' },
        ],
      ),
    ).toEqual(['Name      N  End', '──────  ───  ───', 'a b     100  x', '日本語    7']);
  });
});

describe('a box', () => {
  const box = (props: object, ...children: unknown[]) => drawn({ type: 'Box', props, children });
  test.each([
    [{}, ['a', 'b'], ['a', 'b']],
    [{ title: 'T' }, ['a', 'b'], ['T', 'a', 'b']],
    [{ flexDirection: 'column' }, ['a', 'b'], ['a', 'b']],
    [{ flexDirection: 'row' }, ['a', 'b'], ['a  b']],
    [{ flexDirection: 'row-reverse' }, ['a', 'b'], ['a  b']],
    [{ flexDirection: 'row' }, ['a', 'b\nc'], ['a', 'b', 'c']],
    [{ flexDirection: 'row' }, ['x'.repeat(35), 'y'.repeat(35)], [`${'x'.repeat(35)}  ${'y'.repeat(35)}`]],
    [{ flexDirection: 'row' }, ['x'.repeat(36), 'y'.repeat(35)], ['x'.repeat(36), 'y'.repeat(35)]],
  ])('%j of %j', (props, texts, lines) => {
    expect(box(props, ...texts.map(text))).toEqual(lines);
  });

  test.each([
    [{}, ['ab', 'c'], ['┌────┐', '│ ab │', '│ c  │', '└────┘']],
    [{ title: 'T' }, ['abcdef'], ['┌─ T ────┐', '│ abcdef │', '└────────┘']],
    [{ title: 'Title' }, ['a'], ['┌─ Title ─┐', '│ a       │', '└─────────┘']],
    [{ title: null }, [], ['┌────┐', '└────┘']],
  ])('a card %j of %j has a frame', (props, texts, lines) => {
    expect(drawn({ type: 'Card', props, children: texts.map(text) })).toEqual(lines);
  });
});
