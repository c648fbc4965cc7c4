import type { FlagName } from '../../contract/verbs.ts';
import { type Flags, readFlag } from './flags.ts';

/** The words without the flags around them, or why these cannot be. */
export type ReadFlags =
  | { readonly kind: 'flags'; readonly flags: Flags; readonly words: string }
  | { readonly kind: 'problem'; readonly problem: string };

/**
 * Takes flags off the front and the end of the line that the command stands on, and from nowhere else: below it there
 * may be quotes and code. `spoken` is the comment as `spokenText` gives it; a flag at the end of the line has to end
 * its first line too, so that what stands in a code span or an HTML comment is none. The first of two equal ones counts.
 */
export function readFlags(
  words: string,
  { spoken, allowed, strict }: { spoken: string; allowed: readonly FlagName[]; strict: boolean },
): ReadFlags {
  const end = words.indexOf('\n');
  let line = end === -1 ? words : words.slice(0, end);
  const below = end === -1 ? '' : words.slice(end);
  let said = spoken.trimStart().split('\n')[0]?.trimEnd() ?? '';
  let flags: Flags = {};
  let behind: Flags = {};
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
    if (word === '' || !said.endsWith(word)) break;
    const read = readFlag(word, allowed, false);
    if (read.kind === 'problem') return read;
    if (read.kind === 'word') break;
    behind = { ...behind, ...read.flag };
    line = line.slice(0, -word.length);
    said = said.slice(0, -word.length).trimEnd();
  }
  return { kind: 'flags', flags: { ...behind, ...flags }, words: `${line}${below}`.trim() };
}

/** What stands behind the last white space. Looks at no more than that, as there may be many words. */
function lastWord(line: string): string {
  let start = line.length;
  while (start > 0 && /\S/u.test(line.charAt(start - 1))) start -= 1;
  return line.slice(start);
}
