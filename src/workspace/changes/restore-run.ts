import * as path from 'node:path';
import type { Change } from '../../contract/change.ts';
import { systemReason, ToolError } from '../../contract/errors.ts';
import { refuseProtected } from '../files/confine-path.ts';
import type { ConfinedFiles, FileWrite } from '../files/confined-files.ts';
import { errorCode } from '../files/open-confined.ts';
import { entriesBelow, isState, obstacleAbove, type PathState, stateOfPath } from './path-state.ts';
import { restoreContent, type SavedContent } from './restore-entries.ts';
import { type RestoreStep, restorePlan } from './restore-plan.ts';
import { type StoredImage, storedContent, storedImages } from './stored-images.ts';

/** The result for one path, in words. */
export interface Restored {
  readonly path: string;
  readonly action: 'written back' | 'removed' | 'as it was' | 'left';
  /** Reason for `left`. */
  readonly reason?: string;
}

/** The run to restore, and the work tree. */
interface RestoreOptions {
  /** Holds `before/`, and `trees.git` while the run has one. */
  readonly folder: string;
  readonly changes: readonly Change[];
  /** The real path of the work tree, whose files these are. */
  readonly root: string;
  readonly files: ConfinedFiles;
  /** Requested path, normalised; '' for all. */
  readonly requestedPath: string;
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** Decision on one path. */
type Decision =
  | { readonly kind: 'none' }
  | { readonly kind: 'left'; readonly reason: string }
  | { readonly kind: 'remove' }
  /** `isBlocked`: something is in its place that must be removed before. */
  | { readonly kind: 'write'; readonly saved: SavedContent; readonly isBlocked: boolean };

interface DecidedStep {
  readonly step: RestoreStep;
  readonly decision: Decision;
}

/**
 * Restores paths to their state before a run: contents, executable bits, links, and files or
 * folders that took each other's place. Paths changed after the run are left unless `force`. What
 * is not the run's in the place of a file is always left. No link is followed.
 */
export async function restoreRun(options: RestoreOptions): Promise<Restored[]> {
  const steps = restorePlan(options.changes).filter((step) => isBelow(step.path, options.requestedPath));
  const images = await storedImages(path.join(options.folder, 'before'));
  const first: DecidedStep[] = [];
  for (const step of steps) {
    const decision = await decide(step, images, options).catch(leaveWhereRefused);
    first.push({ step, decision });
  }
  const removed = new Set(
    first.flatMap(({ step, decision }) => (decision.kind === 'remove' ? [step.path] : [])),
  );
  const decided: DecidedStep[] = [];
  for (const { step, decision } of first)
    decided.push({
      step,
      decision:
        decision.kind === 'write'
          ? await unblocked(step.path, decision.saved, removed, options.files).catch(leaveWhereRefused)
          : decision,
    });
  const failed = options.dryRun ? new Map<string, string>() : await restoreAll(decided, options);
  return decided.map(({ step, decision }) => restoredOf(step.path, decision, failed.get(step.path)));
}

/** Decides from the state of a path, without a look at what is around it. */
async function decide(
  step: RestoreStep,
  images: readonly StoredImage[],
  { files, folder, force }: RestoreOptions,
): Promise<Decision> {
  refuseProtected(files.relative(step.path), 'write');
  const now = await stateOfPath(step.path, files);
  if (isState(now, step.before, step.beforeMode)) return { kind: 'none' };
  if (now === 'other') return { kind: 'left', reason: 'it is no regular file' };
  if (!force && !isState(now, step.left, step.leftMode))
    return { kind: 'left', reason: 'it was changed after the run' };
  if (step.before === null) return { kind: 'remove' };
  const stored = await storedContent(step.path, step.before, images, folder);
  if (stored === null) return { kind: 'left', reason: 'its earlier content is not stored here' };
  const mode = step.beforeMode ?? '100644';
  const permissions = step.beforeMode === '120000' ? undefined : permissionsOf(step, stored, now);
  const saved = { path: step.path, entry: { mode, content: stored.content }, permissions };
  return { kind: 'write', saved, isBlocked: false };
}

/**
 * Returns the bits that a tool recorded. Git records the executable bit only: the other bits stay
 * as they are, and are 0o644 for a new file.
 */
function permissionsOf(
  { beforeMode }: RestoreStep,
  stored: { readonly mode: number | null; readonly isExact: boolean },
  now: PathState | null | 'folder',
): number {
  if (stored.mode !== null && (stored.isExact || beforeMode === null)) return stored.mode & 0o777;
  const isFile = now !== null && now !== 'folder' && now.mode !== '120000';
  const plain = ((isFile ? now.permissions : 0o644) & 0o666) | 0o600;
  return beforeMode === '100755' ? plain | ((plain & 0o444) >> 2) : plain;
}

/** Decides from what is in the place of a path: only what is removed anyway may be there. */
async function unblocked(
  file: string,
  saved: SavedContent,
  removed: ReadonlySet<string>,
  files: ConfinedFiles,
): Promise<Decision> {
  const above = await obstacleAbove(file, files);
  if (typeof above === 'object')
    return removed.has(above.path)
      ? { kind: 'write', saved, isBlocked: true }
      : { kind: 'left', reason: `${above.path} is in the place of its folder` };
  const info = await files.stat(file);
  const others =
    info?.kind === 'directory' ? (await entriesBelow(file, files)).filter((one) => !removed.has(one)) : [];
  if (others.length > 0)
    return { kind: 'left', reason: `a folder with ${others[0]} is in its place, which is not the run's` };
  const isPlain = saved.entry.mode !== '120000' && (info === null || info.kind === 'file');
  return { kind: 'write', saved, isBlocked: !isPlain };
}

/**
 * Makes the removals and the plain writes as one write, then the others. Returns the reasons of
 * paths that could not be restored.
 */
async function restoreAll(
  decided: readonly DecidedStep[],
  { files, root }: RestoreOptions,
): Promise<Map<string, string>> {
  const atOnce = decided.flatMap(({ step, decision }): FileWrite[] => {
    if (decision.kind === 'remove') return [{ path: step.path, content: null }];
    if (decision.kind !== 'write' || decision.isBlocked) return [];
    const { entry, permissions } = decision.saved;
    return [{ path: step.path, content: entry.content, mode: permissions }];
  });
  if (atOnce.length > 0) await files.write(atOnce);
  const failed = new Map<string, string>();
  for (const { step, decision } of decided) {
    if (decision.kind !== 'write' || !decision.isBlocked) continue;
    try {
      await restoreContent(root, decision.saved);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      failed.set(step.path, systemReason(error));
    }
  }
  return failed;
}

function restoredOf(file: string, decision: Decision, failure: string | undefined): Restored {
  if (failure !== undefined) return { path: file, action: 'left', reason: failure };
  if (decision.kind === 'left') return { path: file, action: 'left', reason: decision.reason };
  const actions = { none: 'as it was', remove: 'removed', write: 'written back' } as const;
  return { path: file, action: actions[decision.kind] };
}

/** Skips a refused path (through a link, or git's own) without blocking the others. */
function leaveWhereRefused(error: unknown): Decision {
  if (error instanceof ToolError) return { kind: 'left', reason: error.message };
  throw error;
}

/** True if `path` equals `requestedPath` or lies below it; '' matches all. */
export function isBelow(path: string, requestedPath: string): boolean {
  return requestedPath === '' || path === requestedPath || path.startsWith(`${requestedPath}/`);
}
