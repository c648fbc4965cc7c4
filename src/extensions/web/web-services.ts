import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import type { WebAccess, WebAnswer } from './web-access.ts';

/** Services of the web tools. */
export interface WebServices {
  readonly access: WebAccess;
  /** Stored answers, so that no page is requested twice in 15 minutes. */
  readonly answers: WebCache<WebAnswer>;
  /** The file of the process that makes Markdown of pages. */
  readonly pageProgram: string;
}

/**
 * Requests a page, or returns a stored answer. Only successes are stored. Throws `ToolError` like
 * `WebAccess`, and if a stored answer is larger than wanted.
 */
export async function askOnce(
  { access, answers }: WebServices,
  request: Parameters<WebAccess['ask']>[0],
  signal: AbortSignal,
): Promise<WebAnswer> {
  const { url, method = 'GET', headers = {} } = request;
  const answer = await answers.get(
    JSON.stringify([method, url, headers]),
    () => access.ask(request, signal),
    ({ status, bytes }) => (status === 200 ? bytes.length : null),
  );
  if (answer.bytes.length > request.mostBytes)
    throw new ToolError(
      'too_large',
      `${url} was answered with ${answer.bytes.length} bytes, more than the ${request.mostBytes} wanted. Ask for a part of it, or with a larger max_size.`,
    );
  return answer;
}

/** Lifetime of a stored answer: a model requests a page again because it forgot it. */
const lifetimeMs = 15 * 60 * 1_000;
const mostEntries = 100;
const mostBytes = 32 * 1024 ** 2;

/** Stored answers of one run. */
export interface WebCache<Value> {
  /**
   * Returns the stored value of `key`, or the result of `ask`. That is stored if `size` gives its
   * bytes rather than null.
   */
  get(key: string, ask: () => Promise<Value>, size: (value: Value) => number | null): Promise<Value>;
}

/**
 * Creates a cache for 15 minutes, 100 entries and 32 MiB; the oldest go first. `now` is in
 * milliseconds.
 */
export function createWebCache<Value>(now: () => number): WebCache<Value> {
  const entries = new Map<
    string,
    { readonly value: Value; readonly bytes: number; readonly until: number }
  >();
  let total = 0;
  const drop = (key: string) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    async get(key, ask, size) {
      const stored = entries.get(key);
      if (stored !== undefined && now() < stored.until) return stored.value;
      drop(key);
      const value = await ask();
      const bytes = size(value);
      if (bytes === null || bytes > mostBytes) return value;
      drop(key);
      entries.set(key, { value, bytes, until: now() + lifetimeMs });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (entries.size <= mostEntries && total <= mostBytes) break;
        drop(oldest);
      }
      return value;
    },
  };
}

const longest = 2_000;

/**
 * Normalises a URL as a model writes it, scheme optional, for rules and requests alike. Removes
 * what has no meaning (RFC 3986, 6.2.2.2): the fragment, a dot at the host's end, needless escapes.
 * Null for no URL, another scheme or credentials.
 */
function webUrl(text: string): string | null {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  });
}

/** The argument of a tool that is a URL, in the form of `webUrl`. */
export function urlInput() {
  return z
    .string()
    .max(longest)
    .transform((text, context) => {
      const url = webUrl(text);
      if (url !== null) return url;
      context.addIssue('it has to be an http or https URL without a user name and a password');
      return z.NEVER;
    });
}
