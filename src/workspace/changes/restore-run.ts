import * as path from 'node:path';
import type { Change } from '../../contract/change.ts';
import { ToolError } from '../../contract/errors.ts';
import type { ConfinedFiles, FileWrite } from '../files/confined-files.ts';
import { contentHash } from './before-images.ts';
import { type RestoreStep, restorePlan } from './restore-plan.ts';
import { type StoredImage, storedContent, storedImages } from './stored-images.ts';

/** The result for one path, in words. */
export interface Restored {
  readonly path: string;
  readonly action: 'written back' | 'removed' | 'as it was' | 'left';
  /** Reason for `left`. */
  readonly reason?: string;
}

/**
 * Restores paths to their state before a run, as one write. Files changed after the run are left
 * unless `force`; so are paths without stored content, such as links. `folder` holds `before/`, and
 * `trees.git` if the run was on this machine.
 */
export async function restoreRun(options: {
  readonly folder: string;
  readonly changes: readonly Change[];
  readonly files: ConfinedFiles;
  /** Requested path, normalised; '' for all. */
  readonly requestedPath: string;
  readonly force: boolean;
  readonly dryRun: boolean;
}): Promise<Restored[]> {
  const steps = restorePlan(options.changes).filter((step) => isBelow(step.path, options.requestedPath));
  const images = await storedImages(path.join(options.folder, 'before'));
  const writes: FileWrite[] = [];
  const restored: Restored[] = [];
  for (const step of steps) {
    const write = await writeFor(step, images, options).catch(leaveWhereRefused);
    if (write === null) restored.push({ path: step.path, action: 'as it was' });
    else if ('reason' in write) restored.push({ path: step.path, action: 'left', reason: write.reason });
    else {
      writes.push(write);
      restored.push({ path: step.path, action: write.content === null ? 'removed' : 'written back' });
    }
  }
  if (!options.dryRun && writes.length > 0) await options.files.write(writes);
  return restored;
}

/** Returns the write, the reason for none, or null if the path is already restored. */
async function writeFor(
  step: RestoreStep,
  images: readonly StoredImage[],
  options: { readonly folder: string; readonly files: ConfinedFiles; readonly force: boolean },
): Promise<FileWrite | { readonly reason: string } | null> {
  const now = await contentNow(step.path, options.files);
  if (now === 'other') return { reason: 'it is no regular file' };
  if (now === step.before) return null;
  if (now !== step.left && !options.force) return { reason: 'it was changed after the run' };
  if (step.before === null) return { path: step.path, content: null };
  const stored = await storedContent(step.path, step.before, images, options.folder);
  if (stored === null) return { reason: 'its earlier content is not stored here' };
  return { path: step.path, content: stored.content, mode: stored.mode ?? undefined };
}

/** Skips a refused path (through a link, or git's own) without blocking the others. */
function leaveWhereRefused(error: unknown): { readonly reason: string } {
  if (error instanceof ToolError) return { reason: error.message };
  throw error;
}

/** Returns the SHA-256 of a file's content; null if absent, `other` for a link or a folder. */
export async function contentNow(path: string, files: ConfinedFiles): Promise<string | null | 'other'> {
  const info = await files.stat(path);
  if (info === null) return null;
  if (info.kind !== 'file') return 'other';
  return contentHash((await files.read(path)).bytes);
}

/** True if `path` equals `requestedPath` or lies below it; '' matches all. */
export function isBelow(path: string, requestedPath: string): boolean {
  return requestedPath === '' || path === requestedPath || path.startsWith(`${requestedPath}/`);
}
