import type { StructuredPatchHunk } from 'diff';
import { formatPatch } from 'diff/lib/patch/create.js';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import { isBinary } from '../files/is-binary.ts';
import { gitMode } from '../git/git-mode.ts';
import { differingPart } from './differing-part.ts';
import { type LineChange, lineChanges } from './line-changes.ts';

/** One file before and after a change; null if absent. Modes are permission bits. */
export interface FileStates {
  readonly path: string;
  readonly oldPath?: string | undefined;
  readonly before: { readonly content: Buffer; readonly mode: number } | null;
  readonly after: { readonly content: Buffer; readonly mode: number } | null;
}

/** Byte limit of a diff; longer diffs are left empty, like diffs of binary files. */
export const maxDiffBytes = 256 * 1024;
const CONTEXT_LINES = 3;
const TIMEOUT_MS = 2_000;
/** Time limit for all files of one change. */
const TOGETHER_MS = 4_000;
const nothing = Buffer.alloc(0);

/**
 * Returns the diffs of several files in order. Diffs are empty once all together take longer than
 * four seconds.
 */
export function unifiedDiffs(files: readonly FileStates[]): string[] {
  const until = monotonicMs() + TOGETHER_MS;
  return files.map((file) => unifiedDiff(file, Math.max(0, Math.min(TIMEOUT_MS, until - monotonicMs()))));
}

/**
 * Returns the change of one file as git shows it, with `diff --git` header and modes. Empty for
 * binary files, for a diff over `maxDiffBytes`, and after two seconds of search.
 */
export function unifiedDiff({ path, oldPath, before, after }: FileStates, timeoutMs = TIMEOUT_MS): string {
  if ((before && isBinary(before.content)) || (after && isBinary(after.content))) return '';
  const [from, to] = [before?.content ?? nothing, after?.content ?? nothing];
  // The size difference is part of the diff, so a longer one need not be made.
  if (Math.abs(from.length - to.length) > maxDiffBytes) return '';
  const part = differingPart(from, to);
  const [old, now] = [linesOf(part.before), linesOf(part.after)];
  const changes = lineChanges(old, now, timeoutMs);
  if (changes === null) return '';
  const hunks = groupsOf(changes).map((group) => hunkOf(old, now, group, part.linesBefore));
  const text = formatPatch({ ...headerOf({ path, oldPath, before, after }), hunks });
  return Buffer.byteLength(text) > maxDiffBytes ? '' : text;
}

function headerOf({ path, oldPath, before, after }: FileStates) {
  const oldMode = before === null ? undefined : gitMode(before.mode);
  const newMode = after === null ? undefined : gitMode(after.mode);
  return {
    oldFileName: before === null ? '/dev/null' : `a/${oldPath ?? path}`,
    newFileName: after === null ? '/dev/null' : `b/${path}`,
    oldHeader: undefined,
    newHeader: undefined,
    isGit: true,
    isCreate: before === null,
    isDelete: after === null,
    isRename: oldPath !== undefined,
    ...(oldMode !== undefined && oldMode !== newMode ? { oldMode } : {}),
    ...(newMode !== undefined && oldMode !== newMode ? { newMode } : {}),
  };
}

/** Splits into lines with their newline, which the last one may lack. */
function linesOf(content: Buffer): string[] {
  return content.length === 0 ? [] : content.toString('utf8').split(/(?<=\n)/);
}

/** Groups changes whose context lines touch into one hunk. */
function groupsOf(changes: readonly LineChange[]): [LineChange, ...LineChange[]][] {
  const groups: [LineChange, ...LineChange[]][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (last !== undefined && change.oldFrom - last.oldTo <= 2 * CONTEXT_LINES) group?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(
  old: readonly string[],
  now: readonly string[],
  group: readonly [LineChange, ...LineChange[]],
  linesBefore: number,
): StructuredPatchHunk {
  const [first] = group;
  const last = group.at(-1) ?? first;
  const above = Math.min(CONTEXT_LINES, first.oldFrom);
  const below = Math.min(CONTEXT_LINES, old.length - last.oldTo);
  let from = first.oldFrom - above;
  const lines = group.map((change) => {
    const context = marked(' ', old.slice(from, change.oldFrom));
    from = change.oldTo;
    const gone = marked('-', old.slice(change.oldFrom, change.oldTo));
    return [context, gone, marked('+', now.slice(change.newFrom, change.newTo))];
  });
  return {
    oldStart: first.oldFrom - above + 1 + linesBefore,
    oldLines: last.oldTo + below - first.oldFrom + above,
    newStart: first.newFrom - above + 1 + linesBefore,
    newLines: last.newTo + below - first.newFrom + above,
    lines: [...lines.flat(2), ...marked(' ', old.slice(from, from + below))],
  };
}

function marked(mark: ' ' | '-' | '+', lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'],
  );
}
