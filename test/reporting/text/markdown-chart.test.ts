import { expect, test } from 'vitest';
import type { Chart } from '../../../src/contract/display-item.ts';
import { markdownChart } from '../../../src/reporting/text/markdown-display.ts';

const chart = (type: Chart['type'], values: readonly number[], more: Partial<Chart> = {}) =>
  markdownChart({
    ...{ type, title: null, points: values.map((value, index) => ({ label: `p${index + 1}`, value })) },
    ...more,
  } as Chart);
const numbers = (...rows: string[]) => ['| | |', '| --- | --: |', ...rows].join('\n');
const folded = (...rows: string[]) =>
  `<details><summary>The numbers</summary>\n\n${numbers(...rows)}\n\n</details>`;
const drawing = (...lines: string[]) => ['```mermaid', 'xychart-beta', ...lines, '```'].join('\n');

test('renders a table with decimal numbers', () => {
  expect(
    chart('table', [1.5, 0, 1e-7, -1e-7, 1e-6, 1e15, 999_999_999_999_999, 1 / 3], { title: 'T|t' }),
  ).toBe(
    `**T\\|t**\n\n${numbers(
      ...['| p1 | 1.5 |', '| p2 | 0 |', '| p3 | 0 |', '| p4 | -0.000000 |', '| p5 | 0.000001 |'],
      ...['| p6 | 1000000000000000 |', '| p7 | 1000000000000000 |', '| p8 | 0.3333333333 |'],
    )}`,
  );
});

test('draws lines and bars from zero, with the numbers below', () => {
  expect(chart('bar', [2, 4], { title: 'Turns' })).toBe(
    `**Turns**\n\n${drawing('  x-axis ["p1", "p2"]', '  y-axis 0 --> 4', '  bar [2, 4]')}\n\n${folded('| p1 | 2 |', '| p2 | 4 |')}`,
  );
  expect(chart('line', [-2, -1])).toBe(
    `${drawing('  x-axis ["p1", "p2"]', '  y-axis -2 --> 0', '  line [-2, -1]')}\n\n${folded('| p1 | -2 |', '| p2 | -1 |')}`,
  );
  expect(chart('line', [0, 0])).toContain('\n  y-axis 0 --> 1\n');
});

test('removes from labels what Mermaid could interpret', () => {
  const labels = ['a"];\n  b', '`[]`', 'Ä 1.2,_%+:/-', 'x'.repeat(31)];
  const points = labels.map((label) => ({ label, value: 1 }));
  expect(chart('line', [], { points })).toContain(
    `  x-axis ["a b", "2", "Ä 1.2,_%+:/-", "${'x'.repeat(30)}"]\n`,
  );
});

test('renders a line of blocks for one point, or too many', () => {
  const drawn = (count: number) =>
    chart(
      'line',
      Array.from({ length: count }, () => 1),
    ).split('\n')[0];
  expect([1, 2, 60, 61].map((count) => drawn(count) === '```mermaid')).toEqual([false, true, true, false]);
  expect(chart('sparkline', [1, 2])).toMatch(/^`[▁-█]{2}`\n\n<details>/u);
});
