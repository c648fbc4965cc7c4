import type { Chart, DisplayItem } from '../../contract/display-item.ts';
import { type DisplayNode, displayTree } from '../../contract/display-tree.ts';
import { largest, smallest } from '../../contract/lists.ts';
import { brief, type Html, html, htmlBytes } from './html.ts';
import type { PageContext } from './page-context.ts';
import { renderMarkdown } from './render-markdown.ts';
import type { AllowedLinks } from './report-link.ts';

/** Maximum bytes for displayed items. */
const mostBytes = 400_000;
const bytesOfText = 20_000;

const tones = { default: '', info: '', success: 'good', warning: 'warning', error: 'bad' } as const;
const alignments = { left: '', center: 'middle', right: 'right' } as const;
const trends = { up: '↑', down: '↓', neutral: '→' } as const;
const steps = { completed: 'completed', current: 'in_progress', upcoming: 'pending' } as const;
const stepSigns = { completed: '●', current: '◉', upcoming: '○' } as const;
const alerts = {
  info: '',
  tip: 'good',
  success: 'good',
  important: 'warning',
  warning: 'warning',
  error: 'bad',
} as const;

/** Renders the output of `render` and `chart`, in order; null if there is none. */
export function renderDisplay({ outcome, places, scale }: PageContext): Html | null {
  const { shown: items = [] } = outcome;
  let remaining = mostBytes * scale;
  const parts = items.flatMap((item) => {
    const part = renderItem(item, places);
    remaining -= htmlBytes(part);
    return remaining < 0 ? [] : [part];
  });
  if (items.length === 0) return null;
  const missing = items.length - parts.length;
  return html`<section id="shown"><h2>Shown</h2>${parts}${missing === 0 ? null : html`<p class="cut">${missing} more left out here.</p>`}</section>`;
}

function renderItem(item: DisplayItem, places: AllowedLinks): Html {
  if ('chart' in item) return renderDisplayChart(item.chart);
  const tree = displayTree(item.render_spec);
  if ('problem' in tree) return html`<p class="cut">${brief(tree.problem, 200)}</p>`;
  return html`<div class="spec">${component(tree, places)}</div>`;
}

const line = (text: string): Html => brief(text, 400);

function component(node: DisplayNode, places: AllowedLinks): Html {
  const inside = () => node.children.map((child) => component(child, places));
  switch (node.type) {
    case 'Box': {
      const row = node.props.flexDirection?.startsWith('row') === true;
      return html`<div class="${row ? 'inrow' : 'stack'}">${heading(node.props.title)}${inside()}</div>`;
    }
    case 'Card':
      return html`<div class="card stack">${heading(node.props.title)}${inside()}</div>`;
    case 'Text': {
      const text = renderMarkdown(node.props.text, places, bytesOfText);
      return node.props.bold === true ? html`<strong>${text}</strong>` : text;
    }
    case 'Heading':
      return html`<h3>${line(node.props.text)}</h3>`;
    case 'Divider':
      return html`<div><hr>${node.props.title == null ? null : html`<p class="dim">${line(node.props.title)}</p>`}</div>`;
    case 'Newline':
    case 'Spacer':
      return html`<span class="gap"></span>`;
    default:
      return dataComponent(node, places);
  }
}

type DataNode = Exclude<
  DisplayNode,
  { type: 'Box' | 'Card' | 'Text' | 'Heading' | 'Divider' | 'Newline' | 'Spacer' }
>;

