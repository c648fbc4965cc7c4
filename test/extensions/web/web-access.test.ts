import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { openWebAccess } from '../../../src/extensions/web/web-access.ts';
import type { FollowOptions, GuardedFetch } from '../../../src/network/guarded-fetch.ts';
import { type FailureKind, RequestFailure } from '../../../src/network/request-failure.ts';

type Sent = [url: string, init: RequestInit | undefined, options: FollowOptions | undefined];
const { signal } = new AbortController();

/** Access to a network that answers as told; what was sent, and how often it was opened and closed, is kept. */
function access(
  answer: () => { response: Response; urls: readonly string[] },
  run: { hosts?: readonly string[]; follows?: boolean; secret?: string } = {},
) {
  const sent: Sent[] = [];
  const count = { opened: 0, closed: 0 };
  const guarded: GuardedFetch = {
    fetch: globalThis.fetch,
    follow: async (url, init, options) => {
      sent.push([String(url), init, options]);
      return answer();
    },
    close: async () => {
      count.closed += 1;
    },
  };
  const web = openWebAccess({
    hosts: run.hosts ?? ['a.test'],
    open: async () => {
      count.opened += 1;
      return guarded;
    },
    followsWithinHost: run.follows ?? true,
    holdsSecret: (text) => run.secret !== undefined && text.includes(run.secret),
  });
  return { web, sent, count };
}

const request = { url: 'https://a.test/x', timeoutSeconds: 3, mostBytes: 50 };
const fine = () => ({ response: new Response('text'), urls: [request.url] });
const led =
  (status: number, location: string | null, urls = [request.url]) =>
  () => ({
    response: new Response(null, { status, headers: location === null ? {} : { location } }),
    urls,
  });
const reply = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: Error) => (error instanceof ToolError ? `${error.kind}: ${error.message}` : error),
  );

describe('a request', () => {
  it('is sent with its options and limits, over one network that is opened on demand', async () => {
    const { web, sent, count } = access(fine);
    await web.close();
    expect(count).toEqual({ opened: 0, closed: 0 });
    const answer = await web.ask(request, signal);
    const own = { ownHeaders: { 'x-key': '1' }, headers: { accept: 'b' } };
    await web.ask({ ...request, method: 'POST', body: 'c', ...own }, signal);
    await web.close();
    expect(answer).toEqual({
      urls: [request.url],
      status: 200,
      headers: new Headers({ 'content-type': 'text/plain;charset=UTF-8' }),
      bytes: Buffer.from('text'),
      elsewhere: null,
    });
    const bounds = { mayFollow: expect.any(Function), bytes: 50, totalMs: 3_000 };
    const agent = 'Mozilla/5.0 (compatible; anode-ci)';
    expect({ sent, count }).toEqual({
      sent: [
        [request.url, { method: 'GET', headers: { 'user-agent': agent }, signal }, bounds],
        [
          request.url,
          { method: 'POST', headers: { 'user-agent': agent, accept: 'b', 'x-key': '1' }, signal, body: 'c' },
          bounds,
        ],
      ],
      count: { opened: 1, closed: 1 },
    });
  });

  it('follows redirects only within its host, and only if permitted', async () => {
    const follows = async (run: boolean, from: string, to: string) => {
      const { web, sent } = access(fine, { follows: run });
      await web.ask(request, signal);
      return sent[0]?.[2]?.mayFollow?.(new URL(from), new URL(to));
    };
    expect([
      await follows(true, 'https://a.test/x', 'http://a.test:80/y'),
      await follows(true, 'https://www.a.test/', 'https://a.test/'),
      await follows(true, 'https://a.test/', 'https://www.a.test/'),
      await follows(true, 'https://a.test/', 'https://b.test/'),
      await follows(true, 'https://a.test/', 'https://x.www.a.test/'),
      await follows(false, 'https://a.test/', 'https://a.test/y'),
    ]).toEqual([true, true, true, false, false, false]);
  });

  it('reports the target of a redirect that was not followed', async () => {
    const elsewhere = async (answer: Parameters<typeof access>[0]) =>
      (await access(answer).web.ask(request, signal)).elsewhere;
    expect([
      await elsewhere(led(302, 'https://b.test/y')),
      await elsewhere(led(300, '/y', ['https://a.test/x', 'https://www.a.test/z'])),
      await elsewhere(led(399, '?q')),
      await elsewhere(led(400, '/y')),
      await elsewhere(led(201, '/y')),
      await elsewhere(led(304, null)),
      await elsewhere(led(302, 'https://')),
    ]).toEqual(['https://b.test/y', 'https://www.a.test/y', 'https://a.test/x?q', null, null, null, null]);
  });

  it.each([
    ['in its URL', { url: 'https://a.test/?k=a secret' }],
    ['escaped', { url: 'https://a.test/?k=a%20secret' }],
    ['in its body', { body: 'a secret' }],
    ['in a header', { headers: { accept: 'a secret' } }],
    ['beside what cannot be undone', { url: 'https://a.test/%zz', body: 'a secret' }],
  ])('is not sent with a secret %s', async (_where, change) => {
    const { web, sent, count } = access(fine, { secret: 'a secret' });
    expect(await reply(web.ask({ ...request, ...change }, signal))).toBe(
      'refused: The request would carry a secret out of this run. Ask without it.',
    );
    expect({ sent, count }).toEqual({ sent: [], count: { opened: 0, closed: 0 } });
  });

  it('may hold a key in our headers', async () => {
    const { web } = access(fine, { secret: 'a secret' });
    expect(await reply(web.ask({ ...request, ownHeaders: { key: 'a secret' } }, signal))).toBe('answered');
  });
});

