import { largest } from '../../contract/lists.ts';
import { type Html, html } from './html.ts';
import { costText, formatCount, type PageContext } from './page-context.ts';
import type { StoryTurn } from './run-story.ts';

/** More bars are too narrow on a phone: turns are merged. */
const mostBars = 90;
const mostRows = 600;
const [width, height] = [1000, 200];

const series = [
  { key: 'cached', name: 'read from the cache' },
  { key: 'written', name: 'written to the cache' },
  { key: 'input', name: 'input' },
  { key: 'output', name: 'output' },
  { key: 'children', name: 'child runs' },
] as const;

/** The tokens of one turn, or of several that share a bar. */
interface Bar {
  readonly label: string;
  readonly cached: number;
  readonly written: number;
  readonly input: number;
  readonly output: number;
  readonly children: number;
  readonly cost: number | null;
}

/** Renders tokens and cost per turn: a drawing, its description, and the numbers as a table. */
export function renderCharts({ story, outcome }: PageContext): Html | null {
  const { turns } = story;
  if (turns.length === 0) return null;
  const step = Math.ceil(turns.length / mostBars);
  const bars = Array.from({ length: Math.ceil(turns.length / step) }, (_, index) =>
    barOf(turns.slice(index * step, (index + 1) * step)),
  );
  const used = series.filter(({ key }) => bars.some((bar) => bar[key] > 0));
  const most = largest(bars.map(totalOf), 1);
  const highest = bars.find((bar) => totalOf(bar) === most);
  const caption = `${formatCount(most)} tokens at most, in ${highest?.label.toLowerCase() ?? 'no turn'}; ${costText(outcome.cost_usd)} in all.`;
  const costs = bars.map(({ cost }) => cost);
  const dearest = largest(
    costs.map((cost) => cost ?? 0),
    0,
  );
  return html`<section id="cost"><h2>Tokens and cost</h2>
<ul class="legend">${used.map(({ key, name }) => html`<li><span class="key ${key}" aria-hidden="true"></span>${name}</li>`)}</ul>
${drawing({
  id: 'tokens',
  title: 'Tokens of each turn',
  text: caption,
  scale: [most, most / 2, 0].map((tokens) => shortCount(tokens)),
  bars: bars.flatMap((bar, index) => stack(bar, index, bars.length, most)),
  turns,
})}
${
  dearest > 0
    ? drawing({
        id: 'cost',
        title: 'Cost of each turn',
        text: `${costText(dearest)} at most in one ${step === 1 ? 'turn' : 'bar'}.`,
        scale: [costText(dearest), '$0'],
        bars: bars.map((bar, index) => costBar(bar, index, bars.length, dearest)),
        turns,
      })
    : null
}
${numbers(turns, used)}</section>`;
}

function barOf(turns: readonly StoryTurn[]): Bar {
  const sum = (of: (turn: StoryTurn) => number) => turns.reduce((total, turn) => total + of(turn), 0);
  const [first, last] = [turns[0]?.number ?? 0, turns.at(-1)?.number ?? 0];
  return {
    label: first === last ? `Turn ${first}` : `Turns ${first} to ${last}`,
    cached: sum(({ usage }) => usage.cache_read),
    written: sum(({ usage }) => usage.cache_write),
    input: sum(({ usage }) => usage.input),
    output: sum(({ usage }) => usage.output),
    children: sum(({ childTokens }) => childTokens),
    cost: turns.some(({ costUsd }) => costUsd === null) ? null : sum(({ costUsd }) => costUsd ?? 0),
  };
}

const totalOf = (bar: Bar): number => series.reduce((sum, { key }) => sum + bar[key], 0);

interface Drawing {
  readonly id: 'tokens' | 'cost';
  readonly title: string;
  /** The description for screen readers. */
  readonly text: string;
  readonly scale: readonly string[];
  readonly bars: readonly Html[];
  readonly turns: readonly StoryTurn[];
}

