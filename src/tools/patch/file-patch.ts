import type { SearchedLines } from './searched-lines.ts';

/** One line of a hunk: unchanged, removed, or added. Its text has no line ending. */
export interface HunkLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** One change at one location of a file. */
export interface Hunk {
  /** Name in messages: its header as written in the patch. */
  readonly label: string;
  readonly lines: readonly HunkLine[];
  /** First old line by a unified diff, from 1 (0: before the first); null if unknown. */
  readonly line: number | null;
  /** Lines named by `@@` in an envelope, each below the one before; the hunk is below the last. */
  readonly locators: readonly string[];
  /** True if the hunk ends where the file ends. */
  readonly atEnd: boolean;
  /** True if the changed file ends with a newline; null if unknown. */
  readonly finalNewline: boolean | null;
}

/** The start of the search for a hunk, and the shift by the hunks before it. */
export interface HunkPosition {
  readonly from: number;
  readonly shift: number;
  /** Number of the hunk within its file, from 1, and their count. */
  readonly number: number;
  readonly count: number;
}

/** The location of a hunk, and the lines that are applied there. */
export interface HunkLocation {
  /** Index of the file's line at which it begins. */
  readonly place: number;
  /** Its lines, without context removed at its ends to make it fit. */
  readonly lines: readonly HunkLine[];
  /** Shift of the stated lines of the hunks below. */
  readonly shift: number;
}

/** Finds the location of a hunk in a file. Throws `ToolError` for none. */
export type LocateHunk = (path: string, file: SearchedLines, hunk: Hunk, at: HunkPosition) => HunkLocation;

/** The change of one file. Modes are permission bits; null if the patch names none. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly content: string; readonly mode: number | null }
  | { readonly kind: 'delete'; readonly path: string; readonly hunks: readonly Hunk[] }
  | {
      readonly kind: 'update';
      readonly path: string;
      /** The new path of a rename or copy; null if the path stays. */
      readonly to: string | null;
      readonly copy: boolean;
      /**
       * True if the target of a rename may be overwritten, as in an envelope.
       */
      readonly overwrite: boolean;
      readonly mode: number | null;
      /** Git's name, perhaps abbreviated, of the original content; null if unknown. */
      readonly preimage: string | null;
      readonly hunks: readonly Hunk[];
    };
