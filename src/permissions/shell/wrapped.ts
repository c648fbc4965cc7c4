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

/** The script that these words make, joined by spaces; unknown where one of them is computed. */
export function scriptOf(
  words: readonly ShellWord[],
  name: string,
  how: { readonly keep?: boolean; readonly posix?: boolean } = {},
): Wrapped {
  const values = words.map((word) => word.value);
  if (values.includes(null)) return { kind: 'unknown', why: `\`${name}\` runs a script that is computed` };
  return {
    kind: 'scripts',
    scripts: [values.join(' ')],
    keep: how.keep === true,
    ...(how.posix === true ? { posix: true } : {}),
  };
}
