import { cacheTexts } from './cache-texts.ts';
import { createTokenFinder, createValueFinder, united } from './find-secrets.ts';
import type { CharacterRange } from './normalise-text.ts';
import { shortestSecret } from './secret-forms.ts';

const replacement = '[redacted]';

/**
 * Makes a function that replaces secrets in text by `[redacted]`: the given values, of at least 6
 * characters each, and known token formats.
 *
 * Values are found as they are, and escaped for URLs, HTML, JSON and programs. From 12 characters
 * on they are found spaced out, wrapped, quoted in pieces, highlighted or reversed. They are found
 * in base64 at any offset, base64 of base64, hexadecimal, dumps and decimal numbers. Of a long
 * random value, any part of 23 characters is found.
 *
 * The time grows with the length of the text alone.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  let redact: ((text: string) => string) | null = null;
  return (text) => {
    if (text.length < shortestSecret) return text;
    redact ??= createSearch(secrets);
    return redact(text);
  };
}

/** Prepares the search at the first text, since many processes redact none. */
function createSearch(secrets: readonly string[]): (text: string) => string {
  const findValues = createValueFinder(secrets);
  const findTokens = createTokenFinder();
  return cacheTexts(
    (text) => withoutRanges(text, united([...findValues(text), ...findTokens(text)])),
    cacheLimits,
  );
}

/**
 * A few megabytes at most. Each text is redacted several times: for the model, the record and its
 * line.
 */
const cacheLimits = { texts: 256, characters: 16 * 1024 };

function withoutRanges(text: string, ranges: readonly CharacterRange[]): string {
  let done = '';
  let last = 0;
  for (const { start, end } of ranges) {
    done += text.slice(last, start) + replacement;
    last = end;
  }
  return done + text.slice(last);
}
