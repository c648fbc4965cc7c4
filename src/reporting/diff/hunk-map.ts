import type { Octokit } from '@octokit/rest';
import type { Finding } from '../../contract/findings.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { pullOf } from '../../github/api-target.ts';
import { type DiffLine, type FileHunks, numberHunkLines, parseHunks, readPatch } from './git-patch.ts';

export type Side = Finding['side'];

/**
 * The lines of a diff that may have review comments. On the right side: added and unchanged lines.
 * On the left side: deleted lines. Paths may be old or new names; line numbers count from 1. See
 * GitHub Docs, "Create a review for a pull request".
 */
export interface HunkMap {
  /** Returns GitHub's name of the file in this pull request; null if the diff does not touch it. */
  resolve(path: string): string | null;
  isLegal(path: string, side: Side, line: number): boolean;
  /** Returns the nearest legal line of that side, the upper of two; null if there is none. */
  nearest(path: string, side: Side, line: number): number | null;
  /** True when both lines are legal and within one hunk. */
  sameHunk(path: string, side: Side, first: number, last: number): boolean;
  /** Returns the legal lines of the hunk around a legal line, ascending; empty for other lines. */
  hunkOf(path: string, side: Side, line: number): readonly number[];
  /**
   * Returns the text of a line of the diff, including unchanged lines of the left side; else null.
   */
  text(path: string, side: Side, line: number): string | null;
  /**
   * Returns lines by number: all displayed lines of the right side, deleted lines of the left. Null
   * as for `resolve`.
   */
  lines(path: string, side: Side): ReadonlyMap<number, string> | null;
  /** The right side's number of an unchanged line of the left side; null for any other. */
  rightOf(path: string, leftLine: number): number | null;
}

/** Builds the map from a git diff base...head of the pull request. */
export function createHunkMap(diff: string): HunkMap {
  return hunkMapOf(parseHunks(diff));
}

/** Builds the map from files that were read already. */
export function hunkMapOf(parsed: readonly FileHunks[]): HunkMap {
  const files = new Map<string, FileHunks>();
  for (const file of parsed) if (file.oldPath !== null) files.set(file.oldPath, file);
  // Later, so that a new name wins over the old name of another file.
  for (const file of parsed) files.set(file.path, file);

  const indexes = new Map<FileHunks, FileIndex>();
  const indexOf = (path: string): FileIndex | null => {
    const file = files.get(path);
    if (file === undefined) return null;
    const index = indexes.get(file) ?? indexLines(file);
    indexes.set(file, index);
    return index;
  };
  const hunkOf = (path: string, side: Side, line: number) =>
    indexOf(path)?.legal[side].find((lines) => lines.includes(line)) ?? [];

  return {
    resolve: (path) => files.get(path)?.path ?? null,
    isLegal: (path, side, line) => hunkOf(path, side, line).length > 0,
    nearest(path, side, line) {
      let best: number | null = null;
      for (const candidate of indexOf(path)?.legal[side].flat() ?? []) {
        if (best === null || Math.abs(candidate - line) < Math.abs(best - line)) best = candidate;
      }
      return best;
    },
    sameHunk: (path, side, first, last) => hunkOf(path, side, first).includes(last),
    hunkOf,
    text: (path, side, line) => indexOf(path)?.lines[side].get(line)?.text ?? null,
    lines(path, side) {
      const index = indexOf(path);
      if (index === null) return null;
      const visible = [...index.lines[side]].filter(
        ([, line]) => side === 'RIGHT' || line.kind === 'deleted',
      );
      return new Map(visible.map(([number, line]) => [number, line.text]));
    },
    rightOf: (path, leftLine) => indexOf(path)?.lines.LEFT.get(leftLine)?.newLine ?? null,
  };
}

/** One file, indexed: lines of the diff by side and number, and the legal ones by hunk. */
interface FileIndex {
  readonly lines: Readonly<Record<Side, ReadonlyMap<number, DiffLine>>>;
  readonly legal: Readonly<Record<Side, readonly (readonly number[])[]>>;
}

function indexLines(file: FileHunks): FileIndex {
  const lines = { LEFT: new Map<number, DiffLine>(), RIGHT: new Map<number, DiffLine>() };
  for (const line of file.hunks.flat()) {
    if (line.oldLine !== null) lines.LEFT.set(line.oldLine, line);
    if (line.newLine !== null) lines.RIGHT.set(line.newLine, line);
  }
  const deletedLine = (line: DiffLine) =>
    line.kind === 'deleted' && line.oldLine !== null ? [line.oldLine] : [];
  const newLine = (line: DiffLine) => (line.newLine === null ? [] : [line.newLine]);
  return {
    lines,
    legal: {
      LEFT: file.hunks.map((hunk) => hunk.flatMap(deletedLine)),
      RIGHT: file.hunks.map((hunk) => hunk.flatMap(newLine)),
    },
  };
}

/**
 * Builds the map from GitHub's own view, for when it rejects a line of git's diff. GitHub omits
 * hunks of very large files and everything after 3,000 files.
 */
export async function readGitHubHunkMap(plan: RunPlan, octokit: Octokit): Promise<HunkMap> {
  const files = await octokit.paginate(octokit.rest.pulls.listFiles, {
    ...pullOf(plan),
    per_page: 100,
  });
  return hunkMapOf(files.map(hunksOfListed));
}

/** A changed file as GitHub's API lists it (GitHub Docs, "List pull requests files"). */
interface ListedFile {
  readonly filename: string;
  readonly previous_filename?: string | undefined;
  readonly status: string;
  /** Omitted for a binary or very large file. */
  readonly patch?: string | undefined;
}

/** Returns the hunks of a listed file. */
export function hunksOfListed({ filename, previous_filename, patch, status }: ListedFile): FileHunks {
  return {
    path: filename,
    oldPath: status === 'added' ? null : (previous_filename ?? filename),
    plain: false,
    hunks: (readPatch(`--- a\n+++ b\n${patch ?? ''}\n`)?.hunks ?? []).map((hunk) => numberHunkLines(hunk)),
    text: '',
  };
}
