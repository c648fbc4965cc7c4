import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as z from 'zod';
import type { Change } from '../contract/change.ts';
import { parseJson } from '../contract/json.ts';
import { contentHash } from './before-images.ts';
import type { ConfinedFiles, FileWrite } from './confined-files.ts';
import { readObjects } from './read-objects.ts';
import { isBelow, type RestoreStep, restorePlan } from './restore-plan.ts';

/** A path and what became of it, in words. */
export interface Restored {
  readonly path: string;
  readonly action: 'written back' | 'removed' | 'as it was' | 'left';
  /** Why it was left. */
  readonly reason?: string;
}

const KeptImage = z.object({
  path: z.string(),
  before: z.string().nullable(),
  object: z.string().nullable(),
  mode: z.int().nullable(),
});
type KeptImage = z.infer<typeof KeptImage>;

/**
 * Puts paths back as they were before a run, all that can be in one change. What was changed after the run is
 * left unless `force`, and so is what no content is kept of, such as a link. `folder` holds `before/`, and
 * `trees.git` where the run was on this machine.
 */
export async function restoreRun(options: {
  readonly folder: string;
  readonly changes: readonly Change[];
  readonly files: ConfinedFiles;
  /** A path that was asked for, normalised; '' for all. */
  readonly asked: string;
  readonly force: boolean;
  readonly dryRun: boolean;
}): Promise<Restored[]> {
  const steps = restorePlan(options.changes).filter((step) => isBelow(step.path, options.asked));
  const images = await keptImages(path.join(options.folder, 'before'));
  const writes: FileWrite[] = [];
  const restored: Restored[] = [];
  for (const step of steps) {
    const write = await writeFor(step, images, options);
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

/** What is to be written, why nothing is, or null where the path is as it was already. */
async function writeFor(
  step: RestoreStep,
  images: readonly KeptImage[],
  options: { readonly folder: string; readonly files: ConfinedFiles; readonly force: boolean },
): Promise<FileWrite | { readonly reason: string } | null> {
  const now = await hashNow(step.path, options.files);
  if (now === 'other') return { reason: 'it is no regular file' };
  if (now === step.before) return null;
  if (now !== step.left && !options.force) return { reason: 'it was changed after the run' };
  if (step.before === null) return { path: step.path, content: null };
  const image = images.find((one) => one.path === step.path && one.before === step.before);
  const content = await contentOf(step.before, image, options.folder);
  if (content === null) return { reason: 'what it was before is not kept here' };
  return { path: step.path, content, ...(image?.mode == null ? {} : { mode: image.mode }) };
}

async function hashNow(path: string, files: ConfinedFiles): Promise<string | null | 'other'> {
  const info = await files.stat(path);
  if (info === null) return null;
  if (info.kind !== 'file') return 'other';
  return contentHash((await files.read(path)).bytes);
}

/** The content of a hash, from its file or from git's object; null when neither is there or whole. */
async function contentOf(hash: string, image: KeptImage | undefined, folder: string): Promise<Buffer | null> {
  const file = await readFile(path.join(folder, 'before', hash)).catch(() => null);
  if (file !== null) return contentHash(file) === hash ? file : null;
  if (image?.object == null) return null;
  const place = { cwd: folder, gitDirectory: path.join(folder, 'trees.git') };
  const found = await readObjects(place, [image.object]).catch(() => new Map<string, Buffer>());
  const content = found.get(image.object);
  return content !== undefined && contentHash(content) === hash ? content : null;
}

async function keptImages(folder: string): Promise<KeptImage[]> {
  const text = await readFile(path.join(folder, 'index.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const image = KeptImage.safeParse(parseJson(line));
    return image.success ? [image.data] : [];
  });
}
