import type { FlagName } from '../../contract/verbs.ts';
import { type Flags, readFlag } from './flags.ts';

/** The text without its flags, or why a flag is invalid. */
export type ReadFlags =
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
  let line = end === -1 ? words : words.slice(0, end);
  const below = end === -1 ? '' : words.slice(end);
  let spokenLine = spoken.trimStart().split('\n')[0]?.trimEnd() ?? '';
  let flags: Flags = {};
  let trailing: Flags = {};
  for (;;) {
    const word = /^[^\S\n]*(\S+)/u.exec(line);
    if (word?.[1] === undefined) break;
    const read = readFlag(word[1], allowed, strict);
    if (read.kind === 'problem') return read;
    if (read.kind === 'word') break;
    flags = { ...read.flag, ...flags };
    line = line.slice(word[0].length);
  }
  for (;;) {
    line = line.trimEnd();
    const word = lastWord(line);
    if (word === '' || !spokenLine.endsWith(word)) break;
    const read = readFlag(word, allowed, false);
    if (read.kind === 'problem') return read;
    if (read.kind === 'word') break;
    trailing = { ...trailing, ...read.flag };
    line = line.slice(0, -word.length);
    spokenLine = spokenLine.slice(0, -word.length).trimEnd();
  }
  return { kind: 'flags', flags: { ...trailing, ...flags }, words: `${line}${below}`.trim() };
}

/** Returns the text after the last white space, without scanning the rest of the line. */
function lastWord(line: string): string {
  let start = line.length;
  while (start > 0 && /\S/u.test(line.charAt(start - 1))) start -= 1;
  return line.slice(start);
}
