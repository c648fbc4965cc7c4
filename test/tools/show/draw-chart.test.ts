import { describe, expect, test } from 'vitest';
import { columns, drawBars, drawChart, padded, renderNumber } from '../../../src/tools/show/draw-chart.ts';
import { drawTree } from '../../../src/tools/show/render.ts';

const points = (...values: number[]) => values.map((value, index) => ({ label: `p${index}`, value }));
const chart = (
  type: 'bar' | 'line' | 'sparkline' | 'table',
  values: number[],
  width = 8,
  title: string | null = null,
) => drawChart({ type, title, points: points(...values), width } as never).split('\n');

test('a number has six digits, and an integer below 10^15 all digits', () => {
  const numbers = [0, -12, 1_234_567, 999_999_999_999_999, 1e15, 1e21, 1.23456789, -0.000123456789];
  expect(numbers.map(renderNumber)).toEqual([
    ...['0', '-12', '1234567', '999999999999999', '1000000000000000', '1e+21', '1.23457', '-0.000123457'],
  ]);
});

test('wide characters take two columns, and combining marks none', () => {
  const texts = ['ab', '日本', 'ひ', 'カ', '한', '😀', 'e\u0301', '、', '！', '｠', '｡', ''];
  expect([texts.map(columns), padded('日', 4), padded('abc', 2)]).toEqual([
    [2, 4, 2, 2, 2, 2, 1, 2, 2, 2, 1, 0],
    '日  ',
    'abc',
  ]);
});

describe('bars', () => {
  test('are as long as their share of the largest, in eighths', () => {
    expect(chart('bar', [8, 4, 1, 0, 0.5, 7.75, 0.02])).toEqual([
      'p0  ████████ 8',
      'p1  ████ 4',
      'p2  █ 1',
      'p3  0',
      'p4  ▌ 0.5',
      'p5  ███████▊ 7.75',
      'p6  0.02',
    ]);
    expect(
      Array.from({ length: 7 }, (_, part) => drawBars(points(8, (part + 1) / 8), 8).split('\n')[1]),
    ).toEqual([...'▏▎▍▌▋▊▉'].map((sign, part) => `p1  ${sign} ${(part + 1) / 8}`));
  });

  test('extend in both directions if a value is below zero', () => {
    expect(chart('bar', [4, -2, 0], 9)).toEqual(['p0      |████ 4', 'p1    ██| -2', 'p2      | 0']);
  });

  test('have aligned names, and their share in percent if requested', () => {
    const given = [
      { label: 'a\n b', value: 3 },
      { label: '日本', value: 1 },
    ];
    expect([drawBars(given, 3, true), drawBars(points(0, 0), 3, true), drawBars(given, 3)]).toEqual([
      'a b   ███ 3 (75 %)\n日本  █ 1 (25 %)',
      'p0  0\np1  0',
      'a b   ███ 3\n日本  █ 1',
    ]);
  });
});

describe('a line', () => {
  test('has eight rows from the highest to the lowest, with the first and last name below', () => {
    expect(chart('line', [0, 7], 6, 'T')).toEqual([
      'T',
      ...['7 ┤    •', '  ┤', '  ┤   •', '  ┤  •', '  ┤', '  ┤ •', '  ┤', '0 ┤•', '  └─────', '   p0 p1'],
    ]);
    expect(chart('line', [5])).toEqual([
      ...['5 ┤', '  ┤', '  ┤', '  ┤', '  ┤', '  ┤', '  ┤', '5 ┤•', '  └─', '   p0'],
    ]);
  });

  test('is stretched up to four times if there is space, and reduced to its peaks if not', () => {
    const width = (values: number[], most: number) => chart('line', values, most).at(-2)?.length;
    expect([width([0, 1], 3), width([0, 1], 99), width([0, 1, 2], 4), width([0, 1, 2, 3], 3)]).toEqual([
      6, 8, 6, 6,
    ]);
    const top = (values: number[]) => chart('line', values, 3)[0];
    expect([top([1, 1, 1, 9, 1, 1]), top([1, 1, 1, 1, 1, 9]), top([-9, 1, 1, 1, 1, 1])]).toEqual([
      '9 ┤ •',
      '9 ┤  •',
      ' 1 ┤ ••',
    ]);
  });
});

test('a table aligns its numbers, and a sparkline has one character for each', () => {
  expect([chart('table', [1, -12.5]), chart('sparkline', [0, 7], 8, 'T')]).toEqual([
    ['p0      1', 'p1  -12.5'],
    ['T', '▁█'],
  ]);
});

