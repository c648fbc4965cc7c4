import { expect, test } from 'vitest';
import { createEncodedTokenFinder, findDumps } from '../../src/redaction/find-secrets.ts';
import { createRedactStream } from '../../src/redaction/redact-stream.ts';

/**
 * Redacts each run of capital letters as one, so a cut inside a run gives another text than the
 * whole.
 */
const redact = (text: string) => text.replaceAll(/[A-Z]+/g, '[redacted]');

/** Returns the text that one push passes on if ten characters are pending. */
const passed = (text: string) => createRedactStream(redact, 10).push(text);

test('a cut is made after a line, else before the pending text, or earlier if a secret is there', () => {
  const text = (from: number, to: number) =>
    `${'x'.repeat(from)}${'A'.repeat(to - from)}${'x'.repeat(60 - to)}`;
  expect([
    passed('x'.repeat(10)),
    passed('x'.repeat(11)),
    passed('x'.repeat(60)),
    passed(`${'x'.repeat(30)}\n${'x'.repeat(29)}`),
    passed(`${'x'.repeat(49)}\n${'x'.repeat(10)}`),
    passed(`${'x'.repeat(50)}\n${'x'.repeat(9)}`),
    passed(text(45, 55)),
    passed(text(25, 55)),
    passed(text(15, 55)),
    passed(`\n${'A'.repeat(59)}`),
  ]).toEqual([
    ...['', 'x', 'x'.repeat(50), `${'x'.repeat(30)}\n`, `${'x'.repeat(49)}\n`, 'x'.repeat(50)],
    ...['x'.repeat(40), 'x'.repeat(20), '', '\n'],
  ]);
});

test('a surrogate pair is never cut in two', () => {
  expect([
    passed(`${'x'.repeat(9)}😀${'x'.repeat(9)}`),
    passed(`${'x'.repeat(8)}😀${'x'.repeat(10)}`),
  ]).toEqual(['x'.repeat(9), `${'x'.repeat(8)}😀`]);
});

test('the output equals the redacted whole text, however it is split', () => {
  const text = `one SECRET\ntwo ${'THREE'.repeat(9)} four\n${'five '.repeat(20)}SIX`;
  const piecewise = (size: number) => {
    const stream = createRedactStream(redact, 10);
    let out = '';
    for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
    return out + stream.end() + stream.end();
  };
  const sizes = [1, 2, 3, 7, 11, 50, text.length];
  expect(sizes.map(piecewise)).toEqual(sizes.map(() => redact(text)));
});

test('a failed cut is retried at 1.5 times the size, up to 4 MiB', () => {
  let reads = 0;
  const never = (text: string) => {
    reads += 1;
    return `<${text}>`;
  };
  const stream = createRedactStream(never, 4);
  const counts = Array.from({ length: 9 }, () => {
    reads = 0;
    return [stream.push('x'), reads > 0];
  });
  // Tried with five characters, and again with more than seven and a half.
  expect(counts).toEqual(Array.from({ length: 9 }, (_, at) => ['', at === 4 || at === 7]));
  const most = 4 * 1024 * 1024;
  const full = createRedactStream(never, 4);
  const below = createRedactStream(never, 4);
  const whole = full.push('x'.repeat(most));
  expect([
    whole.length,
    full.push('xxxx'),
    full.end(),
    below.push('x'.repeat(most - 1)),
    below.end().length,
  ]).toEqual([...[most + 2, '', '<xxxx>', '', most + 1]]);
});

test('a full buffer keeps its unredacted end, because a secret may be split there', () => {
  // The mark before each part makes every cut fail.
  const uncut = (text: string) => `<${text.replaceAll('SECRET', '[x]')}`;
  const passedOn = (first: string, second: string) => {
    const stream = createRedactStream(uncut, 10);
    const fill = 'x'.repeat(4 * 1024 * 1024);
    return [stream.push(fill + first).replace(fill, ''), stream.push(second), stream.end()];
  };
  expect([
    passedOn('0123456SEC', 'RET'),
    passedOn('SECRETSEC', 'RET'),
    passedOn('😀12345678', '9'),
    passedOn('😀123456789', ''),
  ]).toEqual([
    ['<', '', '<0123456[x]'],
    ['<[x]', '', '<[x]'],
    ['<', '', '<😀123456789'],
    ['<😀', '', '<123456789'],
  ]);
});

const text = (parts: readonly { start: number; end: number }[], whole: string) =>
  parts.map(({ start, end }) => whole.slice(start, end));
const columns = (whole: string) => findDumps(whole).map((column) => text(column, whole));