/** The scale is text beside the drawing, so that it is not stretched. */
function drawing({ id, title, text: caption, scale, bars, turns }: Drawing): Html {
  const tall = id === 'cost' ? height / 2 : height;
  const lines = scale.map((_, index) => {
    const y = (index / (scale.length - 1)) * tall;
    return html`<line class="rule" x1="0" x2="${width}" y1="${y}" y2="${y}"/>`;
  });
  return html`<figure class="chart ${id}"><figcaption>${title}</figcaption>
<div class="plot"><ol class="scale" aria-hidden="true">${scale.map((one) => html`<li>${one}</li>`)}</ol>
<svg role="img" aria-labelledby="${id}-title ${id}-words" viewBox="0 0 ${width} ${tall}" preserveAspectRatio="none"><title id="${id}-title">${title}</title><desc id="${id}-words">${caption}</desc>${lines}${bars}</svg></div>
${axis(turns)}</figure>`;
}

/** Few turns are each named below their bar, of many the first and the last. */
function axis(turns: readonly StoryTurn[]): Html {
  if (turns.length <= 12)
    return html`<ol class="axis each" aria-hidden="true">${turns.map(({ number }, index) => html`<li>${index === 0 ? `Turn ${number}` : number}</li>`)}</ol>`;
  return html`<p class="axis" aria-hidden="true"><span>Turn ${turns[0]?.number ?? 0}</span><span>Turn ${turns.at(-1)?.number ?? 0}</span></p>`;
}

/** Returns the position of a bar, centred in its share. Few bars are narrower than that. */
function slot(index: number, count: number): { readonly x: string; readonly wide: string } {
  const budget = width / count;
  const wide = Math.min(64, budget * 0.82);
  return { x: ((index + 0.5) * budget - wide / 2).toFixed(2), wide: wide.toFixed(2) };
}

function stack(bar: Bar, index: number, count: number, most: number): Html[] {
  const { x, wide } = slot(index, count);
  let y = height;
  const parts = series.flatMap(({ key }) => {
    if (bar[key] === 0) return [];
    const tall = (bar[key] / most) * (height - 2);
    y -= tall;
    return [
      html`<rect class="${key}" x="${x}" y="${y.toFixed(2)}" width="${wide}" height="${tall.toFixed(2)}"/>`,
    ];
  });
  const each = series.flatMap(({ key, name }) => (bar[key] > 0 ? [`${formatCount(bar[key])} ${name}`] : []));
  return [html`<g><title>${bar.label}: ${each.join(', ')}</title>${parts}</g>`];
}

function costBar(bar: Bar, index: number, count: number, dearest: number): Html {
  const { x, wide } = slot(index, count);
  const tall = ((bar.cost ?? 0) / dearest) * (height / 2 - 2);
  return html`<g><title>${bar.label}: ${costText(bar.cost)}</title><rect class="price" x="${x}" y="${(height / 2 - tall).toFixed(2)}" width="${wide}" height="${tall.toFixed(2)}"/></g>`;
}

/** `950`, `12k`, `1.2M`. */
function shortCount(count: number): string {
  return new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(
    Math.round(count),
  );
}

function numbers(turns: readonly StoryTurn[], used: readonly (typeof series)[number][]): Html {
  const rows = turns.slice(0, mostRows).map((turn) => {
    const bar = barOf([turn]);
    return html`<tr><th scope="row">${turn.number}</th>${used.map(({ key }) => html`<td>${formatCount(bar[key])}</td>`)}<td>${costText(bar.cost)}</td></tr>`;
  });
  const rest = turns.length - rows.length;
  return html`<details><summary>The numbers as a table</summary><div class="wide" tabindex="0" role="region" aria-label="Tokens and cost of each turn"><table class="grid numbers"><thead><tr><th scope="col">turn</th>${used.map(({ name }) => html`<th scope="col">${name}</th>`)}<th scope="col">cost</th></tr></thead><tbody>${rows}</tbody></table></div>${rest > 0 ? html`<p class="cut">${rest} more turns left out here.</p>` : null}</details>`;
}
