import { plainText } from '../text/plain-text.ts';

/** Of a longer line only the beginning is read, of more metrics than so many the first. */
const longestLine = 4_096;
const mostMetrics = 50;
const longestName = 100;
/** Places of a name in one line that are looked at. */
const mostTries = 20;

/** What a benchmark said it measured. */
export interface Metrics {
  /** Null where the primary metric was not told, or is no finite number. */
  readonly value: number | null;
  /** The others by name, as `METRIC` lines have them. */
  readonly others: Readonly<Record<string, number>>;
}

const number = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
/** `12`, `1.5e3`, `12.5ms`, `98 %`: a number and perhaps its unit. */
const leadingNumber = new RegExp(`^(${number})(?![\\w.]*\\d)[\\p{L}%/]*(?=$|[\\s,;)\\]}|"'])`, 'u');
/** A number right before a name, as Go's benchmarks print them: `12.5 p95_ms`. */
const trailingNumber = /(?:^|[\s|,;:=([])([-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?)[ \t]+$/;
const nameCharacter = /[\p{L}\p{N}_.-]/u;

/**
 * Reads metrics out of what a benchmark prints, piece by piece, however much that is. A line `METRIC name=value` (or `name: value`)
 * tells one and counts above all else. Without one for the primary metric, its name beside a number anywhere does: `name=12`,
 * `"name": 12`, `name 12ms`, `12 name`. The last that was told counts. What was read is the same for the same output: nothing is guessed.
 */
export function createMetricReader(primary: string): {
  readonly push: (chunk: Buffer) => void;
  finish(): Metrics;
} {
  const told = new Map<string, number>();
  let beside: number | null = null;
  let line = '';
  const decoder = new TextDecoder();
  const read = (whole: string) => {
    // Most of what is printed is neither, and need not be looked at twice.
    if (!whole.includes('METRIC') && !whole.includes(primary)) return;
    const text = plainText(whole);
    const metric = /^\s*METRIC[ \t]+(.*)$/.exec(text)?.[1];
    if (metric === undefined) {
      beside = numberBeside(text, primary) ?? beside;
      return;
    }
    const [name, value] = metricOf(metric) ?? [];
    if (name === undefined || value === undefined) return;
    if (told.has(name) || name === primary || told.size < mostMetrics) told.set(name, value);
  };
  const take = (text: string) => {
    const parts = text.split(/\r?\n|\r/);
    for (const [index, part] of parts.entries()) {
      if (line.length < longestLine) line += part.slice(0, longestLine - line.length);
      if (index === parts.length - 1) continue;
      read(line);
      line = '';
    }
  };
  return {
    push: (chunk) => take(decoder.decode(chunk, { stream: true })),
    finish() {
      take(decoder.decode());
      read(line);
      line = '';
      const { [primary]: value, ...others } = Object.fromEntries(told);
      return { value: value ?? beside, others };
    },
  };
}

/** Name and value of what stands behind `METRIC`. */
function metricOf(text: string): readonly [string, number] | null {
  const [, name = '', rest = ''] = /^([^=:]*)[=:](.*)$/.exec(text) ?? [];
  const value = leading(rest);
  const trimmed = name.trim();
  return value === null || trimmed === '' || trimmed.length > longestName ? null : [trimmed, value];
}

/** The number that stands beside a name in a line, the last of several; null where none does. */
function numberBeside(text: string, name: string): number | null {
  let at = text.lastIndexOf(name);
  for (let tries = 0; at !== -1 && tries < mostTries; tries += 1) {
    const [before, after] = [text.slice(0, at), text.slice(at + name.length)];
    if (!nameCharacter.test(before.slice(-1)) && !nameCharacter.test(after.slice(0, 1))) {
      const [prefix = '', sign = ''] = /^["'`]?[ \t]*([=:|]|->)?[ \t]*["'`]?/.exec(after) ?? [];
      const behind = leading(after.slice(prefix.length));
      const ahead = finite(trailingNumber.exec(before)?.[1] ?? '');
      // `12 name 3 other`: pairs of a number and its name, unless a sign says otherwise.
      const value = sign === '' ? (ahead ?? behind) : behind;
      if (value !== null) return value;
    }
    at = at === 0 ? -1 : text.lastIndexOf(name, at - 1);
  }
  return null;
}

function leading(text: string): number | null {
  const found = leadingNumber.exec(text.trimStart())?.[1];
  return found === undefined ? null : finite(found);
}

function finite(text: string): number | null {
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
