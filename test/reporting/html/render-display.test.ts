import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/contract/outcome.ts';
import { renderDisplay } from '../../../src/reporting/html/render-display.ts';
import { allowedLinks } from '../../../src/reporting/html/report-link.ts';
import { everyComponent } from '../../tools/show/every-component.ts';

type Context = Parameters<typeof renderDisplay>[0];

function render(shown: NonNullable<Outcome['shown']>): string | null {
  const context = { outcome: { shown }, places: allowedLinks(null), scale: 1 };
  return renderDisplay(context as unknown as Context)?.html ?? null;
}

const points = [
  { label: '</title><script>alert(1)</script>', value: -1.5 },
  { label: 'b', value: 1e21 },
];

test('renders every component, and each of its texts as text', async () => {
  const page = render([{ render_spec: everyComponent }]);
  expect(page).not.toContain('<img');
  await expect(page).toMatchFileSnapshot('golden/every-component.html');
});

test('draws charts to scale from zero, with labels as text', () => {
  const page = render([
    { chart: { type: 'line', title: null, points, width: 40 } },
    { chart: { type: 'bar', title: 'T', points, width: 40 } },
  ]);
  expect(page?.match(/<polyline[^>]*>|<rect[^>]*>|<script/g)).toEqual([
    '<polyline class="stroke" points="6.00,194.00 634.00,6.00"/>',
    '<rect class="input" x="136.00" y="194.00" width="48.00" height="1.00"/>',
    '<rect class="input" x="456.00" y="6.00" width="48.00" height="188.00"/>',
  ]);
});

test('renders no section if nothing was displayed', () => {
  expect(render([])).toBe(null);
});
