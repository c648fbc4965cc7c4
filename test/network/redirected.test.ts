import { expect, test } from 'vitest';
import { printableUrl, redirected, type SentRequest } from '../../src/network/guarded-fetch.ts';
import { RequestFailure } from '../../src/network/request-failure.ts';

const from = new URL('https://a.test/one?key=1');
const headers = {
  accept: 'x',
  'accept-language': 'de',
  'user-agent': 'u',
  authorization: 's',
  'x-key': 's',
  'content-type': 't',
  'content-length': '1',
};
const sent = (method: string, body: SentRequest['body'] = null): SentRequest => ({
  method,
  headers: new Headers(headers),
  body,
});

/** Gives the next request: its method, the names of its headers, its body. */
function next(status: number, request: SentRequest, to = 'https://a.test/two') {
  const { method, headers: stored, body } = redirected(request, status, from, new URL(to));
  return [method, [...stored.keys()].join(' '), body];
}

const all = 'accept accept-language authorization content-length content-type user-agent x-key';
const withoutContent = 'accept accept-language authorization user-agent x-key';

test('a redirect to the same origin repeats the whole request', () => {
  expect([next(302, sent('GET')), next(307, sent('POST', 'b')), next(308, sent('PUT', 'b'))]).toEqual([
    ['GET', all, null],
    ['POST', all, 'b'],
    ['PUT', all, 'b'],
  ]);
});

test('a POST becomes a GET without its body at 301, 302 and 303, and a PUT at 303 only', () => {
  expect([
    ...[301, 302, 303].map((status) => next(status, sent('POST', 'b'))),
    next(303, sent('PUT', 'b')),
    next(302, sent('PUT', 'b')),
    next(303, sent('HEAD')),
  ]).toEqual([...Array(4).fill(['GET', withoutContent, null]), ['PUT', all, 'b'], ['HEAD', all, null]]);
});

test('another origin gets no header that may hold a credential', () => {
  expect(next(302, sent('GET'), 'https://a.test:8443/')).toEqual([
    'GET',
    'accept accept-language user-agent',
    null,
  ]);
});

const refusal = (call: () => unknown) => {
  try {
    return call();
  } catch (error) {
    return error instanceof RequestFailure ? [error.kind, error.message, error.name] : error;
  }
};

test('a redirect is refused if it sends a body elsewhere, repeats a stream or leaves encryption', () => {
  expect([
    refusal(() => next(307, sent('POST', 'b'), 'https://b.test/x?key=2#part')),
    refusal(() => next(307, sent('POST', new ReadableStream()))),
    refusal(() => next(302, sent('GET'), 'http://a.test/x?key=2')),
  ]).toEqual([
    [
      'refused',
      'was redirected to https://b.test/x with what it sends, which is not sent on',
      'RequestFailure',
    ],
    [
      'refused',
      'was redirected to https://a.test/two with what it sends, which is not sent on',
      'RequestFailure',
    ],
    ['refused', 'was redirected from HTTPS to plain HTTP, http://a.test/x', 'RequestFailure'],
  ]);
});

test('plain HTTP may lead to plain HTTP and to HTTPS', () => {
  const methods = ['http://a.test/two', 'https://a.test/two'].map(
    (to) => redirected(sent('GET'), 302, new URL('http://a.test/'), new URL(to)).method,
  );
  expect(methods).toEqual(['GET', 'GET']);
});

test('an address is displayed without possible secrets and cut at 200 characters', () => {
  const long = new URL(`https://a.test/${'x'.repeat(300)}`);
  expect([printableUrl(new URL('https://me:key@a.test:81/p?key=1#k')), printableUrl(long).length]).toEqual([
    'https://a.test:81/p',
    200,
  ]);
});
