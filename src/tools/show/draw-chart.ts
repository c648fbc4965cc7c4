import { type Chart, sparkline } from '../../contract/display-item.ts';
import { largest, smallest } from '../../contract/lists.ts';

const eighths = ' ▏▎▍▌▋▊▉';
/** Rows of a line chart. */
const height = 8;

/** Renders a chart as text for a terminal, without a final newline. */
export function drawChart({ type, title, points, width }: Chart): string {
  const body = {
    bar: () => drawBars(points, width),
    line: () => drawLine(points, width),
    sparkline: () => sparkline(points.map(({ value }) => value)),
    table: () => drawTable(points),
  }[type]();
  return title === null ? body : `${title}\n${body}`;
}

/**
 * Renders a row per point: label, bar, value. Bars begin at zero; with negative values they grow
 * both ways.
 */
export function drawBars(given: Chart['points'], width: number, percent = false): string {
  const points = given.map(({ label, value }) => ({ label: label.replaceAll(/\s+/g, ' '), value }));
  const names = largest(points.map(({ label }) => columns(label)));
  const longest = largest(
    points.map(({ value }) => Math.abs(value)),
    Number.MIN_VALUE,
  );
  const total = points.reduce((sum, { value }) => sum + Math.abs(value), 0);
  const negative = points.some(({ value }) => value < 0);
  return points
    .map(({ label, value }) => {
      const bar = barOf(Math.abs(value) / longest, negative ? Math.floor(width / 2) : width);
      const drawn = negative ? aroundZero(bar.trimEnd(), value, Math.floor(width / 2)) : bar.trimEnd();
      const share = percent && total > 0 ? ` (${Math.round((100 * Math.abs(value)) / total)} %)` : '';
      return `${padded(label, names)}  ${drawn}${drawn === '' ? '' : ' '}${renderNumber(value)}${share}`;
    })
    .join('\n');
}

/** Places a bar left of the zero line for a negative value, else right of it. */
function aroundZero(bar: string, value: number, half: number): string {
  return value < 0 ? `${'█'.repeat(bar.length).padStart(half)}|` : `${' '.repeat(half)}|${bar}`;
}

function barOf(share: number, width: number): string {
  const parts = Math.round(share * width * 8);
  return `${'█'.repeat(Math.floor(parts / 8))}${eighths[parts % 8]}`;
}

function drawLine(points: Chart['points'], width: number): string {
  const given = points.map(({ value }) => value);
  const values = given.length > width ? thinned(given, width) : stretched(given, width);
  const [low, high] = [smallest(given), largest(given)];
  const span = high - low || 1;
  const rows = Array.from({ length: height }, () => new Array<string>(values.length).fill(' '));
  for (const [column, value] of values.entries()) {
    const row = height - 1 - Math.round(((value - low) / span) * (height - 1));
    const line = rows[row];
    if (line !== undefined) line[column] = '•';
  }
  const scale = [renderNumber(high), ...new Array<string>(height - 2).fill(''), renderNumber(low)];
  const wide = largest(scale.map((one) => one.length));
  const drawn = rows.map((row, index) => `${(scale[index] ?? '').padStart(wide)} ┤${row.join('').trimEnd()}`);
  const [first, last] = [points[0]?.label ?? '', points.at(-1)?.label ?? ''];
  const gap = Math.max(1, values.length - columns(first) - columns(last));
  const axis = points.length === 1 ? first : `${first}${' '.repeat(gap)}${last}`;
  return [
    ...drawn,
    `${' '.repeat(wide)} └${'─'.repeat(values.length)}`,
    `${' '.repeat(wide + 2)}${axis}`,
  ].join('\n');
}

function drawTable(points: Chart['points']): string {
  const names = largest(points.map(({ label }) => columns(label)));
  const numbers = largest(points.map(({ value }) => renderNumber(value).length));
  return points
    .map(({ label, value }) => `${padded(label, names)}  ${renderNumber(value).padStart(numbers)}`)
    .join('\n');
}

/**
 * Reduces values: each kept one is the farthest from the mean in its group, so that no peak is
 * lost.
 */
function thinned(values: readonly number[], count: number): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * values.length) / count);
    const shared = values.slice(start, Math.floor(((index + 1) * values.length) / count));
    return shared.reduce((far, value) => (Math.abs(value - mean) > Math.abs(far - mean) ? value : far));
  });
}

/** Adds values by linear interpolation. */
function stretched(values: readonly number[], most: number): number[] {
  const step = Math.max(1, Math.min(4, Math.floor((most - 1) / Math.max(1, values.length - 1))));
  return values.flatMap((value, index) => {
    const next = values[index + 1];
    if (next === undefined) return [value];
    return Array.from({ length: step }, (_, part) => value + ((next - value) * part) / step);
  });
}

/** Renders a number in at most six digits. */
export function renderNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return String(Number(value.toPrecision(6)));
}

/** Returns the columns of a text; wide characters take two. */
export function columns(text: string): number {
  let count = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    count += isWide(character) ? 2 : 1;
  }
  return count;
}

const isWide = (character: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u.test(
    character,
  );

export function padded(text: string, wide: number): string {
  return text + ' '.repeat(Math.max(0, wide - columns(text)));
}
