import { type Chart, type DisplayItem, sparkline } from '../../contract/display-item.ts';
import { type DisplayNode, displayTree } from '../../contract/display-tree.ts';
import { largest, smallest } from '../../contract/lists.ts';
import { closedMarkdown, codeSpan, foldedSection, oneLine, tableCell } from './markdown.ts';
import { publicText } from './public-text.ts';

const tones = { default: '⚪', info: '🔵', success: '🟢', warning: '🟡', error: '🔴' } as const;
const trends = { up: '↑', down: '↓', neutral: '→' } as const;
const steps = { completed: '✅', current: '▶️', upcoming: '⬜' } as const;
/** The kinds of alerts that GitHub draws ("Basic writing and formatting syntax", Alerts). */
const alerts = {
  info: 'NOTE',
  tip: 'TIP',
  success: 'TIP',
  important: 'IMPORTANT',
  warning: 'WARNING',
  error: 'CAUTION',
} as const;

/**
 * Renders displayed items as neutralised Markdown, in order. Items beyond `budget` characters are
 * omitted and counted. '' if there are none.
 */
export function markdownDisplay(
  items: readonly DisplayItem[],
  budget: number,
  hosts: readonly string[],
): string {
  const parts: string[] = [];
  let remaining = budget - 80;
  for (const item of items) {
    const part = closedMarkdown(markdownItem(item, hosts));
    if (part === '' || part.length + 2 > remaining) continue;
    parts.push(part);
    remaining -= part.length + 2;
  }
  const missing = items.length - parts.length;
  if (missing > 0)
    parts.push(
      `${missing} more of what was to be shown ${missing === 1 ? 'is' : 'are'} in the run’s record.`,
    );
  return budget < 200 ? '' : parts.join('\n\n');
}

function markdownItem(item: DisplayItem, hosts: readonly string[]): string {
  if ('chart' in item) {
    return safeChart(item.chart, (text) => publicText(text, hosts));
  }
  const tree = displayTree(item.render_spec);
  // Mermaid drawings have their own labels, which need no neutralising.
  return 'problem' in tree ? '' : blocks(tree, (text) => publicText(text, hosts)).join('\n\n');
}

type Safe = (text: string) => string;

/** Joins a chart's text before neutralising it: what is code across lines may not be within one. */
function safeChart(chart: Chart, safe: Safe): string {
  const line = (text: string) => safe(oneLine(text));
  const points = chart.points.map(({ label, value }) => ({ label: line(label), value }));
  return markdownChart({ ...chart, title: chart.title === null ? null : line(chart.title), points });
}

/** Joins lines before neutralising them, as for a chart. */
const cellOf =
  (safe: Safe): Safe =>
  (text) =>
    tableCell(safe(oneLine(text)));

/** The blocks of one component. */
function blocks(tree: DisplayNode, safe: Safe): string[] {
  const line = cellOf(safe);
  switch (tree.type) {
    case 'Box':
    case 'Card': {
      const isRow = tree.type === 'Box' && tree.props.flexDirection?.startsWith('row') === true;
      if (isRow) return inARow(tree.children, safe);
      const inside = tree.children.flatMap((child) => blocks(child, safe));
      return titled(tree.props.title, inside, line);
    }
    case 'Text':
      return [styled(safe(tree.props.text), tree.props)];
    case 'Heading':
      return [`${'#'.repeat(2 + Number((tree.props.level ?? 'h2').slice(1)))} ${line(tree.props.text)}`];
    case 'Divider':
      return tree.props.title == null ? ['---'] : ['---', `**${line(tree.props.title)}**`];
    case 'Newline':
    case 'Spacer':
      return [];
    default:
      return dataBlocks(tree, safe);
  }
}

type DataNode = Exclude<
  DisplayNode,
  { type: 'Box' | 'Card' | 'Text' | 'Heading' | 'Divider' | 'Newline' | 'Spacer' }
>;

function dataBlocks(tree: DataNode, safe: Safe): string[] {
  const line = cellOf(safe);
  switch (tree.type) {
    case 'BarChart': {
      const { data, title } = tree.props;
      const chart = { type: 'bar', title: title ?? null, points: data, width: 40 } as const;
      return data.length === 0 ? [] : [safeChart(chart, safe)];
    }
    case 'Sparkline': {
      const { data, label } = tree.props;
      const drawn = data.length === 0 ? '' : codeSpan(sparkline(data));
      return [`${label == null ? '' : `${line(label)} `}${drawn}`];
    }
    case 'Table':
      return [table(tree.props, line)];
    case 'List':
      return [
        tree.props.items
          .map((item, index) => `${tree.props.ordered === true ? `${index + 1}.` : '-'} ${line(item)}`)
          .join('\n'),
      ];
    case 'Timeline':
      return [tree.props.items.map((item) => timelineItem(item, line)).join('\n')];
    default:
      return lineBlocks(tree, safe);
  }
}

