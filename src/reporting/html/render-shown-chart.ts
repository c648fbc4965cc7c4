import type { Chart } from '../../contract/display-item.ts';
import { largest, smallest } from '../../contract/lists.ts';
import { brief } from './brief.ts';
import { type Html, html } from './html.ts';

const [width, height] = [640, 200];
type Points = Chart['points'];

/** A chart with its title as a figure: a drawing, which names each point to who points at it, and the numbers as a table. */
export function renderShownChart({ type, title, points }: Chart): Html {
  const table = numbers(points);
  const inside =
    type === 'table' || points.length === 0
      ? table
      : html`${type === 'bar' ? bars(points) : line(points)}<details><summary>The numbers as a table</summary>${table}</details>`;
  return html`<figure class="chart shown ${type}">${title === null ? null : html`<figcaption>${brief(title, 200)}</figcaption>`}${inside}</figure>`;
}

/** Bars from zero, upwards and downwards. */
function bars(points: Points): Html {
  const values = points.map(({ value }) => value);
  const { y, zero } = scaleOf(values);
  const room = width / points.length;
  const drawn = points.map(({ label, value }, index) => {
    const [top, bottom] = [Math.min(y(value), zero), Math.max(y(value), zero)];
    const wide = Math.min(48, room * 0.8);
    const x = (index + 0.5) * room - wide / 2;
    return html`<g><title>${said(label, value)}</title><rect class="input" x="${fixed(x)}" y="${fixed(top)}" width="${fixed(wide)}" height="${fixed(Math.max(1, bottom - top))}"/></g>`;
  });
  return plot(points, drawn, zero);
}

function line(points: Points): Html {
  const { y, zero } = scaleOf(points.map(({ value }) => value));
  const places = points.map(({ label, value }, index) => ({
    x: points.length === 1 ? width / 2 : (index / (points.length - 1)) * (width - 12) + 6,
    y: y(value),
    words: said(label, value),
  }));
  const path = places.map((place) => `${fixed(place.x)},${fixed(place.y)}`).join(' ');
  const dots = places.map(
    (place) =>
      html`<g><title>${place.words}</title><circle class="dot" cx="${fixed(place.x)}" cy="${fixed(place.y)}" r="4"/></g>`,
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
  const words = `${points.length} values; the largest is ${said(largest.label, largest.value)}.`;
  return html`<div class="plot"><svg role="img" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"><title>${words}</title><line class="rule" x1="0" x2="${width}" y1="${fixed(zero)}" y2="${fixed(zero)}"/>${drawn}</svg></div>
<p class="axis" aria-hidden="true"><span>${brief(points[0]?.label ?? '', 40)}</span><span>${brief(points.length > 1 ? (points.at(-1)?.label ?? '') : '', 40)}</span></p>`;
}

function numbers(points: Points): Html {
  const rows = points.map(
    ({ label, value }) =>
      html`<tr><th scope="row">${brief(label, 200)}</th><td>${shownNumber(value)}</td></tr>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="The numbers"><table class="grid numbers"><tbody>${rows}</tbody></table></div>`;
}

const said = (label: string, value: number): string => `${label}: ${shownNumber(value)}`;
const fixed = (place: number): string => place.toFixed(2);

function shownNumber(value: number): string {
  return new Intl.NumberFormat('en-US', {
    maximumSignificantDigits: 6,
    notation: Math.abs(value) >= 1e15 ? 'scientific' : 'standard',
  }).format(value);
}
