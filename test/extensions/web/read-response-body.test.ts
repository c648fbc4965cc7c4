import { expect, test } from 'vitest';
import { pageText } from '../../../src/extensions/web/convert-page.ts';
import { readBody } from '../../../src/extensions/web/read-response-body.ts';

const body = (type: string | null, bytes: Buffer | string) =>
  readBody({
    headers: new Headers(type === null ? {} : { 'content-type': type }),
    bytes: Buffer.from(bytes),
  });
const kindOf = (type: string) => body(type, 'x').kind;

test.for([
  ...['text/plain', 'text/csv', 'application/xml', 'application/atom+xml', 'application/yaml'],
  ...['application/openapi+yaml', 'application/x-yaml', 'application/javascript', 'application/x-javascript'],
  ...['application/ecmascript', 'application/x-typescript', 'application/typescript', 'application/x-sh'],
  ...['application/x-httpd-php', 'application/x-ndjson', 'application/x-tex', 'application/toml'],
  ...['application/graphql', 'application/sql', 'application/rtf', 'image/svg+xml'],
])('%s is text', (type) => {
  expect(body(type, 'x')).toEqual({
    kind: type === 'application/x-ndjson' ? 'json' : 'text',
    type,
    text: 'x',
  });
});

test.for([
  ...['application/pdf', 'application/rtfx', 'image/png', 'image/svg', 'application/zip', 'font/woff'],
  ...['xtext/plain', 'application/x-javas', 'application/xhtml'],
])('%s is not text', (type) => {
  expect(body(type, 'x')).toEqual({ kind: 'binary', type, text: '' });
});

test('pages and JSON are recognised by their types, whatever the parameters', () => {
  expect([
    kindOf('text/html'),
    kindOf('application/xhtml+xml'),
    kindOf(' Text/HTML ;charset=utf-8'),
    kindOf('application/json'),
    kindOf('application/problem+json; charset=utf-8'),
    kindOf('text/json'),
    kindOf('application/json5x'),
  ]).toEqual(['page', 'page', 'page', 'json', 'json', 'json', 'text']);
});

test('an invalid type is ignored', () => {
  expect([
    body('html', 'x'),
    body('a/b c', 'x'),
    body(`${'a'.repeat(61)}/b`, 'x'),
    body('text/html x', 'x'),
  ]).toEqual(Array.from({ length: 4 }, () => ({ kind: 'text', type: 'text/plain', text: 'x' })));
});

test.for([
  ['<!doctype html>', 'page'],
  ['  \n<HTML lang="en">', 'page'],
  ['<html>', 'page'],
  [`<!-- ${'x'.repeat(490)} --> <html >`, 'page'],
  [`<!-- ${'x'.repeat(510)} --><html >`, 'text'],
  ['<!doctype htmlx', 'text'],
  ['<htm >', 'text'],
  ['a <html>', 'text'],
] as const)('%j without a type is a %s', ([text, kind]) => {
  expect(body(null, text)).toEqual({ kind, type: kind === 'page' ? 'text/html' : 'text/plain', text });
});

test('a page that is sent as another text type stays text', () => {
  expect([body('text/plain', '<html>').kind, body('application/octet-stream', '<html>').kind]).toEqual([
    'text',
    'text',
  ]);
});

test('zero bytes make it binary, except with two bytes a character', () => {
  const late = Buffer.concat([Buffer.alloc(8_000, 'x'), Buffer.from([0])]);
  const early = Buffer.concat([Buffer.alloc(7_999, 'x'), Buffer.from([0])]);
  expect([
    body('text/plain', late).kind,
    body('text/plain', early).kind,
    body(null, early),
    body('text/plain; charset=utf-16le', Buffer.from('x', 'utf16le')),
    body('text/plain', Buffer.from([0xfe, 0xff, 0, 0x78])),
    body('text/plain', Buffer.from([0xff, 0xfe, 0x78, 0])),
    body('text/plain; charset=latin1', Buffer.from([0xef, 0xbb, 0xbf, 0xc3, 0xa9])),
    body('application/octet-stream', Buffer.from([0xe9])),
    body('text/plain', Buffer.from([0xe9])),
  ]).toEqual([
    'text',
    'binary',
    { kind: 'binary', type: 'application/octet-stream', text: '' },
    { kind: 'text', type: 'text/plain', text: 'x' },
    { kind: 'text', type: 'text/plain', text: 'x' },
    { kind: 'text', type: 'text/plain', text: 'x' },
    { kind: 'text', type: 'text/plain', text: 'é' },
    { kind: 'binary', type: 'application/octet-stream', text: '' },
    { kind: 'text', type: 'text/plain', text: '\u{fffd}' },
  ]);
});

test("the header's charset takes precedence over the page's, and an unknown one is ignored", () => {
  const page = (meta: string) => Buffer.concat([Buffer.from(meta), Buffer.from([0xe9])]);
  const last = (type: string, meta: string) => body(type, page(meta)).text.at(-1);
  expect([
    last('text/html; charset=latin1', '<meta charset=koi8-r>'),
    last('text/html', "<meta name=x charset = 'koi8-r'>"),
    last('text/html; charset=nobody', '<meta charset=koi8-r>'),
    last('text/html', '<meta charset=utf-16>'),
    last('text/html', `${' '.repeat(1_024)}<meta charset=koi8-r>`),
    last('text/html', '<p charset=koi8-r>'),
  ]).toEqual(['é', 'И', 'И', '\u{fffd}', '\u{fffd}', '\u{fffd}']);
});

const blocks =
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section table tbody td th thead title tr ul';

test('block elements start and end a line, and others become a blank', () => {
  for (const tag of blocks.split(' '))
    expect([tag, pageText(`a<${tag}>b</${tag}>c`)]).toEqual([tag, 'a\nb\nc']);
  for (const tag of ['b', 'a', 'span', 'h7', 'pa', 'tdx', 'h'])
    expect([tag, pageText(`a<${tag}>b</${tag} x>c`)]).toEqual([tag, 'a b c']);
});

test('elements without text are left out whole, even if they do not end', () => {
  for (const tag of ['script', 'style', 'template', 'svg', 'noscript', 'iframe', 'textarea'])
    expect([tag, pageText(`a<${tag} x="1">no</${tag} >b<${tag.toUpperCase()}>c`)]).toEqual([tag, 'a b']);
  expect([
    pageText('a<scripts>b'),
    pageText('a<!-- b\n --><!-- c'),
    pageText('a<p/>b<p\nx="1">c</p >d'),
    pageText('1 < 2 &lt; 3<!doctype html><?php x ?>'),
    pageText(' a \t\u00a0 b \r\n\n c '),
  ]).toEqual(['a b', 'a', 'a\nb\nc\nd', '1 < 2 < 3', 'a b\nc']);
});