type LineNode = Exclude<DataNode, { type: 'BarChart' | 'Sparkline' | 'Table' | 'List' | 'Timeline' }>;

function lineBlocks(tree: LineNode, safe: Safe): string[] {
  const line = cellOf(safe);
  switch (tree.type) {
    case 'StatusLine':
      return [`${tones[tree.props.status ?? 'default']} ${line(tree.props.text)}`];
    case 'KeyValue': {
      const { label, value } = tree.props;
      return [`**${line(label)}:** ${line(Array.isArray(value) ? value.join(', ') : value)}`];
    }
    case 'Badge':
      return [`${tones[tree.props.variant ?? 'default']} ${codeSpan(tree.props.label)}`];
    case 'ProgressBar': {
      const { progress, label } = tree.props;
      const full = Math.round(progress * 20);
      const bar = codeSpan(`${'█'.repeat(full)}${'░'.repeat(20 - full)}`);
      return [`${label == null ? '' : `${line(label)} `}${bar} ${Math.round(progress * 100)} %`];
    }
    case 'Metric': {
      const { label, value, trend, detail } = tree.props;
      const arrow = trend == null ? '' : ` ${trends[trend]}`;
      return [`**${line(value)}**${arrow} ${line(label)}${detail == null ? '' : ` (${line(detail)})`}`];
    }
    case 'Callout': {
      const { title, type, content } = tree.props;
      const head = title == null ? [] : [`**${line(title)}**`, ''];
      const body = [...head, ...safe(content).split('\n')].map((one) => `> ${one}`.trimEnd());
      return [[`> [!${alerts[type ?? 'info']}]`, ...body].join('\n')];
    }
  }
}

type TimelineItem = Extract<DisplayNode, { type: 'Timeline' }>['props']['items'][number];

function timelineItem({ title, description, date, status }: TimelineItem, line: Safe): string {
  const when = date == null ? '' : ` (${line(date)})`;
  const more = description == null ? '' : `<br>${line(description)}`;
  return `- ${steps[status ?? 'completed']} **${line(title)}**${when}${more}`;
}

function titled(title: string | null | undefined, inside: readonly string[], line: Safe): string[] {
  return title == null ? [...inside] : [`**${line(title)}**`, ...inside];
}

/** Puts components of one line each into one paragraph; others below one another. */
function inARow(children: readonly DisplayNode[], safe: Safe): string[] {
  const drawn = children.map((child) => blocks(child, safe));
  const fits = drawn.every((parts) => parts.length <= 1 && !parts[0]?.includes('\n'));
  return fits ? [drawn.flat().join(' &nbsp; ')] : drawn.flat();
}

function styled(
  text: string,
  { bold, italic }: { bold?: boolean | null | undefined; italic?: boolean | null | undefined },
): string {
  if (text.includes('\n') || text.trim() === '') return text;
  const mark = `${bold === true ? '**' : ''}${italic === true ? '_' : ''}`;
  return `${mark}${text.trim()}${[...mark].reverse().join('')}`;
}

function table({ columns, rows }: Extract<DisplayNode, { type: 'Table' }>['props'], line: Safe): string {
  const rule = { left: ':--', center: ':-:', right: '--:' } as const;
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(columns.map(({ header }) => line(header))),
    row(columns.map(({ align }) => (align == null ? '---' : rule[align]))),
    ...rows.map((one) => row(columns.map(({ key }) => line(one[key] ?? '')))),
  ].join('\n');
}

/** More points are no chart in a comment: GitHub draws them on top of each other. */
const mostDrawn = 60;

/**
 * Renders a chart for GitHub: lines and bars as Mermaid (xychart) with folded numbers, a table as a
 * table. Labels keep letters, digits and a few signs, since Mermaid interprets others.
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
    `  y-axis ${tree(low)} --> ${tree(high === low ? low + 1 : high)}`,
    `  ${type} [${values.map(tree).join(', ')}]`,
    '```',
  ].join('\n');
  return `${heading}${drawing}\n\n${foldedSection('The numbers', table)}`;
}

/** Keeps what Mermaid reads as a plain label. */
function plainLabel(label: string): string {
  return label
    .replaceAll(/[^\p{L}\p{N} .,_%+:/-]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 30);
}

function numbers(points: Chart['points']): string {
  const rows = points.map(({ label, value }) => `| ${tableCell(label)} | ${tree(value)} |`);
  return ['| | |', '| --- | --: |', ...rows].join('\n');
}

/** In decimals, as neither tables nor Mermaid read exponents. */
function tree(value: number): string {
  const plain = Math.abs(value) < 1e15 && (value === 0 || Math.abs(value) >= 1e-6);
  if (plain) return String(Number(value.toPrecision(10)));
  return value.toFixed(value > 0 ? 0 : 6);
}
