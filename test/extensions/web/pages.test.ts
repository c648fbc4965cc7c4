import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { convertPage, pageText } from '../../../src/extensions/web/convert-page.ts';
import { readBody } from '../../../src/extensions/web/read-response-body.ts';
import type { WebAnswer } from '../../../src/extensions/web/web-access.ts';
import { createWebCache } from '../../../src/extensions/web/web-cache.ts';
import { askOnce } from '../../../src/extensions/web/web-services.ts';
import { processProgram } from '../../../src/run/programs/process-program.ts';
import { root } from '../../project/source-tree.ts';

const program = processProgram('page-process');
const signal = new AbortController().signal;
const convert = (html: string) => convertPage(program, { html, url: 'https://a.test/' }, signal);

describe('a page that is made hard to parse', () => {
  it('is read tag by tag if it is nested a hundred thousand deep', async () => {
    const html = `<title>Deep &amp; so</title>${'<div><b>'.repeat(50_000)}the <i>text</i>`;
    expect(await convert(html)).toEqual({ title: 'Deep & so', text: 'Deep & so\nthe text', whole: false });
  });

  it('is read tag by tag if the process ends without an answer', async () => {
    const noProgram = path.join(root, 'package.json');
    const read = await convertPage(noProgram, { html: '<p>a<p>b', url: 'https://a.test/' }, signal);
    expect(read).toEqual({ title: '', text: 'a\nb', whole: false });
  });

  it('takes linear time', () => {
    const size = 500_000;
    const hostile = ['<', '<script></script', '<!--', '<p ', '&', '<a href="', '</', ' ', '<td>'];
    const texts = hostile.map((part) => pageText(part.repeat(size / part.length)).length < size + 1);
    expect(texts).toEqual(hostile.map(() => true));
  });
});

test('an abort ends the conversion', async () => {
  const stop = new AbortController();
  const work = convertPage(program, { html: '<p>a', url: 'https://a.test/' }, stop.signal);
  stop.abort(new Error('over'));
  await expect(work).rejects.toThrow('over');
});

test('the text of a page has no script, style or comment, and one line for each block', () => {
  const html =
    '<head><style>p{}</style></head><p>One<br>two&nbsp;&lt;three&gt;</p><!-- x --><script>if (a < b) {}</script ><li>four <b>five</b><svg><text>no</text></svg>';
  expect(pageText(html)).toBe('One\ntwo <three>\nfour five');
});

describe('a response', () => {
  const read = (type: string | null, bytes: Buffer | string) => {
    const headers = new Headers(type === null ? {} : { 'content-type': type });
    const { kind, type: is, text } = readBody({ headers, bytes: Buffer.from(bytes) });
    return `${kind} ${is} ${text}`;
  };

  it.each([
    ['text/html; charset=utf-8', '<p>é', 'page text/html <p>é'],
    [
      'TEXT/HTML',
      '<meta charset="windows-1252"><p>\u00e9',
      'page text/html <meta charset="windows-1252"><p>Ã©',
    ],
    ['application/vnd.api+json', '{}', 'json application/vnd.api+json {}'],
    ['application/json', '{}', 'json application/json {}'],
    ['text/markdown', '# a', 'text text/markdown # a'],
    ['application/x-sh', 'ls', 'text application/x-sh ls'],
    [null, '<!DOCTYPE html><p>a', 'page text/html <!DOCTYPE html><p>a'],
    [null, 'plain', 'text text/plain plain'],
    ['text/plain; charset=no-such-thing', 'é', 'text text/plain é'],
    ['text/plain', 'a\0b', 'binary text/plain '],
    ['application/pdf', '%PDF', 'binary application/pdf '],
    ['image/png', 'x', 'binary image/png '],
    ['application/octet-stream', 'words', 'text application/octet-stream words'],
    ['do what I say; now', 'words', 'text text/plain words'],
  ])('with type %s stays unchanged', (type, bytes, expected) => {
    expect(read(type, bytes)).toBe(expected);
  });

  it('is decoded with its charset', () => {
    expect([
      read('text/plain; charset="Shift_JIS"', Buffer.from([0x93, 0xfa, 0x96, 0x7b])),
      read('text/plain', Buffer.from('\ufeffhé', 'utf16le')),
      read(
        'text/html',
        Buffer.concat([
          Buffer.from('<meta http-equiv=x content="text/html; charset=koi8-r">'),
          Buffer.from([0xc1]),
        ]),
      ),
      read('application/octet-stream', Buffer.from([0xff, 0xd8, 0xff])),
    ]).toEqual([
      'text text/plain 日本',
      'text text/plain hé',
      'page text/html <meta http-equiv=x content="text/html; charset=koi8-r">а',
      'binary application/octet-stream ',
    ]);
  });
});

test('a cache drops old entries, and the oldest if it is full', async () => {
  let now = 0;
  const requested: string[] = [];
  const cache = createWebCache<string>(() => now);
  const get = (key: string, bytes: number | null = 1) =>
    cache.get(
      key,
      async () => {
        requested.push(key);
        return key;
      },
      () => bytes,
    );
  await get('a');
  await get('a');
  await get('failed', null);
  await get('failed', null);
  now += 15 * 60_000;
  await get('a');
  await get('large', 32 * 1024 ** 2);
  await get('a');
  for (let index = 0; index < 100; index += 1) await get(`${index}`);
  await get('99');
  await get('a');
  expect(requested.filter((key) => !/^\d/.test(key) || key === '99')).toEqual([
    'a',
    'failed',
    'failed',
    'a',
    'large',
    'a',
    '99',
    'a',
  ]);
});

test("a cached response is not used if it exceeds the new request's limit", async () => {
  let requests = 0;
  const access = {
    ask: async ({ url }: { url: string }): Promise<WebAnswer> => {
      requests += 1;
      return { urls: [url], status: 200, headers: new Headers(), bytes: Buffer.alloc(50), elsewhere: null };
    },
    close: async () => undefined,
  };
  const services = { access, answers: createWebCache<WebAnswer>(() => 0), pageProgram: program };
  const ask = (mostBytes: number) =>
    askOnce(services, { url: 'https://a.test/', timeoutSeconds: 1, mostBytes }, signal).then(
      ({ bytes }) => bytes.length,
      ({ kind, message }) => `${kind}: ${message}`,
    );
  expect([await ask(50), await ask(49), await ask(50), requests]).toEqual([
    50,
    'too_large: https://a.test/ was answered with 50 bytes, more than the 49 wanted. Ask for a part of it, or with a larger max_size.',
    50,
    1,
  ]);
});
