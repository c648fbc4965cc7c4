import { ToolError } from '../../contract/errors.ts';
import { findLines } from '../text/find-lines.ts';

/** Lines that the searches of one patch look through in a file, all together: about two seconds. */
const mostLooked = 100_000_000;

/** The lines of a file in which the hunks of a patch are looked for, without their line endings. */
export interface SearchedLines {
  readonly lines: readonly string[];
  /** The lines in the form that a way to compare gives them, made once. */
  folded(fold: (line: string) => string): readonly string[];
  /**
   * The places of lines, folded already, from an index on; they may overlap. Throws `ToolError('too_large')` where the searches of the
   * patch come to too much.
   */
  find(fold: (line: string) => string, wanted: readonly string[], from: number): number[];
}

/** Makes them; `most` is how many lines may be looked through. */
export function searchedLines(path: string, lines: readonly string[], most = mostLooked): SearchedLines {
  const forms = new Map<(line: string) => string, readonly string[]>();
  let left = most;
  const folded = (fold: (line: string) => string): readonly string[] => {
    const form = forms.get(fold) ?? lines.map(fold);
    forms.set(fold, form);
    return form;
  };
  return {
    lines,
    folded,
    find(fold, wanted, from) {
      left -= Math.max(0, lines.length - from) + wanted.length;
      if (left < 0) throw tooMuch(path, lines.length);
      return findLines(folded(fold), wanted, from);
    },
  };
}

function tooMuch(path: string, lines: number): ToolError {
  return new ToolError(
    'too_large',
    `The patch has too many hunks that have to be looked for in the ${lines} lines of ${path}. Nothing was changed. Give the hunks the line numbers at which their lines stand, or make several smaller patches, or change the file with a command.`,
  );
}
