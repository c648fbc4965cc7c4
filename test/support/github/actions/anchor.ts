import { type DiffFile, diffFiles, hunkUpTo, hunkWith, lineAtPosition, mergeBase } from '../git/diff.ts';
import { ApiError } from '../protocol/api-error.ts';
import { listedFiles } from '../rules/diffs.ts';
import type { PullThread, Side, World } from '../world.ts';

/** A comment on the diff as a client sends it. */
export interface DraftComment {
  readonly path: string;
  readonly body: string;
  readonly line?: number | undefined;
  readonly side?: string | undefined;
  readonly start_line?: number | null | undefined;
  readonly start_side?: string | null | undefined;
  readonly position?: number | undefined;
  readonly subject_type?: string | undefined;
}

/** The place of a comment on the diff; `line` null for one on the whole file. */
export interface Anchor {
  readonly side: Side;
  readonly line: number | null;
  readonly startLine: number | null;
  readonly diffHunk: string;
}

const unresolved = (what: string) =>
  new ApiError(422, 'Unprocessable Entity', [`${what} could not be resolved`]);

function sideOf(name: string | null | undefined, otherwise: Side): Side {
  if (name === undefined || name === null) return otherwise;
  if (name !== 'LEFT' && name !== 'RIGHT') throw unresolved('Side');
  return name;
}

/** The place of a comment on the diff. Throws GitHub's 422, which does not say which comment it means. */
export function anchor(files: readonly DiffFile[], comment: DraftComment): Anchor {
  const file = files.find(({ path }) => path === comment.path);
  if (file === undefined) throw unresolved('Path');
  if (comment.subject_type === 'file')
    return { side: 'RIGHT', line: null, startLine: null, diffHunk: file.hunks[0]?.lines[0] ?? '' };
  if (comment.line !== undefined && comment.position !== undefined)
    throw new ApiError(422, 'Unprocessable Entity', ['Only one of line and position can be given']);
  const placed =
    comment.line === undefined && comment.position !== undefined
      ? lineAtPosition(file, comment.position)
      : undefined;
  const side = placed?.side ?? sideOf(comment.side, 'RIGHT');
  const line = placed?.line ?? comment.line;
  const hunk = line === undefined ? undefined : hunkWith(file, side, line);
  if (line === undefined || hunk === undefined) throw unresolved('Line');
  const startLine = comment.start_line ?? null;
  if (startLine === null && comment.start_side != null) throw unresolved('Start line');
  if (startLine !== null) {
    // GitHub Docs, "REST API endpoints for pull request review comments": required when using multi-line comments.
    if (comment.start_side == null) throw unresolved('Start side');
    const sameSide = sideOf(comment.start_side, side) === side;
    if (!sameSide || startLine >= line || hunkWith(file, side, startLine) !== hunk)
      throw unresolved('Start line');
  }
  return { side, line, startLine, diffHunk: hunkUpTo(hunk, side, line) };
}

/** The files of a pull request as its diff shows them, at one of its commits. */
export async function pullFiles(
  world: World,
  thread: PullThread,
  sha = thread.pull.headSha,
): Promise<DiffFile[]> {
  const { directory } = thread.repository;
  const from = (await mergeBase(directory, thread.pull.baseSha, sha)) ?? thread.pull.baseSha;
  return listedFiles(world.limits, await diffFiles(directory, from, sha), world.limits.pullFiles);
}
