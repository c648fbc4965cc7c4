import * as z from 'zod';
import { RenderSpec, sparkline } from '../../contract/display-item.ts';
import { componentNames, type DisplayNode, displayTree } from '../../contract/display-tree.ts';
import { invalidInput } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { largest } from '../../contract/lists.ts';
import { defineTool } from '../tool.ts';
import { columns, drawBars, padded } from './draw-chart.ts';

const input = z.object({
  root: z.string().describe('id of the first element'),
  elements: RenderSpec.shape.elements.describe('by id: {type, props, children: [id]}'),
});

/** Displays components to people in the report: cards, tables, charts. */
export const render = defineTool({
  name: 'render',
  description: `Show people ${componentNames.join(', ')} in the report.`,
  exposure: 'deferred',
  findBy: ['charts', 'graph|plot|diagram'],
  input,
  level: 'auto_read',
  targets: ({ root }) => ({ what: root }),
  async execute(spec) {
    const shown = displayTree(spec);
    if ('problem' in shown) throw invalidInput(`Nothing is shown: ${shown.problem}.`);
    return { content: drawTree(shown), data: { render_spec: spec as Json } };
  },
});

const width = 72;
const signs = { default: '·', info: 'i', success: '✓', warning: '!', error: '✗' } as const;
const trends = { up: '↑', down: '↓', neutral: '→' } as const;
const steps = { completed: '●', current: '◉', upcoming: '○' } as const;

/** Renders the model's components as text for a terminal, without a final newline. */
export function drawTree(shown: DisplayNode): string {
  return draw(shown).join('\n');
}

/** Renders the lines of one component. */
function draw(shown: DisplayNode): string[] {
  // The table has the function of each type for its own type of component.
  return (drawings[shown.type] as (component: DisplayNode) => string[])(shown);
}

type Drawings = {
  readonly [Type in DisplayNode['type']]: (component: Extract<DisplayNode, { type: Type }>) => string[];
};

const drawings: Drawings = {
  Box: ({ props, children }) =>
    props.flexDirection?.startsWith('row') === true
      ? inARow(children)
      : titled(props.title, children.flatMap(draw)),
  Card: ({ props, children }) => framed(props.title ?? '', children.flatMap(draw)),
  Text: ({ props }) => props.text.split('\n'),
  Heading: ({ props }) => heading(props.text, props.level ?? 'h2'),
  Divider: ({ props }) => [divider(props.title ?? '')],
  Newline: ({ props }) => new Array<string>(props.count ?? 1).fill(''),
  Spacer: () => [''],
  BarChart: ({ props: { data, showPercentage, title } }) =>
    titled(
      title,
      data.length === 0 ? ['(no data)'] : drawBars(data, 30, showPercentage === true).split('\n'),
    ),
  Sparkline: ({ props: { data, label } }) => {
    const line = data.length === 0 ? '(no data)' : sparkline(data);
    return [label == null ? line : `${label} ${line}`];
  },
  Table: ({ props }) => table(props),
  List: ({ props: { items, ordered } }) =>
    items.flatMap((item, index) => {
      const marker = ordered === true ? `${index + 1}.` : '-';
      return item.split('\n').map((line, at) => `${at === 0 ? marker : ' '.repeat(marker.length)} ${line}`);
    }),
  StatusLine: ({ props }) => [`${signs[props.status ?? 'default']} ${props.text}`],
  KeyValue: ({ props: { label, value } }) => [`${label}: ${Array.isArray(value) ? value.join(', ') : value}`],
  Badge: ({ props }) => [`[${props.label}]`],
  ProgressBar: ({ props }) => [progress(props.progress, props.label ?? '')],
  Metric: ({ props: { label, value, trend, detail } }) => {
    const marker = trend == null ? '' : ` ${trends[trend]}`;
    return [`${label}: ${value}${marker}${detail == null ? '' : ` (${detail})`}`];
  },
  Callout: ({ props: { title, type, content } }) => {
    const head = title ?? (type ?? 'info').replace(/^./, (first) => first.toUpperCase());
    return [`| ${head}`, ...content.split('\n').map((line) => `| ${line}`)];
  },
  Timeline: ({ props }) =>
    props.items.flatMap(({ title, description, date, status }) => [
      `${steps[status ?? 'completed']} ${title}${date == null ? '' : ` (${date})`}`,
      ...(description == null ? [] : description.split('\n').map((line) => `  ${line}`)),
    ]),
};

function titled(title: string | null | undefined, lines: readonly string[]): string[] {
  return title == null ? [...lines] : [title, ...lines];
}

function heading(text: string, level: 'h1' | 'h2' | 'h3' | 'h4'): string[] {
  if (level === 'h1') return [text, '='.repeat(columns(text))];
  return level === 'h2' ? [text, '-'.repeat(columns(text))] : [text];
}

function divider(title: string): string {
  return title === '' ? '─'.repeat(40) : `── ${title} ${'─'.repeat(Math.max(2, 36 - columns(title)))}`;
}

/** Places single-line components side by side if they fit; otherwise one below the other. */
function inARow(children: readonly DisplayNode[]): string[] {
  const drawn = children.map(draw);
  const fits = drawn.every((lines) => lines.length === 1) && drawn.flat().join('  ').length <= width;
  return fits ? [drawn.flat().join('  ')] : drawn.flat();
}

function framed(title: string, lines: readonly string[]): string[] {
  const wide = largest(lines.map(columns), columns(title) + 2);
  const top = title === '' ? '─'.repeat(wide + 2) : `─ ${title} ${'─'.repeat(wide - columns(title) - 1)}`;
  return [`┌${top}┐`, ...lines.map((line) => `│ ${padded(line, wide)} │`), `└${'─'.repeat(wide + 2)}┘`];
}

function table({ columns: given, rows }: Extract<DisplayNode, { type: 'Table' }>['props']): string[] {
  const cells = rows.map((row) => given.map(({ key }) => (row[key] ?? '').replaceAll(/\s+/g, ' ')));
  const wide = given.map(({ header }, index) =>
    largest(
      cells.map((row) => columns(row[index] ?? '')),
      columns(header),
    ),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) =>
        given[index]?.align === 'right'
          ? ' '.repeat(Math.max(0, (wide[index] ?? 0) - columns(cell))) + cell
          : padded(cell, wide[index] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [
    line(given.map(({ header }) => header)),
    wide.map((one) => '─'.repeat(one)).join('  '),
    ...cells.map(line),
  ];
}

function progress(share: number, label: string): string {
  const full = Math.round(share * 30);
  const bar = `[${'█'.repeat(full)}${'░'.repeat(30 - full)}] ${Math.round(share * 100)} %`;
  return label === '' ? bar : `${label} ${bar}`;
}
