import type { ShellWord } from './simple-command.ts';

/** What a command runs on behalf of others. */
export type Wrapped =
  /** Other programs, run with `assignments` in their environment; `keep`: the command itself is judged as well. */
  | {
      readonly kind: 'programs';
      readonly programs: readonly (readonly ShellWord[])[];
      readonly assignments?: readonly string[];
      readonly keep: boolean;
      /** True where they run in a folder that is not known. */
      readonly elsewhere?: boolean;
      /** Beside what is seen, why something is not. */
      readonly unknown?: string;
    }
  /** Shell scripts, of the text given; `posix`: read by a shell that may be another than bash. */
  | {
      readonly kind: 'scripts';
      readonly scripts: readonly string[];
      readonly keep: boolean;
      readonly posix?: boolean;
      readonly elsewhere?: boolean;
      readonly unknown?: string;
    }
  /** Whatever it reads from standard input, as a script. */
  | { readonly kind: 'standard_input'; readonly posix: boolean }
  /** Something that only shows when it runs. */
  | { readonly kind: 'unknown'; readonly why: string };

/** A computed script as it stands there: what can be seen of it may be held back, if never allowed. */
function asScript(word: ShellWord): string {
  const inner = /^"(.*)"$/s.exec(word.source)?.[1];
  return inner === undefined ? word.source : inner.replace(/\\(["\\])/g, '$1');
}

/** The script that these words make, joined by spaces; unknown where one of them is computed. */
export function scriptOf(
  words: readonly ShellWord[],
  name: string,
  how: { readonly keep?: boolean; readonly posix?: boolean } = {},
): Wrapped {
  const computed = words.some((word) => word.value === null);
  return {
    kind: 'scripts',
    scripts: [words.map((word) => word.value ?? asScript(word)).join(' ')],
    keep: how.keep === true || computed,
    ...(how.posix === true ? { posix: true } : {}),
    ...(computed ? { unknown: `\`${name}\` runs a script that is computed` } : {}),
  };
}
