import { plainText } from '../text/plain-text.ts';

/** Limits: characters read of a line, number of metrics, characters of a name. */
const longestLine = 4_096;
const mostMetrics = 50;
const longestName = 100;
/** Maximum occurrences of a name checked per line. */
const mostTries = 20;

/** The metrics a benchmark printed. */
export interface Metrics {
  /** Null if the primary metric was not printed or is no finite number. */
  readonly value: number | null;
  /** The other metrics by name, from `METRIC` lines. */
  readonly others: Readonly<Record<string, number>>;
}

const number = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
/** Matches a number and an optional unit: `12`, `1.5e3`, `12.5ms`, `98 %`. */
const leadingNumber = new RegExp(`^(${number})(?![\\w.]*\\d)[\\p{L}%/]*(?=$|[\\s,;)\\]}|"'])`, 'u');
/** Matches a number right before a name, as Go's benchmarks print it: `12.5 p95_ms`. */
const trailingNumber = /(?:^|[\s|,;:=([])([-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?)[ \t]+$/;
const nameCharacter = /[\p{L}\p{N}_.-]/u;

/**
 * Reads metrics from a benchmark's output of any length, chunk by chunk. A line `METRIC name=value`
 * (or `name: value`) has priority. Without one for the primary metric, its name next to a number
 * anywhere counts: `name=12`, `"name": 12`, `name 12ms`, `12 name`. The last value counts. The
 * result depends on the output alone.
 */
export function createMetricReader(primary: string): {
  readonly push: (chunk: Buffer) => void;
  finish(): Metrics;
} {
  const values = new Map<string, number>();
  let found: number | null = null;
  let line = '';
  const decoder = new TextDecoder();
  const read = (whole: string) => {
    // Most lines contain neither and are skipped.
    if (!whole.includes('METRIC') && !whole.includes(primary)) return;
    const text = plainText(whole);
    const metric = /^\s*METRIC[ \t]+(.*)$/.exec(text)?.[1];
    if (metric === undefined) {
      found = numberBeside(text, primary) ?? found;
      return;
    }
    const [name, value] = metricOf(metric) ?? [];
    if (name === undefined || value === undefined) return;
    if (values.has(name) || name === primary || values.size < mostMetrics) values.set(name, value);
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
      const { [primary]: value, ...others } = Object.fromEntries(values);
      return { value: value ?? found, others };
    },
  };
}

/** Parses the name and value after `METRIC`. */
function metricOf(text: string): readonly [string, number] | null {
  const [, name = '', rest = ''] = /^([^=:]*)[=:](.*)$/.exec(text) ?? [];
  const value = leading(rest);
  const trimmed = name.trim();
  return value === null || trimmed === '' || trimmed.length > longestName ? null : [trimmed, value];
}

/** Returns the number next to a name in a line, the last of several. Null if there is none. */
function numberBeside(text: string, name: string): number | null {
  let at = text.lastIndexOf(name);
  for (let tries = 0; at !== -1 && tries < mostTries; tries += 1) {
    const value = numberAround(text.slice(0, at), text.slice(at + name.length));
    if (value !== null) return value;
    at = at === 0 ? -1 : text.lastIndexOf(name, at - 1);
  }
  return null;
}

/**
 * Returns the number next to a name between two texts; null if it is only part of a longer name.
 */
function numberAround(before: string, after: string): number | null {
  if (nameCharacter.test(before.slice(-1)) || nameCharacter.test(after.slice(0, 1))) return null;
  const [prefix = '', sign = ''] = /^["'`]?[ \t]*([=:|]|->)?[ \t]*["'`]?/.exec(after) ?? [];
  const behind = leading(after.slice(prefix.length));
  const ahead = finite(trailingNumber.exec(before)?.[1] ?? '');
  // `12 name 3 other` is pairs of a number and its name, unless a sign follows the name.
  return sign === '' ? (ahead ?? behind) : behind;
}

function leading(text: string): number | null {
  const found = leadingNumber.exec(text.trimStart())?.[1];
  return found === undefined ? null : finite(found);
}

function finite(text: string): number | null {
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
