import type { Change } from '../../contract/change.ts';

/** State of one path before and after a run: SHA-256 of the content, null if absent. */
export interface RestoreStep {
  readonly path: string;
  readonly before: string | null;
  readonly left: string | null;
}

/**
 * Lists the steps that undo changes, which are given in order: each touched path with its state
 * before the first and after the last. Paths that ended as they began are omitted.
 */
export function restorePlan(changes: readonly Change[]): RestoreStep[] {
  const steps = new Map<string, RestoreStep>();
  const touch = (path: string, before: string | null, left: string | null) =>
    steps.set(path, { path, before: steps.has(path) ? (steps.get(path)?.before ?? null) : before, left });
  for (const { path, kind, old_path: from, before, after } of changes) {
    if (kind === 'rename' && from !== undefined) {
      touch(from, before, null);
      touch(path, null, after);
    } else touch(path, before, after);
  }
  return [...steps.values()].filter((step) => step.before !== step.left);
}
