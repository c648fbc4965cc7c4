import { mkdir } from 'node:fs/promises';
import * as path from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { contentHash, createBeforeImages } from '../changes/before-images.ts';
import { createReadMemory } from '../changes/create-read-memory.ts';
import type { ConfinedFiles } from '../files/confined-files.ts';
import { createConfinedFiles } from '../files/create-confined-files.ts';
import type { ReadMemory } from '../files/read-memory.ts';
import { createKeptFiles, type KeptFiles } from './kept-files.ts';
import { storageLimits } from './storage-limits.ts';
import { keptRoot, storagePath, storageRoots } from './storage-path.ts';
import { createStorageQuota, type StorageQuota } from './storage-quota.ts';

/** A run's own files, opened: what the tools that read work on. */
export interface StorageSpace {
  readonly files: ConfinedFiles;
  readonly memory: ReadMemory;
}

/** A run's own files: outside the checkout, no change of it, bounded. Nothing is made before the first use. */
export interface RunStorage {
  /** The folders this run sees: without `persist` where nothing is kept for later runs. */
  readonly roots: readonly string[];
  /** The normal form of a path; '' is the root. Throws `ToolError` for a path below no visible folder. */
  locate(given: string): string;
  open(): Promise<StorageSpace>;
  /**
   * Replaces one file by what `work` makes of it (null: there is none), after its old content was kept. Changes take
   * turns. Throws `ToolError`: `quota` and what `work` throws; what a checkpoint or write fails with goes through.
   */
  change(
    path: string,
    by: { readonly tool: string; readonly callId: string },
    work: (before: Buffer | null) => string,
  ): Promise<void>;
  /** Whether there are files that no later run is handed: outside `persist`. */
  hasOwnFiles(): Promise<boolean>;
  /** What a session that waits has to carry: every file but what later runs see anyway. Null for nothing. */
  snapshot(): Promise<Record<string, string> | null>;
  /** Hands what was changed in `persist` on to later runs; an empty file is taken out. */
  promote(): Promise<void>;
}

/**
 * The storage of one run in `folder`, with checkpoints in `<folder>-before`. Without `home` there is no `persist`.
 * `restored` are the files of the session that goes on; what does not fit in any more is left out.
 */
export function createRunStorage(options: {
  readonly folder: string;
  readonly runId: string;
  /** Where files for later runs on the repository are kept. */
  readonly home: StateStore | null;
  readonly restored: Readonly<Record<string, string>>;
  readonly redact: (text: string) => string;
  readonly now: () => Date;
}): RunStorage {
  const { folder, home } = options;
  const roots = storageRoots.filter((root) => root !== keptRoot || home !== null);
  const images = createBeforeImages(`${folder}-before`);
  const checkpoints = new Map<string, number>();
  /** Paths below `persist` that this run changed. */
  const changed = new Set<string>();
  let opened: Promise<StorageSpace & { readonly quota: StorageQuota }> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const locate = (given: string) => storagePath(given, roots);
  const hasRestored = Object.keys(options.restored).length > 0;

  async function keptFiles(): Promise<KeptFiles | null> {
    if (home === null) return null;
    return createKeptFiles({ store: home, now: options.now });
  }

  async function openNow() {
    for (const root of roots) await mkdir(path.join(folder, root), { recursive: true, mode: 0o700 });
    const files = createConfinedFiles({ root: folder, readOnlyRoots: [] });
    const quota = createStorageQuota();
    const kept = (await (await keptFiles())?.load()) ?? [];
    const put = async (given: string, text: string) => {
      const content = Buffer.from(text);
      const at = placeFor(given, content, quota);
      if (at === null) return;
      await files.write([{ path: at, content }]);
      quota.set(at, content.length);
      if (isKept(at)) changed.add(at);
    };
    for (const [name, text] of kept) await put(`${keptRoot}/${name}`, text);
    changed.clear();
    for (const [name, text] of Object.entries(options.restored)) await put(name, text);
    return { files, memory: createReadMemory(), quota };
  }

  /** Where a file from an earlier run or session goes; null where it has no place here. */
  function placeFor(given: string, content: Buffer, quota: StorageQuota): string | null {
    try {
      const at = locate(given);
      quota.check(at, content.length);
      return at === given ? at : null;
    } catch (error) {
      if (error instanceof ToolError) return null;
      throw error;
    }
  }

  const open = () => {
    opened ??= openNow();
    return opened;
  };

  async function changeNow(...[given, by, work]: Parameters<RunStorage['change']>): Promise<void> {
    const { files, memory, quota } = await open();
    const at = locate(given);
    const before = await contentOf(files, at);
    const after = Buffer.from(work(before?.content ?? null));
    quota.check(at, after.length);
    if (before !== null) countCheckpoint(before.content);
    const hash = before === null ? null : await images.keep(before.content);
    const { tool, callId } = by;
    const mode = before?.mode ?? null;
    await images.note([{ path: at, before: hash, object: null, mode, tool, call_id: callId }]);
    await files.write([{ path: at, content: after }]);
    quota.set(at, after.length);
    memory.saw(at, after);
    if (isKept(at)) changed.add(at);
  }

  /** Many small changes of a big file must not fill the disk. */
  function countCheckpoint(content: Buffer): void {
    const hash = contentHash(content);
    const sum = [...checkpoints.values()].reduce((all, size) => all + size, 0);
    if (!checkpoints.has(hash) && sum + content.length > storageLimits.checkpointBytes) {
      throw new ToolError(
        'quota',
        'The earlier versions of your own files have filled the space a run has for them; no existing file can be changed any more. Write to a new file instead.',
      );
    }
    checkpoints.set(hash, content.length);
  }

  return {
    roots,
    locate,
    open,
    change(...change) {
      const result = turn.then(() => changeNow(...change));
      turn = result.catch(() => undefined);
      return result;
    },
    async hasOwnFiles() {
      if (opened === null) return false;
      return (await opened).quota.paths().some((at) => !isKept(at));
    },
    async snapshot() {
      if (opened === null) return hasRestored ? { ...options.restored } : null;
      const { files, quota } = await opened;
      const carried = quota.paths().filter((at) => !isKept(at) || changed.has(at));
      const entries: [string, string][] = [];
      for (const at of carried) entries.push([at, options.redact(await textOf(files, at))]);
      return entries.length === 0 ? null : Object.fromEntries(entries);
    },
    async promote() {
      if (opened === null && !hasRestored) return;
      const { files } = await open();
      const texts = new Map<string, string | null>();
      for (const at of [...changed].sort()) {
        const text = options.redact(await textOf(files, at));
        texts.set(at.slice(keptRoot.length + 1), text === '' ? null : text);
      }
      if (texts.size > 0) await (await keptFiles())?.promote(options.runId, texts);
    },
  };
}

/** Whether a path lies in the folder that later runs see. */
function isKept(at: string): boolean {
  return at.startsWith(`${keptRoot}/`);
}

async function contentOf(
  files: ConfinedFiles,
  at: string,
): Promise<{ content: Buffer; mode: number } | null> {
  const info = await files.stat(at);
  if (info === null) return null;
  // A directory or anything else gives the error that says what it is.
  const { bytes, mode } = await files.read(at);
  return { content: bytes, mode };
}

/** Its text; '' where something outside the run took the file away. */
async function textOf(files: ConfinedFiles, at: string): Promise<string> {
  const found = await contentOf(files, at);
  return found === null ? '' : found.content.toString('utf8');
}
