import { describe, expect, test } from 'vitest';
import type { ShownItem } from '../../../src/contract/shown-item.ts';
import { markdownShown } from '../../../src/reporting/shown/markdown-shown.ts';
import { everyComponent } from '../../tools/show/every-component.ts';

const allow = ['github.com'];
const chart = (type: 'bar' | 'line' | 'sparkline' | 'table', count = 3): ShownItem => ({
  chart: {
    type,
    title: 'Days | of @octocat',
    points: Array.from({ length: count }, (_, index) => ({ label: `D${index}`, value: index * 1.5 - 1 })),
    width: 40,
  },
});

describe('what a run showed, as Markdown', () => {
  test('has every component, and nothing that reaches beyond the page', async () => {
    const markdown = markdownShown([{ render_spec: everyComponent }], 20_000, allow);
    expect(markdown).not.toMatch(/<img|^\s*click|(?<!`)@octocat/m);
    await expect(markdown).toMatchFileSnapshot('golden/every-component.md');
  });

  test('has charts as drawings with their numbers below', async () => {
    const all = (['bar', 'line', 'sparkline', 'table'] as const).map((type) => chart(type));
    await expect(markdownShown(all, 20_000, allow)).toMatchFileSnapshot('golden/charts.md');
  });

  test('draws no chart of so many points that GitHub would pile them up', () => {
    expect(markdownShown([chart('line', 61)], 20_000, allow)).not.toContain('mermaid');
  });

  test('leaves out what there is no room for, and says how much', () => {
    const items = [chart('table', 400), chart('sparkline'), chart('table', 400)];
    expect(markdownShown(items, 1_000, allow)).toMatch(
      /^\*\*Days .*\n\n`▁▅█`\n\n<details>.*<\/details>\n\n2 more of what was to be shown are in the run’s record\.$/s,
    );
  });

  test('is nothing for a record that does not fit any more', () => {
    const broken = { render_spec: { root: 'x', elements: {} } };
    expect(markdownShown([broken], 1_000, allow)).toBe(
      '1 more of what was to be shown is in the run’s record.',
    );
  });
});
