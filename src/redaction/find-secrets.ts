import { createEncodedTokenFinder } from './encoded-tokens.ts';
import { findDumps } from './find-dumps.ts';
import { createLiteralSearch } from './literal-search.ts';
import { partsOf, type SecretStream, secretStreams, secretsWithin, writtenForms } from './secret-forms.ts';
import { encoded, type SqueezedText, squeezeText, type TextRange } from './squeeze-text.ts';
import { beginsWord, isPlaceholder, secretPatterns, tokenBeginnings } from './token-forms.ts';

/** Finds the secrets in a text: parts of it that do not overlap, in order. */
export type SecretFinder = (text: string) => TextRange[];

/** Finds values in a text, however they are written there: see `createRedactor`. */
export function createValueFinder(values: readonly string[]): SecretFinder {
  const secrets = [...new Set(values.flatMap(secretsWithin))];
  const written = [...new Set(secrets.flatMap(writtenForms))];
  const streams = secrets.flatMap(secretStreams);
  const parts = streams.flatMap((stream) => partsOf(stream).map((part) => ({ ...part, stream })));
  const searchWritten = createLiteralSearch(written);
  const searchParts = createLiteralSearch(parts.map((part) => part.text));

  const findIn = (squeezed: SqueezedText, ranges: TextRange[]) => {
    let covered = { stream: null as SecretStream | null, end: 0 };
    searchParts(squeezed.text, (at, index) => {
      const part = parts[index];
      if (part === undefined || (covered.stream === part.stream && at < covered.end)) return;
      const { start, end } = extend(squeezed.text, at, part);
      covered = { stream: part.stream, end };
      ranges.push({ start: squeezed.starts[start] ?? 0, end: squeezed.ends[end - 1] ?? 0 });
    });
  };

  return (text) => {
    const ranges: TextRange[] = [];
    searchWritten(text, (at, index) => {
      ranges.push({ start: at, end: at + (written[index] ?? '').length });
    });
    if (parts.length > 0) {
      findIn(squeezeText(text, false), ranges);
      if (encoded.test(text)) findIn(squeezeText(text, true), ranges);
      for (const column of findDumps(text)) findIn(squeezeText(text, false, column), ranges);
    }
    return united(ranges);
  };
}

/** Finds what has the form of a known token, as it is or in base64, whoever it belongs to. */
export function createTokenFinder(): SecretFinder {
  const searchTokens = createLiteralSearch(tokenBeginnings.map(({ begins }) => begins));
  const findTokens = (source: string): TextRange[] => {
    const ranges: TextRange[] = [];
    let covered = 0;
    searchTokens(source, (at, index) => {
      const whole = tokenBeginnings[index]?.whole;
      if (whole === undefined || at < covered || !beginsWord(source, at)) return;
      whole.lastIndex = at;
      const match = whole.exec(source);
      if (match === null) return;
      covered = at + match[0].length;
      ranges.push({ start: at, end: covered });
    });
    return ranges;
  };
  const findEncoded = createEncodedTokenFinder((decoded) => findTokens(decoded).length > 0);
  return (text) => united([...findTokens(text), ...findByPatterns(text), ...findEncoded(text)]);
}

function findByPatterns(text: string): TextRange[] {
  return secretPatterns.flatMap(({ needs, pattern }) => {
    if (!needs.some((needed) => text.includes(needed))) return [];
    return [...text.matchAll(pattern)].flatMap((match) => {
      const [start, end] = match.indices?.[1] ?? [match.index, match.index + match[0].length];
      return match[1] !== undefined && isPlaceholder(match[1]) ? [] : [{ start, end }];
    });
  });
}

/** As much around a found part as is the secret still. */
function extend(
  text: string,
  at: number,
  { text: part, offset, stream }: { text: string; offset: number; stream: SecretStream },
): TextRange {
  let start = at;
  for (let place = offset; place > 0 && start > 0 && text[start - 1] === stream.text[place - 1]; place--)
    start--;
  let end = at + part.length;
  for (
    let place = offset + part.length;
    place < stream.text.length && text[end] === stream.text[place];
    place++
  )
    end++;
  return { start, end };
}

/** The same parts in order, those that overlap or touch as one. */
export function united(ranges: readonly TextRange[]): TextRange[] {
  const sorted = ranges.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const done: { start: number; end: number }[] = [];
  for (const { start, end } of sorted) {
    const last = done.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else done.push({ start, end });
  }
  return done;
}
