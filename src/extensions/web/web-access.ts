import { ToolError } from '../../contract/errors.ts';
import type { Fetched, GuardedFetch } from '../../network/guarded-fetch.ts';
import { type FailureKind, RequestFailure } from '../../network/request-failure.ts';

/** A request to the web. */
export interface WebRequest {
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Headers of ours, which may hold a key. */
  readonly ownHeaders?: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** Bytes of the answer at most. */
  readonly mostBytes: number;
}

/** A complete answer. */
export interface WebAnswer {
  /** The requested URL, then redirects within the host; the last one answered. */
  readonly urls: readonly string[];
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The redirect that was not followed; null for none. */
  readonly elsewhere: string | null;
}

/** The web as the tools of a run may ask it. */
export interface WebAccess {
  /** Asks; throws `ToolError` where there is no answer, and the reason of an abort. */
  ask(request: WebRequest, signal: AbortSignal): Promise<WebAnswer>;
  close(): Promise<void>;
}

/**
 * Opens access through a guarded `fetch`, created with the first request. A redirect to another
 * host is returned, not followed; without `followsWithinHost` none is followed, as rules decided
 * on the requested URL only. `hosts` are the allowed hosts as configured, for messages. Texts for
 * which `holdsSecret` is true are not sent.
 */
export function openWebAccess(run: {
  readonly hosts: readonly string[];
  readonly open: () => Promise<GuardedFetch>;
  readonly followsWithinHost: boolean;
  readonly holdsSecret: (text: string) => boolean;
}): WebAccess {
  let opened: Promise<GuardedFetch> | null = null;
  const mayFollow = (from: URL, to: URL) => run.followsWithinHost && sameHost(from, to);
  return {
    async ask(request, signal) {
      const { url, method = 'GET', headers = {}, ownHeaders = {}, body } = request;
      if (run.holdsSecret(decoded([url, body ?? '', ...Object.values(headers)].join('\n'))))
        throw new ToolError('refused', 'The request would carry a secret out of this run. Ask without it.');
      opened ??= run.open();
      try {
        const sent = { 'user-agent': userAgent, ...headers, ...ownHeaders };
        const init = { method, headers: sent, signal, ...(body === undefined ? {} : { body }) };
        const limits = { mayFollow, bytes: request.mostBytes, totalMs: request.timeoutSeconds * 1_000 };
        return await answerOf(await (await opened).follow(url, init, limits));
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error;
        const kind = error.kind === 'not_allowed' ? 'refused' : error.kind;
        throw new ToolError(kind, `${url} ${error.message}. ${advice(error.kind, run.hosts)}`, {
          cause: error,
        });
      }
    },
    async close() {
      await (await opened?.catch(() => null))?.close();
    },
  };
}

async function answerOf({ response, urls }: Fetched): Promise<WebAnswer> {
  const { status, headers } = response;
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  const elsewhere = location === null ? null : (URL.parse(location, urls.at(-1))?.href ?? null);
  return { urls, status, headers, bytes: Buffer.from(await response.arrayBuffer()), elsewhere };
}

const userAgent = 'Mozilla/5.0 (compatible; anode-ci)';

/** The same host, by which scheme and port so ever, and with `www.` or without. */
function sameHost(from: URL, to: URL): boolean {
  const name = ({ hostname }: URL) => hostname.replace(/^www\./, '');
  return name(from) === name(to);
}

/** A text with its escapes decoded too, so that escaping hides no secret. */
function decoded(text: string): string {
  try {
    return `${text}\n${decodeURIComponent(text)}`;
  } catch {
    return text;
  }
}

const mostNamed = 20;

function advice(kind: FailureKind, hosts: readonly string[]): string {
  // The list of allowed hosts does not help with an allowed host at a private address.
  if (kind === 'refused') return 'No setting of this run opens that; go on without it.';
  if (kind === 'not_allowed') {
    const rest = hosts.length > mostNamed ? `, and ${hosts.length - mostNamed} more` : '';
    return `Permitted hosts: ${hosts.slice(0, mostNamed).join(', ') || 'none'}${rest}. Continue without it, or use one of them.`;
  }
  if (kind === 'too_large') return 'Ask for a part of it, or for a page that leads there.';
  if (kind === 'timeout') return 'Raise timeout, or go on without it.';
  return 'Check the URL, or go on without it.';
}
