import { ToolError } from '../../contract/errors.ts';
import { findLines } from '../text/find-lines.ts';

/** Maximum lines that all searches of one patch read in a file: about two seconds. */
const mostRead = 100_000_000;

/** The lines of a file to search for hunks, without line endings. */
export interface SearchedLines {
  readonly lines: readonly string[];
  /** The lines in a folded form, made once per fold. */
  folded(fold: (line: string) => string): readonly string[];
  /**
   * Finds folded lines from an index on; matches may overlap. Throws `ToolError('too_large')` once
   * the searches of the patch exceed their limit.
   */
  find(fold: (line: string) => string, wanted: readonly string[], from: number): number[];
}

/** Creates the searched lines; `most` limits the lines that may be read. */
export function searchedLines(path: string, lines: readonly string[], most = mostRead): SearchedLines {
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
    `The patch has too many hunks to search for in the ${lines} lines of ${path}. Nothing was changed. Give the hunks their real line numbers, or make several smaller patches, or change the file with a command.`,
  );
}
