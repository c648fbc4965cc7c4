const redirects = [301, 302, 303, 307, 308];
const mostRedirects = 5;

/**
 * Creates a `fetch` that sends requests only to the origin of `apiUrl`. Redirects on that origin
 * are followed as in the Fetch standard (GitHub Docs, "Best practices for using the REST API",
 * "Follow redirects"). A read redirected to another host, such as for a job log, goes there without
 * its token. A write, or a next page elsewhere, rejects.
 */
export function ownOriginFetch(apiUrl: string): typeof globalThis.fetch {
  const { origin, protocol } = new URL(apiUrl);
  const checkHost = (url: URL, isRead: boolean): void => {
    if (url.origin === origin || (isRead && url.protocol === protocol)) return;
    throw new Error(`GitHub's answer leads to ${url.origin}. Requests with a token go to ${origin} alone.`);
  };
  return async (input, init = {}) => {
    let url = new URL(input instanceof Request ? input.url : input);
    let { method = 'GET', body = null } = init;
    const headers = new Headers(init.headers);
    checkHost(url, false);
    for (let hops = 0; ; hops += 1) {
      const answer = await fetch(url, { ...init, method, body, headers, redirect: 'manual' });
      const location = locationOf(answer);
      if (location === null || hops === mostRedirects) return answer;
      await answer.body?.cancel();
      url = new URL(location, url);
      if (becomesGet(method, answer.status)) {
        method = 'GET';
        body = null;
        headers.delete('content-type');
      }
      checkHost(url, method === 'GET' && body === null);
      if (url.origin !== origin) headers.delete('authorization');
    }
  };
}

/** True for a redirect that a GET follows, as in the Fetch standard. */
const becomesGet = (method: string, status: number): boolean =>
  status === 303 || (method === 'POST' && status <= 302);

const locationOf = ({ status, headers }: Response): string | null =>
  redirects.includes(status) ? headers.get('location') : null;