function dataComponent(node: DataNode, places: AllowedLinks): Html {
  switch (node.type) {
    case 'BarChart': {
      const { data, title } = node.props;
      return renderDisplayChart({ type: 'bar', title: title ?? null, points: data, width: 40 });
    }
    case 'Sparkline': {
      const points = node.props.data.map((value, index) => ({ label: String(index + 1), value }));
      return renderDisplayChart({ type: 'sparkline', title: node.props.label ?? null, points, width: 40 });
    }
    case 'Table':
      return table(node.props);
    case 'List': {
      const items = node.props.items.map((item) => html`<li>${line(item)}</li>`);
      return node.props.ordered === true ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case 'Timeline':
      return timeline(node.props);
    default:
      return lineComponent(node, places);
  }
}

type LineNode = Exclude<DataNode, { type: 'BarChart' | 'Sparkline' | 'Table' | 'List' | 'Timeline' }>;

function lineComponent(node: LineNode, places: AllowedLinks): Html {
  switch (node.type) {
    case 'StatusLine': {
      const { status, text } = node.props;
      return html`<p class="line"><span class="badge ${tones[status ?? 'default']}">${status ?? 'status'}</span> ${line(text)}</p>`;
    }
    case 'KeyValue': {
      const { label, value } = node.props;
      return html`<p class="line"><span class="dim">${line(label)}</span> ${line(Array.isArray(value) ? value.join(', ') : value)}</p>`;
    }
    case 'Badge':
      return html`<span class="badge ${tones[node.props.variant ?? 'default']}">${line(node.props.label)}</span>`;
    case 'ProgressBar': {
      const { label, progress } = node.props;
      const percent = Math.round(progress * 100);
      return html`<p class="line">${label == null ? null : html`${line(label)} `}<progress max="100" value="${percent}">${percent} %</progress> ${percent} %</p>`;
    }
    case 'Metric': {
      const { label, value, trend, detail } = node.props;
      return html`<p class="metric"><b>${line(value)}</b>${trend == null ? null : html` <span>${trends[trend]}</span>`} <span class="dim">${line(label)}${detail == null ? null : html`, ${line(detail)}`}</span></p>`;
    }
    case 'Callout': {
      const { title, type, content } = node.props;
      const head = title ?? (type ?? 'info').replace(/^./, (first) => first.toUpperCase());
      return html`<div class="callout ${alerts[type ?? 'info']}"><b>${line(head)}</b>${renderMarkdown(content, places, bytesOfText)}</div>`;
    }
  }
}

function timeline({ items }: Extract<DisplayNode, { type: 'Timeline' }>['props']): Html {
  const rows = items.map(({ title, description, date, status }) => {
    const kind = status ?? 'completed';
    const more = description == null ? null : html`<br><span class="dim">${line(description)}</span>`;
    return html`<li class="${steps[kind]}"><span aria-hidden="true">${stepSigns[kind]}</span> <span class="sr">${kind}: </span>${line(title)}${date == null ? null : html` <small>${line(date)}</small>`}${more}</li>`;
  });
  return html`<ol class="plainlist">${rows}</ol>`;
}

function heading(title: string | null | undefined): Html | null {
  return title == null ? null : html`<h3>${brief(title, 200)}</h3>`;
}

function table({ columns, rows }: Extract<DisplayNode, { type: 'Table' }>['props']): Html {
  const head = columns.map(({ header }) => html`<th scope="col">${line(header)}</th>`);
  const body = rows.map(
    (row) =>
      html`<tr>${columns.map(({ key, align }) => html`<td class="${alignments[align ?? 'left']}">${line(row[key] ?? '')}</td>`)}</tr>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="Table"><table class="grid"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const [width, height] = [640, 200];
type Points = Chart['points'];

/** Renders a chart as a figure: a drawing with a label per point, and the numbers as a table. */
export function renderDisplayChart({ type, title, points }: Chart): Html {
  const table = numbers(points);
  const inside =
    type === 'table' || points.length === 0
      ? table
      : html`${type === 'bar' ? bars(points) : lines(points)}<details><summary>The numbers as a table</summary>${table}</details>`;
  return html`<figure class="chart shown ${type}">${title === null ? null : html`<figcaption>${brief(title, 200)}</figcaption>`}${inside}</figure>`;
}

/** Bars from zero, upwards and downwards. */
function bars(points: Points): Html {
  const values = points.map(({ value }) => value);
  const { y, zero } = scaleOf(values);
  const budget = width / points.length;
  const drawn = points.map(({ label, value }, index) => {
    const [top, bottom] = [Math.min(y(value), zero), Math.max(y(value), zero)];
    const wide = Math.min(48, budget * 0.8);
    const x = (index + 0.5) * budget - wide / 2;
    return html`<g><title>${pointLabel(label, value)}</title><rect class="input" x="${fixed(x)}" y="${fixed(top)}" width="${fixed(wide)}" height="${fixed(Math.max(1, bottom - top))}"/></g>`;
  });
  return plot(points, drawn, zero);
}

function lines(points: Points): Html {
  const { y, zero } = scaleOf(points.map(({ value }) => value));
  const places = points.map(({ label, value }, index) => ({
    x: points.length === 1 ? width / 2 : (index / (points.length - 1)) * (width - 12) + 6,
    y: y(value),
    label: pointLabel(label, value),
  }));
  const path = places.map((place) => `${fixed(place.x)},${fixed(place.y)}`).join(' ');
  const dots = places.map(
    (place) =>
      html`<g><title>${place.label}</title><circle class="dot" cx="${fixed(place.x)}" cy="${fixed(place.y)}" r="4"/></g>`,
  );
  return plot(points, [html`<polyline class="stroke" points="${path}"/>`, ...dots], zero);
}

/** Zero always belongs to the scale, as bars without it mislead. */
function scaleOf(values: readonly number[]) {
  const [low, high] = [smallest(values, 0), largest(values, 0)];
  const span = high - low || 1;
  const y = (value: number) => 6 + ((high - value) / span) * (height - 12);
  return { y, zero: y(0) };
}

function plot(points: Points, drawn: readonly Html[], zero: number): Html {
  const largest = points.reduce((most, point) => (point.value > most.value ? point : most));
  const title = `${points.length} values; the largest is ${pointLabel(largest.label, largest.value)}.`;
  return html`<div class="plot"><svg role="img" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"><title>${title}</title><line class="rule" x1="0" x2="${width}" y1="${fixed(zero)}" y2="${fixed(zero)}"/>${drawn}</svg></div>
<p class="axis" aria-hidden="true"><span>${brief(points[0]?.label ?? '', 40)}</span><span>${brief(points.length > 1 ? (points.at(-1)?.label ?? '') : '', 40)}</span></p>`;
}

function numbers(points: Points): Html {
  const rows = points.map(
    ({ label, value }) =>
      html`<tr><th scope="row">${brief(label, 200)}</th><td>${formatNumber(value)}</td></tr>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="The numbers"><table class="grid numbers"><tbody>${rows}</tbody></table></div>`;
}

const pointLabel = (label: string, value: number): string => `${label}: ${formatNumber(value)}`;
const fixed = (place: number): string => place.toFixed(2);

function formatNumber(value: number): string {
  return new Intl.NumberFormat('en-US', {
    maximumSignificantDigits: 6,
    notation: Math.abs(value) >= 1e15 ? 'scientific' : 'standard',
  }).format(value);
}
