import type { SearchedLines } from './searched-lines.ts';

/** One line of a hunk: kept, taken away, or added. Its text has no line ending. */
export interface HunkLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** One change in one place of a file. */
export interface Hunk {
  /** How messages call it: its header as it stands in the patch. */
  readonly label: string;
  readonly lines: readonly HunkLine[];
  /** Where a unified diff says the old lines begin, counted from 1 (0 before the first); null if it does not. */
  readonly line: number | null;
  /** Lines the envelope names by `@@`, each to be found below the one before, the hunk below the last. */
  readonly locators: readonly string[];
  /** The hunk ends where the file ends. */
  readonly atEnd: boolean;
  /** Whether the changed file ends with a newline, where the patch says so. */
  readonly finalNewline: boolean | null;
}

/** Where the search for a hunk begins, and by how much the hunks before it have moved its stated line. */
export interface HunkPosition {
  readonly from: number;
  readonly shift: number;
  /** Which of the file's hunks it is, counted from 1, and how many there are. */
  readonly number: number;
  readonly count: number;
}

/** Where a hunk was found, and what of it goes in there. */
export interface HunkPlace {
  /** The index of the file's line where its lines begin. */
  readonly place: number;
  /** Its lines, without those at its ends that were let go to make it fit. */
  readonly lines: readonly HunkLine[];
  /** By how much the stated lines of the hunks below are off. */
  readonly shift: number;
}

/** Finds the place of a hunk in a file. Throws `ToolError` for none. */
export type LocateHunk = (path: string, file: SearchedLines, hunk: Hunk, at: HunkPosition) => HunkPlace;

/** What a patch does to one file. Modes are permission bits, null where the patch names none. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly content: string; readonly mode: number | null }
  | { readonly kind: 'delete'; readonly path: string; readonly hunks: readonly Hunk[] }
  | {
      readonly kind: 'update';
      readonly path: string;
      /** The new path of a rename or copy; null when the file stays where it is. */
      readonly to: string | null;
      readonly copy: boolean;
      /** A unified diff does not overwrite the target of a rename, the envelope does. */
      readonly overwrite: boolean;
      readonly mode: number | null;
      /** Git's name, perhaps cut short, of the content it was made from; null where it does not say. */
      readonly preimage: string | null;
      readonly hunks: readonly Hunk[];
    };