describe('a request that fails', () => {
  const failing = (kind: FailureKind, hosts: readonly string[]) =>
    access(
      () => {
        throw new RequestFailure(kind, 'went wrong');
      },
      { hosts },
    ).web;

  it.each<[FailureKind, string]>([
    ['refused', 'refused: https://a.test/x went wrong. No setting of this run opens that; go on without it.'],
    [
      'not_allowed',
      'refused: https://a.test/x went wrong. Permitted hosts: b.test, c.test. Continue without it, or use one of them.',
    ],
    [
      'too_large',
      'too_large: https://a.test/x went wrong. Ask for a part of it, or for a page that leads there.',
    ],
    ['timeout', 'timeout: https://a.test/x went wrong. Raise timeout, or go on without it.'],
    ['unreachable', 'unreachable: https://a.test/x went wrong. Check the URL, or go on without it.'],
  ])('as %s gives a remedy', async (kind, words) => {
    expect(await reply(failing(kind, ['b.test', 'c.test']).ask(request, signal))).toBe(words);
  });

  it('names at most 20 hosts', async () => {
    const hosts = Array.from({ length: 21 }, (_, index) => `h${index}`);
    const say = (named: readonly string[]) => reply(failing('not_allowed', named).ask(request, signal));
    const lead = 'refused: https://a.test/x went wrong. Permitted hosts:';
    const end = 'Continue without it, or use one of them.';
    expect([await say(hosts), await say(hosts.slice(0, 20)), await say([])]).toEqual([
      `${lead} ${hosts.slice(0, 20).join(', ')}, and 1 more. ${end}`,
      `${lead} ${hosts.slice(0, 20).join(', ')}. ${end}`,
      `${lead} none. ${end}`,
    ]);
  });

  it('by an abort or our own error throws it unchanged', async () => {
    const fault = new Error('over');
    const { web } = access(() => {
      throw fault;
    });
    expect(await reply(web.ask(request, signal))).toBe(fault);
  });

  it('to open can still be closed', async () => {
    const web = openWebAccess({
      hosts: [],
      open: async () => {
        throw new Error('no network');
      },
      followsWithinHost: true,
      holdsSecret: () => false,
    });
    await expect(web.ask(request, signal)).rejects.toThrow('no network');
    await expect(web.close()).resolves.toBeUndefined();
  });
});
