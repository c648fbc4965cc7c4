import { type Chart, sparkline } from '../../contract/display-item.ts';
import { largest, smallest } from '../../contract/lists.ts';
import { codeSpan, foldedSection } from './markdown.ts';
import { tableCell } from './table-cell.ts';

/** More points are no chart in a comment: GitHub draws them on top of each other. */
const mostDrawn = 60;

/**
 * A chart as GitHub shows it well: a drawing by Mermaid (xychart) for lines and bars, with the numbers folded below, a table for a
 * table. Mermaid reads labels of its own: they keep letters, digits and a few signs, so that nothing else can be said in it.
 */
export function markdownChart({ type, title, points }: Chart): string {
  const heading = title === null ? '' : `**${tableCell(title)}**\n\n`;
  const table = numbers(points);
  if (type === 'table') return heading + table;
  if (type === 'sparkline' || points.length > mostDrawn || points.length < 2)
    return `${heading}${codeSpan(sparkline(points.map(({ value }) => value)))}\n\n${foldedSection('The numbers', table)}`;
  const values = points.map(({ value }) => value);
  const [low, high] = [smallest(values, 0), largest(values, 0)];
  const labels = points.map(({ label }, index) => `"${plainLabel(label) || index + 1}"`);
  const drawing = [
    '```mermaid',
    'xychart-beta',
    `  x-axis [${labels.join(', ')}]`,
    `  y-axis ${shown(low)} --> ${shown(high === low ? low + 1 : high)}`,
    `  ${type} [${values.map(shown).join(', ')}]`,
    '```',
  ].join('\n');
  return `${heading}${drawing}\n\n${foldedSection('The numbers', table)}`;
}

/** What Mermaid takes for a label and nothing else. */
function plainLabel(label: string): string {
  return label
    .replaceAll(/[^\p{L}\p{N} .,_%+:/-]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 30);
}

function numbers(points: Chart['points']): string {
  const rows = points.map(({ label, value }) => `| ${tableCell(label)} | ${shown(value)} |`);
  return ['| | |', '| --- | --: |', ...rows].join('\n');
}

/** In decimals, as neither tables nor Mermaid read exponents. */
function shown(value: number): string {
  const plain = Math.abs(value) < 1e15 && (value === 0 || Math.abs(value) >= 1e-6);
  return plain ? String(Number(value.toPrecision(10))) : value > 0 ? value.toFixed(0) : value.toFixed(6);
}
