import { normaliseText } from './normalise-text.ts';

/** Minimum length in characters. Shorter values would redact ordinary words. */
export const shortestSecret = 6;

/** A secret in one normalised form. `byParts` is true if a part suffices to identify it. */
export interface SecretStream {
  readonly text: string;
  readonly byParts: boolean;
}

const shortestWord = 12;
const shortestEncoding = 10;

/**
 * Length of the parts of a random secret that are searched for, each overlapping the next by half.
 */
const partLength = 16;

const keyBlock = /-----BEGIN [A-Z0-9 ]{0,60}-----([^-]{40,20000})-----END/g;

/** Returns a value, its trimmed form, and the private keys in it, which may be on one line. */
export function secretsWithin(value: string): string[] {
  const lines = value.replaceAll('\\r', '').replaceAll('\\n', '\n');
  const keys = [...lines.matchAll(keyBlock)].map((block) => (block[1] ?? '').trim());
  return [...new Set([value, value.trim(), ...keys])].filter((secret) => secret.length >= shortestSecret);
}

/**
 * Returns a secret as it may appear literally: plain, escaped for URLs, JSON and HTML; if short, in
 * base64 too.
 */
export function writtenForms(secret: string): string[] {
  const html = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const bytes = Buffer.from(secret);
  const cores = [0, 1, 2].map((offset) => base64Core(bytes, offset)).filter((core) => core.length >= 8);
  return [
    secret,
    secret.toWellFormed() === secret ? encodeURIComponent(secret) : secret,
    JSON.stringify(secret).slice(1, -1),
    html,
    html.replaceAll("'", '&#39;'),
    ...(secret.length < 24
      ? cores.flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')])
      : []),
  ].filter((form) => form.length >= shortestSecret);
}

/**
 * Returns a secret as it may appear in normalised text: plain, reversed, and encoded.
 *
 * Encodings: base64 and base32 (RFC 4648) at any offset; base64 of base64; hexadecimal; octal;
 * lists of decimal numbers; two-byte words; UTF-16 in base64 and hexadecimal.
 */
export function secretStreams(secret: string): SecretStream[] {
  const bytes = Buffer.from(secret);
  const normalised = normaliseText(secret, false).text;
  const byParts = isRandom(secret);
  const plain = [normalised, normaliseText(secret, true).text].flatMap((text) => [
    text,
    [...text].reverse().join(''),
  ]);
  const wide = Buffer.from(secret, 'utf16le');
  const wider = Buffer.from(wide).swap16();
  const base64 = [bytes, wide, wider].flatMap((one) => [0, 1, 2].map((offset) => base64Core(one, offset)));
  const twice = base64Core(Buffer.from(bytes.toString('base64')), 0);
  const pairs = [0, 1].map((offset) => bytePairs(bytes.subarray(offset)));
  const letters = [
    ...[bytes, wide, wider].map((one) => one.toString('hex')),
    ...pairs.map((some) => some.map((word) => word.toString(16).padStart(4, '0')).join('')),
    ...[0, 1, 2, 3, 4].map((offset) => base32Core(bytes, offset).toLowerCase()),
  ];
  const streams = [
    ...plain.filter((word) => word.length >= shortestWord),
    ...[...base64, twice]
      .map((core) => normaliseText(core, false).text)
      .filter((core) => core.length >= shortestEncoding),
    ...letters
      .filter((text) => text.length >= shortestEncoding)
      .flatMap((text) => [text, text.toUpperCase()]),
    ...(bytes.length > 2_000
      ? []
      : [
          [...bytes].join(''),
          [...bytes].map(octal).join(''),
          ...pairs.map((some) => some.map(octalWord).join('')),
        ]),
  ];
  return [...new Set(streams)].map((text) => ({ text, byParts }));
}

/**
 * Returns the parts of a stream to search for, with their offsets. A stream that is not random is
 * one part.
 */
export function partsOf({ text, byParts }: SecretStream): { text: string; offset: number }[] {
  if (!byParts || text.length < 1.5 * partLength) return [{ text, offset: 0 }];
  const parts: { text: string; offset: number }[] = [];
  for (let offset = 0; offset + partLength <= text.length; offset += partLength / 2) {
    parts.push({ text: text.slice(offset, offset + partLength), offset });
  }
  parts.push({ text: text.slice(-partLength), offset: text.length - partLength });
  // Runs of one character, such as padding, identify nothing.
  return parts.filter((part) => new Set(part.text).size >= 5);
}

/**
 * Returns true for a value that looks random, so that a part of it identifies it. Such a value has
 * at least 20 characters, letters mixed with digits, and no dictionary words. Paths, addresses and
 * pass phrases are not random.
 */
export function isRandom(secret: string): boolean {
  const text = secret.replace(/\s+/g, '');
  if (text.length < 20 || text.includes('://') || /[{"]/.test(text)) return false;
  const digits = text.match(/[0-9]/g)?.length ?? 0;
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  const spaced = /[^\s]+ [^\s]+/.test(secret);
  return digits >= 3 && letters >= 3 && digits / text.length >= 0.04 && new Set(text).size >= 10 && !spaced;
}

/**
 * Returns the base64 characters of a secret that do not depend on its neighbours (RFC 4648).
 * `offset` is the number of foreign bytes before it in its group of three. '' for almost nothing.
 */
export function base64Core(bytes: Buffer, offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const whole = Math.floor(((offset + bytes.length) * 8) / 6);
  return padded.slice(Math.ceil((offset * 8) / 6), whole);
}

/** Formats a byte as three digits, like `od` and shell escapes. */
const octal = (byte: number): string => byte.toString(8).padStart(3, '0');

const octalWord = (word: number): string => word.toString(8).padStart(6, '0');

/** Returns words of two bytes, low byte first, as `od` and `hexdump` print them by default. */
function bytePairs(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 2) }, (_, at) => bytes.readUInt16LE(at * 2));
}

/**
 * Returns the base32 digits of a secret that do not depend on its neighbours (RFC 4648). `offset`
 * is the number of foreign bytes before it in its group of five.
 */
function base32Core(bytes: Buffer, offset: number): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const own = bits.slice(Math.ceil((offset * 8) / 5) * 5 - offset * 8);
  return (own.match(/[01]{5}/g) ?? []).map((five) => base32Digits[Number.parseInt(five, 2)]).join('');
}

const base32Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Maximum characters of a secret in any form. Readers go this far beyond a cut, so that no secret
 * is split.
 */
export const longestSecret = 16 * 1024;
