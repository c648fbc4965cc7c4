import { formatPatch, structuredPatch } from 'diff';
import { differingPart } from './differing-part.ts';

/** One file before and after a change; null where it does not exist. Modes are permission bits. */
export interface FileStates {
  readonly path: string;
  readonly oldPath?: string;
  readonly before: { readonly content: Buffer; readonly mode: number } | null;
  readonly after: { readonly content: Buffer; readonly mode: number } | null;
}

/** Diffs longer than this many bytes are left empty, like those of binary files. */
export const maxDiffBytes = 256 * 1024;
const CONTEXT_LINES = 3;
const TIMEOUT_MS = 2_000;
const nothing = Buffer.alloc(0);

/** As git sees it: a NUL byte among the first 8,000. */
export function isBinary(content: Buffer): boolean {
  return content.subarray(0, 8_000).includes(0);
}

function gitMode(mode: number): string {
  return (mode & 0o100) === 0 ? '100644' : '100755';
}

/**
 * The change of one file as git would show it, with `diff --git` header and modes. Empty for binary files,
 * for a diff over `maxDiffBytes`, and for one that takes longer than two seconds to find.
 */
export function unifiedDiff({ path, oldPath, before, after }: FileStates): string {
  if ((before && isBinary(before.content)) || (after && isBinary(after.content))) return '';
  const part = differingPart(before?.content ?? nothing, after?.content ?? nothing);
  const patch = structuredPatch(
    before === null ? '/dev/null' : `a/${oldPath ?? path}`,
    after === null ? '/dev/null' : `b/${path}`,
    part.before.toString('utf8'),
    part.after.toString('utf8'),
    undefined,
    undefined,
    { context: CONTEXT_LINES, timeout: TIMEOUT_MS },
  );
  if (patch === undefined) return '';
  const oldMode = before === null ? undefined : gitMode(before.mode);
  const newMode = after === null ? undefined : gitMode(after.mode);
  const text = formatPatch({
    ...patch,
    hunks: patch.hunks.map((hunk) => ({
      ...hunk,
      oldStart: hunk.oldStart + part.linesBefore,
      newStart: hunk.newStart + part.linesBefore,
    })),
    isGit: true,
    isCreate: before === null,
    isDelete: after === null,
    isRename: oldPath !== undefined,
    ...(oldMode !== undefined && oldMode !== newMode ? { oldMode } : {}),
    ...(newMode !== undefined && oldMode !== newMode ? { newMode } : {}),
  });
  return Buffer.byteLength(text) > maxDiffBytes ? '' : text;
}
