import type { Change } from '../../contract/change.ts';

/** One path as a run found it and as it left it: SHA-256 of the content, null where there was none. */
export interface RestoreStep {
  readonly path: string;
  readonly before: string | null;
  readonly left: string | null;
}

/**
 * What it takes to undo changes, given in the order they were made: every path touched, with what stood there
 * before the first of them and after the last. Paths that ended as they began are left out.
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

/** Whether a path is the one asked for or lies below it; '' asks for all. */
export function isBelow(path: string, asked: string): boolean {
  return asked === '' || path === asked || path.startsWith(`${asked}/`);
}
