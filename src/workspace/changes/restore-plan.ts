import type { Change } from '../../contract/change.ts';

/**
 * State of one path before and after a run: SHA-256 of the content, null if absent. The modes are
 * git's; null if absent or not recorded.
 */
export interface RestoreStep {
  readonly path: string;
  readonly before: string | null;
  readonly left: string | null;
  readonly beforeMode: string | null;
  readonly leftMode: string | null;
}

/** Content and mode of a path. */
type PathContent = { readonly hash: string | null; readonly mode: string | null };
const absent: PathContent = { hash: null, mode: null };

/**
 * Lists the steps that undo changes, which are given in order: each touched path with its state
 * before the first and after the last. Paths that ended as they began are omitted.
 */
export function restorePlan(changes: readonly Change[]): RestoreStep[] {
  const steps = new Map<string, RestoreStep>();
  const touch = (path: string, before: PathContent, left: PathContent) => {
    const known = steps.get(path) ?? { before: before.hash, beforeMode: before.mode };
    steps.set(path, { ...known, path, left: left.hash, leftMode: left.mode });
  };
  for (const { path, kind, old_path: from, ...change } of changes) {
    const before = { hash: change.before, mode: change.before_mode ?? null };
    const after = { hash: change.after, mode: change.after_mode ?? null };
    if (kind === 'rename' && from !== undefined) {
      touch(from, before, absent);
      touch(path, absent, after);
    } else touch(path, before, after);
  }
  return [...steps.values()].filter(
    ({ before, left, beforeMode, leftMode }) =>
      before !== left || (beforeMode !== null && leftMode !== null && beforeMode !== leftMode),
  );
}
