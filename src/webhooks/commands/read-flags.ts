import type { FlagName } from '../../contract/verbs.ts';
import { type Flags, readFlag } from './flags.ts';

/** The text without its flags, or why a flag is invalid. */
type ReadFlags =
  | { readonly kind: 'flags'; readonly flags: Flags; readonly words: string }
  | { readonly kind: 'problem'; readonly problem: string };

/**
 * Removes flags from both ends of the command's line only, since text below it may be quotes or
 * code. `spoken` is the comment from `spokenText`. A flag at the end must end its first line too,
 * so that code spans and HTML comments do not count. The first of two equal flags counts.
 */
export function readFlags(
  words: string,
  { spoken, allowed, strict }: { spoken: string; allowed: readonly FlagName[]; strict: boolean },
): ReadFlags {
  const end = words.indexOf('\n');
  const line = end === -1 ? words : words.slice(0, end);
  const below = end === -1 ? '' : words.slice(end);
  const leading = leadingFlags(line, allowed, strict);
  if (leading.kind === 'problem') return leading;
  const trailing = trailingFlags(leading.words, allowed, spoken.trimStart().split('\n')[0] ?? '');
  if (trailing.kind === 'problem') return trailing;
  const flags = { ...trailing.flags, ...leading.flags };
  return { kind: 'flags', flags, words: `${trailing.words}${below}`.trim() };
}

function leadingFlags(line: string, allowed: readonly FlagName[], strict: boolean): ReadFlags {
  let words = line;
  let flags: Flags = {};
  for (;;) {
    const word = /^[^\S\n]*(\S+)/u.exec(words);
    const read = readFlag(word?.[1] ?? '', allowed, strict);
    if (word === null || read.kind === 'word') return { kind: 'flags', flags, words };
    if (read.kind === 'problem') return read;
    flags = { ...read.flag, ...flags };
    words = words.slice(word[0].length);
  }
}

function trailingFlags(line: string, allowed: readonly FlagName[], spokenLine: string): ReadFlags {
  let words = line.trimEnd();
  let spoken = spokenLine.trimEnd();
  let flags: Flags = {};
  for (;;) {
    const word = lastWord(words);
    const read = readFlag(word, allowed, false);
    if (word === '' || !spoken.endsWith(word) || read.kind === 'word') return { kind: 'flags', flags, words };
    if (read.kind === 'problem') return read;
    flags = { ...flags, ...read.flag };
    words = words.slice(0, -word.length).trimEnd();
    spoken = spoken.slice(0, -word.length).trimEnd();
  }
}

/** Returns the text after the last white space, without scanning the rest of the line. */
function lastWord(line: string): string {
  let start = line.length;
  while (start > 0 && /\S/u.test(line.charAt(start - 1))) start -= 1;
  return line.slice(start);
}