test('a dump of at least two lines has a column of bytes and one of characters', () => {
  const xxd = '00000000: 6768 696a  ghij\n00000004: 6b6c 6d6e  klmn\n';
  const hexdump = '  00000000  61 62 63 64\n  0x0000010  65 66 67 68 \nother\n';
  expect([columns(xxd), columns(hexdump), columns(xxd.split('\n')[0] ?? '')]).toEqual([
    [
      ['6768 696a  ', '6b6c 6d6e  '],
      ['ghij', 'klmn'],
    ],
    [['61 62 63 64', '65 66 67 68 ']],
    [],
  ]);
});

test('a dump of characters has one column, without trailing blanks', () => {
  const dump = '0000000   a   b  \n0000002   c  \\n\t\n';
  expect([columns(dump), columns(dump.replaceAll('\n', '>ab<\n'))]).toEqual([
    [['   a   b', '   c  \\n']],
    [],
  ]);
});

test('lines outside a dump are skipped', () => {
  const bytes = '61 62 63 64';
  const one = `0000000 ${bytes}`;
  const isLine = (line: string) => columns(`${one}\n${line}\n0000`).some((column) => column.length === 2);
  const lines = [
    ...[
      `0000 ${bytes}`,
      `${'0'.repeat(16)} ${bytes}`,
      `0x0010 ${bytes}`,
      `0X00AF: ${bytes}`,
      `${' '.repeat(8)}0000 ${bytes}`,
    ],
    ...[
      `\t0000\t${bytes}`,
      '0000 61 62',
      `0000    ${bytes}`,
      '0000 61   62',
      '0000 61626364 65666768',
      '0000 61 62 zz',
    ],
    ...[`0000 ${'61 '.repeat(34)}`, `0000 ${'61 '.repeat(40)}`],
  ];
  const others = [
    ...[`000 ${bytes}`, `${'0'.repeat(17)} ${bytes}`, `0000x ${bytes}`, `0000:: ${bytes}`, `x0000 ${bytes}`],
    ...[
      `${' '.repeat(9)}0000 ${bytes}`,
      '0000 61',
      '0000 6 6',
      '0000 zz 61',
      '0000 616263646566 61',
      `0000     ${bytes}`,
    ],
  ];
  expect([
    lines.filter((line) => !isLine(line)),
    others.filter(isLine),
    columns(`1111111 ${bytes}\n1111111 ${bytes}`),
  ]).toEqual([...[[], [], []]]);
});

/** Finds base64 that contains the word; each as its text. */
const encoded = (whole: string, word = 'ghp_') =>
  text(createEncodedTokenFinder((decoded) => decoded.includes(word))(whole), whole);
const base64 = (value: string) => Buffer.from(value).toString('base64');

test('a token is found in base64 of either alphabet, at each byte offset, with its whole run', () => {
  const runs = ['', 'x', 'xy', 'xyz'].map((before) =>
    base64(`${before}ghp_0123456789012345678901`).replace(/=+$/, ''),
  );
  const odd = base64('??>>~~ghp_0123456789012345678901')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  expect([
    runs.map((run) => encoded(`a ${run}.${run} b`)),
    encoded(`"${odd}"`),
    encoded(`x${runs[0]}`),
    encoded(runs[0] ?? '', 'another word'),
    encoded('nothing'),
  ]).toEqual([runs.map((run) => [run, run]), [odd], [`x${runs[0]}`], [], []]);
});

test('a run shorter than 24 characters is no token, and a private key is recognised by its first line', () => {
  const short = base64('ghp_0123456789012').replace(/=+$/, '');
  const key = (kind: string) => base64(`-----BEGIN ${kind}PRIVATE KEY-----\nabc`);
  const plain = base64('-----BEGIN PUBLIC KEY-----\nx PRIVATE KEY-----');
  expect([
    short.length,
    encoded(short),
    encoded(`${short}A`),
    encoded(key('')),
    encoded(key('RSA ')),
    encoded(plain),
  ]).toEqual([
    ...[23, [], [`${short}A`], [key('').replace(/=+$/, '')], [key('RSA ').replace(/=+$/, '')], []],
  ]);
});

test('very long runs are decoded up to 4,096 characters on each side of a token', () => {
  const token = base64('ghp_01234567890123');
  const long = `${'A'.repeat(8_000)}${token}${'A'.repeat(8_000)}`;
  const [found, ...others] = createEncodedTokenFinder((decoded) => decoded.includes('ghp_'))(long);
  expect([found, others]).toEqual([{ start: 8_000 - 4_096, end: 8_000 + 4_096 }, []]);
  expect(encoded(`${token}${token}`)).toEqual([`${token}${token}`]);
});
