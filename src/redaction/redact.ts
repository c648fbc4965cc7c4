import { createTokenFinder, createValueFinder, united } from './find-secrets.ts';
import { shortestSecret } from './secret-forms.ts';
import type { TextRange } from './squeeze-text.ts';

const replacement = '[redacted]';

/**
 * Makes a function that takes secrets out of text: `secrets` themselves (at least 6 characters each) and whatever
 * has the form of a known token. What stands there instead is `[redacted]`. A secret is found as it is and escaped for URLs,
 * HTML, JSON and programs; from 12 characters on also spaced out, broken over lines, quoted in pieces, highlighted and
 * backwards; in base64 at any offset, and in base64 of that; in hexadecimal, dumps too, and as decimal numbers. Of a long one that is made by chance, any part of
 * 23 characters is found. The time grows with the length of the text alone.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const findValues = createValueFinder(secrets);
  const findTokens = createTokenFinder();
  const known = new Map<string, string>();
  return (text) => {
    if (text.length < shortestSecret) return text;
    const before = known.get(text);
    if (before !== undefined) return before;
    const done = withoutRanges(text, united([...findValues(text), ...findTokens(text)]));
    if (text.length <= keptLength) keep(known, text, done);
    return done;
  };
}

/**
 * What is said goes to the model, into the record and into its line, and is looked through each time: so many of the
 * last texts up to this length are kept, which together take a few megabytes at most.
 */
const keptTexts = 256;
const keptLength = 16 * 1024;

function keep(known: Map<string, string>, text: string, done: string): void {
  if (known.size >= keptTexts) {
    const [oldest] = known.keys();
    if (oldest !== undefined) known.delete(oldest);
  }
  known.set(text, done);
}

function withoutRanges(text: string, ranges: readonly TextRange[]): string {
  if (ranges.length === 0) return text;
  let done = '';
  let last = 0;
  for (const { start, end } of ranges) {
    done += text.slice(last, start) + replacement;
    last = end;
  }
  return done + text.slice(last);
}