describe('the drawing', () => {
  const displayed = (type: string, props: object, children?: object[]) =>
    drawTree({ type, props, ...(children === undefined ? {} : { children }) } as never);
  const text = (words: string) => ({ type: 'Text', props: { text: words } });

  test('has each component on its own lines', () => {
    expect([
      displayed('Heading', { text: '日本', level: 'h1' }),
      displayed('Heading', { text: 'ab' }),
      displayed('Heading', { text: 'ab', level: 'h3' }),
      displayed('Divider', {}),
      displayed('Divider', { title: 'x'.repeat(33) }),
      displayed('Divider', { title: 'x'.repeat(36) }),
      displayed('Newline', { count: 2 }),
      displayed('Newline', {}),
      displayed('Spacer', {}),
      displayed('Badge', { label: 'x' }),
      displayed('KeyValue', { label: 'a', value: ['b', 'c'] }),
      displayed('KeyValue', { label: 'a', value: 'b' }),
    ]).toEqual([
      '日本\n====',
      'ab\n--',
      'ab',
      '─'.repeat(40),
      `── ${'x'.repeat(33)} ───`,
      `── ${'x'.repeat(36)} ──`,
      ...['\n', '', '', '[x]', 'a: b, c', 'a: b'],
    ]);
  });

  test('has a symbol for each state', () => {
    const states = ['default', 'info', 'success', 'warning', 'error', undefined];
    expect([
      states.map((status) => displayed('StatusLine', { text: 'x', status })),
      ['up', 'down', 'neutral', null].map((trend) => displayed('Metric', { label: 'm', value: '1', trend })),
      displayed('Metric', { label: 'm', value: '1', detail: 'd' }),
      displayed('Timeline', {
        items: [
          { title: 'a', status: 'completed', date: 'May' },
          { title: 'b', status: 'current', description: 'x\ny' },
          { title: 'c', status: 'upcoming' },
          { title: 'd' },
        ],
      }),
    ]).toEqual([
      ['· x', 'i x', '✓ x', '! x', '✗ x', '· x'],
      ['m: 1 ↑', 'm: 1 ↓', 'm: 1 →', 'm: 1'],
      'm: 1 (d)',
      '● a (May)\n◉ b\n  x\n  y\n○ c\n● d',
    ]);
  });

  test('puts components in one row if they fit into 72 columns', () => {
    const row = (...children: object[]) => displayed('Box', { flexDirection: 'row' }, children);
    expect([
      row(text('a'), text('b')),
      row(text('a\nb'), text('c')),
      row(text('a'.repeat(35)), text('b'.repeat(35))),
      row(text('a'.repeat(35)), text('b'.repeat(36))),
      displayed('Box', { flexDirection: 'row-reverse' }, [text('a'), text('b')]),
      displayed('Box', { title: 'T' }, [text('a'), text('b')]),
      displayed('Box', { flexDirection: 'column' }, [text('a'), text('b')]),
    ]).toEqual([
      'a  b',
      'a\nb\nc',
      `${'a'.repeat(35)}  ${'b'.repeat(35)}`,
      `${'a'.repeat(35)}\n${'b'.repeat(36)}`,
      'a  b',
      'T\na\nb',
      'a\nb',
    ]);
  });

  test('has a frame as wide as its title or its widest line', () => {
    expect([
      displayed('Card', {}, [text('ab')]),
      displayed('Card', { title: 'ab' }, [text('a')]),
      displayed('Card', { title: 'a' }, [text('abcde')]),
    ]).toEqual(['┌────┐\n│ ab │\n└────┘', '┌─ ab ─┐\n│ a    │\n└──────┘', '┌─ a ───┐\n│ abcde │\n└───────┘']);
  });

  test('reports missing data and names its kind', () => {
    const data = [{ label: 'a', value: 1 }];
    expect([
      displayed('BarChart', { data: [] }),
      displayed('BarChart', { data, title: 'T' }),
      displayed('BarChart', { data, showPercentage: true }),
      displayed('Sparkline', { data: [] }),
      displayed('Sparkline', { data: [0, 1], label: 'L' }),
      displayed('ProgressBar', { progress: 0.5 }),
      displayed('ProgressBar', { progress: 0.004, label: 'L' }),
      displayed('Callout', { content: 'a\nb' }),
      displayed('Callout', { content: 'a', type: 'warning' }),
      displayed('Callout', { content: 'a', title: 't', type: 'warning' }),
    ]).toEqual([
      '(no data)',
      `T\na  ${'█'.repeat(30)} 1`,
      `a  ${'█'.repeat(30)} 1 (100 %)`,
      '(no data)',
      'L ▁█',
      `[${'█'.repeat(15)}${'░'.repeat(15)}] 50 %`,
      `L [${'░'.repeat(30)}] 0 %`,
      '| Info\n| a\n| b',
      '| Warning\n| a',
      '| t\n| a',
    ]);
  });

  test('has lists by number or dash, and tables by column', () => {
    expect([
      displayed('List', { items: ['a\nb', 'c'] }),
      displayed('List', { items: ['a\nb', 'c'], ordered: true }),
      displayed('Table', {
        columns: [
          { key: 'a', header: 'Name' },
          { key: 'b', header: 'N', align: 'right' },
          { key: 'c', header: '' },
        ],
        rows: [{ a: 'x\n y', b: '1' }, { b: '日本' }],
      }),
    ]).toEqual(['- a\n  b\n- c', '1. a\n   b\n2. c', 'Name     N\n────  ────  \nx y      1\n      日本']);
  });
});
