import { createLiteralSearch, type LiteralSearch } from './literal-search.ts';
import { type CharacterRange, encoded, type NormalisedText, normaliseText } from './normalise-text.ts';
import {
  base64Core,
  partsOf,
  type SecretStream,
  secretStreams,
  secretsWithin,
  writtenForms,
} from './secret-forms.ts';
import { beginsWord, isPlaceholder, secretPatterns, tokenBeginnings } from './token-forms.ts';

/** Finds the secrets in a text, as ranges in order that do not overlap. */
type SecretFinder = (text: string) => CharacterRange[];

/** Makes a finder of values in any of the forms that `createRedactor` names. */
export function createValueFinder(values: readonly string[]): SecretFinder {
  const secrets = [...new Set(values.flatMap(secretsWithin))];
  const written = [...new Set(secrets.flatMap(writtenForms))];
  const streams = secrets.flatMap(secretStreams);
  const parts = streams.flatMap((stream) => partsOf(stream).map((part) => ({ ...part, stream })));
  const searchWritten = createLiteralSearch(written);
  const searchParts = createLiteralSearch(parts.map((part) => part.text));

  const findIn = (normalised: NormalisedText, ranges: CharacterRange[]) => {
    let covered = { stream: null as SecretStream | null, end: 0 };
    searchParts(normalised.text, (at, index) => {
      const part = parts[index];
      if (part === undefined || (covered.stream === part.stream && at < covered.end)) return;
      const { start, end } = extend(normalised.text, at, part);
      covered = { stream: part.stream, end };
      ranges.push({ start: normalised.starts[start] ?? 0, end: normalised.ends[end - 1] ?? 0 });
    });
  };

  return (text) => {
    const ranges: CharacterRange[] = [];
    searchWritten(text, (at, index) => {
      ranges.push({ start: at, end: at + (written[index] ?? '').length });
    });
    if (parts.length > 0) {
      findIn(normaliseText(text, false), ranges);
      if (encoded.test(text)) findIn(normaliseText(text, true), ranges);
      for (const column of findDumps(text)) findIn(normaliseText(text, false, column), ranges);
    }
    return united(ranges);
  };
}

/** Makes a finder of known token formats, plain or in base64, whoever owns them. */
export function createTokenFinder(): SecretFinder {
  const searchTokens = createLiteralSearch(tokenBeginnings.map(({ begins }) => begins));
  const findTokens = (source: string): CharacterRange[] => {
    const ranges: CharacterRange[] = [];
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

function findByPatterns(text: string): CharacterRange[] {
  return secretPatterns.flatMap(({ needs, pattern }) => {
    if (!needs.some((needed) => text.includes(needed))) return [];
    return [...text.matchAll(pattern)].flatMap((match) => {
      const [start, end] = match.indices?.[1] ?? [match.index, match.index + match[0].length];
      return match[1] !== undefined && isPlaceholder(match[1]) ? [] : [{ start, end }];
    });
  });
}

/** Extends a match in both directions, as far as the text equals the secret's stream. */
function extend(
  text: string,
  at: number,
  { text: part, offset, stream }: { text: string; offset: number; stream: SecretStream },
): CharacterRange {
  let start = at;
  for (let index = offset; start > 0 && text[start - 1] === stream.text[index - 1]; index--) start--;
  let end = at + part.length;
  for (
    let index = offset + part.length;
    index < stream.text.length && text[end] === stream.text[index];
    index++
  )
    end++;
  return { start, end };
}

/** Sorts ranges and joins those that overlap. */
export function united(ranges: readonly CharacterRange[]): CharacterRange[] {
  const sorted = ranges.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const done: { start: number; end: number }[] = [];
  for (const { start, end } of sorted) {
    const last = done.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else done.push({ start, end });
  }
  return done;
}

/** A line of `xxd`, `hexdump -C` or `od -A x -t x1z`: address, hexadecimal bytes, often text. */
const dumpLine =
  /^[ \t]{0,8}(?:0x)?[0-9a-f]{4,16}:?[ \t]{1,4}((?:[0-9a-f]{2,8}(?:[ \t]{1,3}|(?=\n|$))){2,34})(.*)$/gim;

/** A line of `od -c`: an address and one character per column. */
const characterLine =
  /^[0-7]{7}((?:[ \t]{1,3}(?:[^\s\\]|\\\S|[0-7]{3})(?=[ \t\n]|$)|[ \t]{4}(?=[ \t]|$)){2,32})[ \t]*$/gm;

/**
 * Returns the byte and character columns of hex dumps, each as its ranges in the text. A secret
 * continues in the next line of its column. Empty for a text without a dump.
 */
export function findDumps(text: string): CharacterRange[][] {
  // A cheap test first: every dump address contains zeros.
  if (!text.includes('000')) return [];
  const bytes: CharacterRange[] = [];
  const characters: CharacterRange[] = [];
  for (const match of text.matchAll(dumpLine)) {
    const [line, column = '', rest = ''] = match;
    const start = match.index + line.length - rest.length;
    bytes.push({ start: start - column.length, end: start });
    if (rest !== '') characters.push({ start, end: start + rest.length });
  }
  const letters: CharacterRange[] = [];
  for (const match of text.matchAll(characterLine)) {
    const [line, column = ''] = match;
    const start = match.index + line.indexOf(column);
    letters.push({ start, end: start + column.length });
  }
  return [bytes, characters, letters].filter((column) => column.length >= 2);
}

/** Characters decoded on each side of a suspicious position in a run of base64. */
const reach = 4096;

/**
 * Makes a finder of base64 runs (RFC 4648, both alphabets) that contain a token. `holdsToken`
 * checks the decoded text. Only runs in which a token's beginning shows are decoded, and of very
 * long runs only the part around it. Images therefore cost almost nothing.
 */
export function createEncodedTokenFinder(
  holdsToken: (decoded: string) => boolean,
): (text: string) => CharacterRange[] {
  const beginnings = [...tokenBeginnings.map(({ begins }) => begins), 'PRIVATE KEY-----'].map((text) =>
    Buffer.from(text),
  );
  const cores = beginnings.flatMap((bytes) => [0, 1, 2].map((offset) => base64Core(bytes, offset)));
  const search = createLiteralSearch([...new Set(cores)].filter((core) => core.length >= 4));
  return (text) => findRuns(text, search, holdsToken);
}

function findRuns(
  text: string,
  search: LiteralSearch,
  holdsToken: (decoded: string) => boolean,
): CharacterRange[] {
  const ranges: CharacterRange[] = [];
  let looked = 0;
  search(text, (at) => {
    if (at < looked) return;
    const run = runAround(text, at);
    if (run.end - run.start < 24) return;
    looked = run.end;
    const characters = text.slice(run.start, run.end);
    for (let offset = 0; offset < 4; offset++) {
      const decoded = Buffer.from(characters.slice(offset), 'base64').toString('latin1');
      if (!holdsToken(decoded) && !/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(decoded)) continue;
      ranges.push(run);
      return;
    }
  });
  return ranges;
}

function runAround(text: string, at: number): CharacterRange {
  let start = at;
  while (start > 0 && at - start < reach && isBase64(text.charCodeAt(start - 1))) start--;
  let end = at;
  while (end < text.length && end - at < reach && isBase64(text.charCodeAt(end))) end++;
  return { start, end };
}

function isBase64(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x2f ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x5f
  );
}
