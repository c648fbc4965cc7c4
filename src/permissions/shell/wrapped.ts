import type { ShellWord } from './simple-command.ts';

/** The programs or scripts that a command runs for others. */
export type Wrapped =
  /**
   * Other programs with `assignments` in their environment. `includesSelf`: the command itself is
   * evaluated too.
   */
  | {
      readonly kind: 'programs';
      readonly programs: readonly (readonly ShellWord[])[];
      readonly assignments?: readonly string[];
      readonly includesSelf: boolean;
      /** True if their folder is unknown. */
      readonly elsewhere?: boolean | undefined;
      /** Why a part is unknown, besides the known ones. */
      readonly unknown?: string | undefined;
    }
  /** Shell scripts. `posix`: read by a shell that may not be bash. */
  | {
      readonly kind: 'scripts';
      readonly scripts: readonly string[];
      readonly includesSelf: boolean;
      readonly posix?: boolean | undefined;
      readonly elsewhere?: boolean | undefined;
      readonly unknown?: string | undefined;
    }
  /** Its standard input as a script. */
  | { readonly kind: 'standard_input'; readonly posix: boolean }
  /** Known only at run time. */
  | { readonly kind: 'unknown'; readonly why: string };

/** Returns the visible text of a computed script. Rules may restrict it, never allow it. */
function asScript(word: ShellWord): string {
  const inner = /^"(.*)"$/s.exec(word.source)?.[1];
  return inner === undefined ? word.source : inner.replace(/\\(["\\])/g, '$1');
}

/** Returns the script made of words joined by spaces; partly unknown if one is computed. */
export function joinedScript(
  words: readonly ShellWord[],
  name: string,
  how: { readonly includesSelf?: boolean; readonly posix?: boolean } = {},
): Wrapped {
  const computed = words.some((word) => word.value === null);
  return {
    kind: 'scripts',
    scripts: [words.map((word) => word.value ?? asScript(word)).join(' ')],
    includesSelf: how.includesSelf === true || computed,
    posix: how.posix === true || undefined,
    unknown: computed ? `\`${name}\` runs a script that is computed` : undefined,
  };
}
