/** The windows of time that every backend knows. */
export type Window = 'day' | 'week' | 'month' | 'year';

/** A query in the terms that all backends share. */
export interface SearchQuery {
  readonly query: string;
  /** At most 20. */
  readonly count: number;
  readonly window: Window | null;
  /** Hosts in small letters; names below them are included. */
  readonly domains: readonly string[];
  readonly excluded: readonly string[];
  readonly category: Category | null;
  /** `YYYY-MM-DD`. */
  readonly from: string | null;
  readonly to: string | null;
}

export const categories = ['company', 'people', 'news', 'research', 'blog'] as const;
export type Category = (typeof categories)[number];

/** A search result; texts are the backend's. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly text: string;
  readonly published: string | null;
}

const hours: Readonly<Record<Window, number>> = { day: 24, week: 7 * 24, month: 31 * 24, year: 366 * 24 };
const inHours: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24, m: 30 * 24, y: 365 * 24 };

/**
 * Reads a window: `week`, `any` (null), or a time such as `24h`, `7d`, `2w`, `6m`, `1y`, rounded up
 * to a window. Undefined if invalid.
 */
export function readRecency(word: string): Window | null | undefined {
  const plain = word
    .trim()
    .toLowerCase()
    .replace(/^(?:past|last)[\s_-]*/, '');
  if (['', 'any', 'anytime', 'all', 'none'].includes(plain)) return null;
  const windows = Object.keys(hours) as Window[];
  const named = windows.find((window) => window === plain);
  if (named !== undefined) return named;
  const [, count, unit = ''] = /^(\d{1,5})\s*(h|d|w|m|y)[a-z]*$/.exec(plain) ?? [];
  if (count === undefined || Number(count) === 0) return undefined;
  const hoursBack = Number(count) * (inHours[unit] ?? 0);
  return windows.find((window) => hoursBack <= hours[window]) ?? null;
}

/** The first day of a window that ends now. */
export function firstDay(window: Window, now: number): string {
  const days: Readonly<Record<Window, number>> = { day: 1, week: 7, month: 30, year: 365 };
  return new Date(now - days[window] * 86_400_000).toISOString().slice(0, 10);
}

/**
 * The host of a domain as people write it (`https://go.dev/blog`, `*.go.dev`, `WWW.go.dev`); null
 * if invalid.
 */
export function hostOfDomain(domain: string): string | null {
  const bare = domain.trim().replace(/^\*\./, '');
  const host = URL.parse(/^https?:\/\//i.test(bare) ? bare : `https://${bare}`)?.hostname.replace(
    /^www\./,
    '',
  );
  return host !== undefined && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host) ? host : null;
}

/** True if a URL belongs to a host or a name below it. */
export function isOf(url: string, host: string): boolean {
  const name = URL.parse(url)?.hostname ?? '';
  return name === host || name.endsWith(`.${host}`);
}
