import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createRedactor } from '../../src/redaction/redact.ts';
import { createRedactStream } from '../../src/redaction/redact-stream.ts';
import { createLineRedactor, redactMessage, redactValue } from '../../src/redaction/redact-value.ts';

const secret = 'q7Lr2_Vd-9xK4mT0bWz8e';
const redact = createRedactor([secret]);
const bytes = Buffer.from(secret);
const hexadecimal = bytes.toString('hex');

it.each([
  ['spaced out', [...secret].join(' ')],
  ['with zero-width characters', [...secret].join('\u200b\u2060')],
  ['on a line each', [...secret].join('\n')],
  ['over lines written as escapes', [...secret].join('\\n')],
  ['in quoted pieces', `${secret.slice(0, 7)}" +\n  "${secret.slice(7)}`],
  ['in colours of a terminal', `${secret.slice(0, 5)}\u001b[01;31m${secret.slice(5)}`],
  ['in colours, in JSON', `${secret.slice(0, 5)}\\u001b[0m${secret.slice(5)}`],
  ['backwards', [...secret].reverse().join('')],
  ['in base64', bytes.toString('base64').replace(/=+$/, '')],
  ['in base64 for URLs', bytes.toString('base64url')],
  [
    'in base64 over lines',
    bytes
      .toString('base64')
      .replace(/=+$/, '')
      .replace(/(.{9})/g, '$1\n'),
  ],
  ['in capital hexadecimal', hexadecimal.toUpperCase()],
  ['as bytes of a program', hexadecimal.replace(/(..)/g, '0x$1, ').slice(2, -2)],
  ['as escapes of a program', hexadecimal.replace(/(..)/g, '\\x$1').slice(2)],
  ['as escapes of JSON', hexadecimal.replace(/(..)/g, '\\u00$1')],
  ['with one escaped letter', secret.replace('L', '\\u004c')],
  ['URL-encoded whole', hexadecimal.replace(/(..)/g, '%$1')],
  ['URL-encoded twice in one place', secret.replace('L', '%254c')],
  ['in references of HTML', [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join('')],
  ['as numbers', [...bytes].join(', ')],
  ['in octal', [...bytes].map((byte) => byte.toString(8).padStart(3, '0')).join(' ')],
  [
    'as octal escapes',
    [...bytes]
      .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
      .join('')
      .slice(1),
  ],
  // Both as `base32` of coreutils prints them.
  ['in base32', 'OE3UY4RSL5LGILJZPBFTI3KUGBRFO6RYM'],
  ['in small base32', 'oe3uy4rsl5lgiljzpbfti3kugbrfo6rym'],
  ['as UTF-16 in hexadecimal', Buffer.from(secret, 'utf16le').toString('hex')],
  ['as UTF-16 in base64', Buffer.from(secret, 'utf16le').toString('base64')],
  ['as UTF-16 in base64, the upper byte first', Buffer.from(secret, 'utf16le').swap16().toString('base64')],
])('takes a secret out %s', (_, form) => {
  const displayed = redact(`a < ${form} > b`);
  expect(displayed.replace(/\\u00|\\x|%|&#|;/g, '')).toBe('a < [redacted] > b');
});

it('takes out the rest of a long secret whose beginning or end was cut off', () => {
  const key = 'sk-ant-api03-N3vQ8yLw2RkZ5tXc7JmB1pHs9DfG4aVe6UqT0oYiKz-lMxEnWbPrSdFjCgAhIu_AA';
  const clean = createRedactor([key]);
  expect([clean(`key ${key.slice(9)}.`), clean(`key ${key.slice(0, -9)}.`), clean(key.slice(5, 40))]).toEqual(
    ['key [redacted].', 'key [redacted].', '[redacted]'],
  );
});

it.each([1, 2, 3, 4])('takes a secret out of base32 with %i bytes before it', (before) => {
  const text = execFileSync('base32', ['-w0'], {
    input: `${'x'.repeat(before)}${secret}\n`,
    encoding: 'utf8',
  });
  expect(redact(text)).toMatch(/^[A-Z2-7]{0,8}\[redacted\][A-Z2-7=]{0,8}$/);
});

it.each([1, 2])('takes a secret out of base64 of UTF-16 with %i characters before it', (before) => {
  const text = Buffer.from(`${'x'.repeat(before)}${secret}`, 'utf16le').toString('base64');
  expect(redact(text)).toMatch(/^[\w+/]{0,8}\[redacted\][\w+/=]{0,4}$/);
});

it.each([
  ['od', ''],
  ['od', 'K'],
  ['od -x', 'K='],
  ['od -x', 'K'],
  ['od -c', 'K='],
])('takes a secret out of the output of %s for a file, after %j', (program, before) => {
  const text = execFileSync('sh', ['-c', program], { input: `${before}${secret}\n`, encoding: 'utf8' });
  const words = (displayedText: string) =>
    displayedText.split(/\s+/).filter((word) => !/^0{4}\d+$/.test(word));
  const [displayedLines, clean] = [words(text), words(redact(text))];
  // Its first and its last byte may share a word with something else.
  expect([displayedLines.length > 10, clean.filter((word) => word !== '[redacted]').length <= 4]).toEqual([
    true,
    true,
  ]);
});

it.each(['', 'a', 'ab', 'abc'])('takes a long secret out of base64 that begins with %j', (before) => {
  const long = 'correct horse battery staple, and more of the like';
  const shown = createRedactor([long])(Buffer.from(`${before}${long}`).toString('base64'));
  expect(shown).toMatch(/^[\w+/]{0,4}\[redacted\][\w+/=]{0,4}$/);
});

it.each([
  ['GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_', 'a1B2'.repeat(9)],
  ['GitLab', 'glpat- gldt- glrt- glft- glsoat- glptt- glcbt- glagent- gloas-', 'a1B2c3D4e5F6g7H8i9J0'],
  [
    'Slack',
    'xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xoxe. xoxc- xoxd- xapp-1-',
    '12345-A1b2C3d4E5f6G7h8I9j0',
  ],
  ['Stripe', 'sk_live_ sk_test_ rk_live_ rk_test_ whsec_', 'a1B2c3D4e5F6g7H8i9J0'],
  ['models', 'sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or-v1- gsk_ xai- hf_', 'a1B2c3D4'.repeat(5)],
  ['Amazon', 'AKIA ASIA', 'A1B2C3D4E5F6G7H8'],
  ['packages', 'npm_', 'a1B2'.repeat(9)],
])('finds each kind of token of %s', (_, begins, rest) => {
  const clean = createRedactor([]);
  const tokens = begins.split(' ').map((begin) => `${begin}${rest}`);
  expect(tokens.filter((token) => clean(`x = ${token};`) !== 'x = [redacted];')).toEqual([]);
});

it('takes a secret out of both columns of a dump', () => {
  const dump = [
    '00000000: 4120 7365 6372 6574 3a20 7137 4c72 325f  A secret: q7Lr2_',
    '00000010: 5664 2d39 784b 346d 5430 6257 7a38 650a  Vd-9xK4mT0bWz8e.',
  ].join('\n');
  const clean = redact(dump);
  expect([/5664|q7Lr|Vd-9/.test(clean), clean.startsWith('00000000: 4120 7365')]).toEqual([false, true]);
});

it.each([
  ['a token behind an escaped line end', `{"a":"x\\nghp_${'a1'.repeat(18)}"}`, '{"a":"x\\n[redacted]"}'],
  ['a token in base64', Buffer.from(`user:ghp_${'a1'.repeat(18)}`).toString('base64'), '[redacted]'],
  ['a password in a remote', 'https://bot:s3cr3t-w0rd@git.test/a', 'https://bot:[redacted]@git.test/a'],
  ['a webhook', `https://hooks.slack.com/services/${'T0B1'.repeat(9)}`, 'https://[redacted]'],
])('takes out %s', (_, text, clean) => {
  expect(redact(text)).toBe(clean);
});

it.each([
  'postgres://user:password@localhost/db',
  `https://x-access-token:${'$'}{TOKEN}@github.com/a/b`,
  'redis://:[redacted]@cache',
  'class="sk-folding-cube-and-some-more-words"',
  'npm_config_registry npm_lifecycle_event',
  'import x from "./sk-a"; const ghs_ = 1;',
  'sha512-Zm9vYmFyN3vQ8yLw2RkZ5tXc7JmB1pHs9DfG4aVe6UqT0oYiKz0lMxEnWbPrSdFjCgAhIuAAx1==',
])('leaves %j unchanged', (text) => {
  expect(redact(text)).toBe(text);
});

it('takes nothing out of real source and a lock file', () => {
  const files = execFileSync('git', [
    'ls-files',
    'src',
    'scripts',
    'docs',
    'package-lock.json',
    'node_modules',
  ])
    .toString()
    .trim()
    .split('\n');
  const changed = files.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return redact(text) !== text;
  });
  expect([files.length > 300, changed]).toEqual([true, []]);
});

it('finds a secret wherever a stream is cut', () => {
  const text = `${'line of words\n'.repeat(40)}the key is ${secret} and\n${[...secret].join(' ')}, so.\n${'more\n'.repeat(200)}`;
  for (const size of [1, 3, 7, 64, 5000]) {
    const stream = createRedactStream(redact, 100);
    let shown = '';
    for (let at = 0; at < text.length; at += size) shown += stream.push(text.slice(at, at + size));
    shown += stream.end();
    expect(shown).toBe(redact(text));
  }
});

it('passes on text that cannot be part of a secret', () => {
  const stream = createRedactStream(redact, 100);
  expect(stream.push(`${'a word\n'.repeat(50)}`).length).toBeGreaterThan(200);
});

it('redacts each text of a value separately, which keeps its shape', () => {
  const value = { [secret]: ['a', { b: `x${secret}` }], n: 1, q: 'q7Lr2_Vd-9', r: 'xK4mT0bWz8e' };
  expect(redactValue(value, redact)).toEqual({
    '[redacted]': ['a', { b: 'x[redacted]' }],
    n: 1,
    q: 'q7Lr2_Vd-9',
    r: 'xK4mT0bWz8e',
  });
  const clean = { a: ['b'] };
  expect(redactValue(clean, redact)).toBe(clean);
});

it('leaves images unchanged, and opaque data that goes back to its provider', () => {
  const image = { type: 'image', media_type: 'image/png', data: secret } as const;
  const opaque = { type: 'opaque', provider: 'p', value: secret } as const;
  const user = { role: 'user', parts: [image, { type: 'text', text: secret }] } as const;
  expect([
    redactMessage({ ...user, parts: [...user.parts] }, redact, 'redact').parts,
    redactMessage({ role: 'assistant', parts: [opaque] }, redact, 'keep').parts,
    redactMessage({ role: 'assistant', parts: [opaque] }, redact, 'redact').parts,
  ]).toEqual([[image, { type: 'text', text: '[redacted]' }], [opaque], [{ ...opaque, value: '[redacted]' }]]);
});

it('takes a secret out of each text of a result, and returns a message without one unchanged', () => {
  const result = (text: string) => ({
    type: 'tool_result' as const,
    ...{ call_id: 'c', tool: 'read', is_error: false },
    content: [{ type: 'text' as const, text: 'plain' }, image, { type: 'text' as const, text }],
  });
  const image = { type: 'image', media_type: 'image/png', data: secret } as const;
  const clean = { role: 'user', parts: [result('clean')] } as const;
  const message = (text: string) => ({ role: 'user' as const, parts: [result(text)] });
  expect(redactMessage(message(secret), redact, 'redact')).toEqual(message('[redacted]'));
  const stored = { ...clean, parts: [...clean.parts] };
  expect(redactMessage(stored, redact, 'redact')).toBe(stored);
});

it('keeps a line of a log valid JSON', () => {
  const line = createLineRedactor([secret]);
  const parts = [secret.slice(0, 10), secret.slice(10)];
  expect([JSON.parse(line(`${JSON.stringify({ msg: secret, parts })}\n`)), line(`plain ${secret}`)]).toEqual([
    { msg: '[redacted]', parts },
    'plain [redacted]',
  ]);
});
