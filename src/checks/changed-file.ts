/** A file of a diff with both of its sides. */
export interface ChangedFile {
  /** The current path; of a deleted file the last one. */
  readonly path: string;
  readonly oldPath: string | null;
  readonly kind: 'add' | 'modify' | 'delete' | 'rename';
  /** Git's modes: `100755`, `120000` for a link, `160000` for a submodule; zeros without a file. */
  readonly modes: { readonly before: string; readonly after: string };
  /** Sizes in bytes; null where there is no file. */
  readonly bytes: { readonly before: number | null; readonly after: number | null };
  /** The text of each side; null if there is none, or if it is binary or too long. */
  readonly before: string | null;
  readonly after: string | null;
  /** The first bytes of a binary new side; null for text and for a side that is too long. */
  readonly binary: Buffer | null;
  /** Numbers of the added lines, from 1. */
  readonly added: ReadonlySet<number>;
}

/** A whole diff, and what stands beside it. */
export interface CheckedDiff {
  readonly files: readonly ChangedFile[];
  /** Texts, by path, of manifests and lock files on the new side that belong to changed ones. */
  readonly neighbours: ReadonlyMap<string, string>;
  /** Sentences about files omitted as too large. */
  readonly notes: readonly string[];
}

/** An added line. */
export interface AddedLine {
  readonly line: number;
  readonly text: string;
}

/** The added lines, in order, without their ends. */
export function addedLines(file: ChangedFile): AddedLine[] {
  if (file.after === null || file.added.size === 0) return [];
  return file.after
    .split('\n')
    .flatMap((text, index) =>
      file.added.has(index + 1)
        ? [{ line: index + 1, text: text.endsWith('\r') ? text.slice(0, -1) : text }]
        : [],
    );
}

/** The first added line, for findings on the whole file; 1 if there is none. */
export function firstAdded(file: ChangedFile): number {
  let first = Number.POSITIVE_INFINITY;
  for (const line of file.added) first = Math.min(first, line);
  return Number.isFinite(first) ? first : 1;
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
