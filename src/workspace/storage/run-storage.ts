import { mkdir } from 'node:fs/promises';
import * as path from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { contentHash, createBeforeImages } from '../changes/before-images.ts';
import { createReadMemory, type ReadMemory } from '../changes/read-memory.ts';
import type { ConfinedFiles } from '../files/confined-files.ts';
import { createConfinedFiles } from '../files/create-confined-files.ts';
import { createPersistentFiles, type PersistentFiles } from './persistent-files.ts';
import { persistentRoot, storageLimits, storagePath, storageRoots } from './storage-path.ts';

/** Opened storage of a run, for the tools that read. */
export interface StorageSpace {
  readonly files: ConfinedFiles;
  readonly memory: ReadMemory;
}

/**
 * Own files of a run: outside the checkout, no part of a change, limited in size. Created on first
 * use.
 */
export interface RunStorage {
  /** Visible folders; without `persist` if nothing is stored for later runs. */
  readonly roots: readonly string[];
  /**
   * Returns the normal form of a path; '' is the root. Throws `ToolError` outside the visible
   * folders.
   */
  locate(given: string): string;
  open(): Promise<StorageSpace>;
  /**
   * Replaces a file with the result of `work` (input null if missing), after storing its old
   * content. Changes run in sequence. Throws `ToolError('quota')`, the errors of `work`, and those
   * of checkpoint or write.
   */
  change(
    path: string,
    by: { readonly tool: string; readonly callId: string },
    work: (before: Buffer | null) => string,
  ): Promise<void>;
  /** True if there are files outside `persist`, which no later run sees. */
  hasOwnFiles(): Promise<boolean>;
  /**
   * Returns the files that a waiting session must carry: all that later runs would not see. Null if
   * none.
   */
  snapshot(): Promise<Record<string, string> | null>;
  /** Stores changes in `persist` for later runs; an empty file is deleted. */
  promote(): Promise<void>;
}

/**
 * Storage of one run in `folder`, with checkpoints in `<folder>-before`. Without `sharedStore`
 * there is no `persist`. `restored` are the files of the resumed session; those that no longer fit
 * are omitted.
 */
export function createRunStorage(options: {
  readonly folder: string;
  readonly runId: string;
  /** Store of files for later runs on the repository. */
  readonly sharedStore: StateStore | null;
  readonly restored: Readonly<Record<string, string>>;
  readonly redact: (text: string) => string;
  readonly now: () => Date;
}): RunStorage {
  const { folder, sharedStore } = options;
  const roots = storageRoots.filter((root) => root !== persistentRoot || sharedStore !== null);
  const persistent =
    sharedStore === null ? null : createPersistentFiles({ store: sharedStore, now: options.now });
  const checkpoint = createCheckpointer(`${folder}-before`);
  /** Paths below `persist` changed by this run. */
  const changed = new Set<string>();
  let opened: Promise<OpenSpace> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const locate = (given: string) => storagePath(given, roots);
  const hasRestored = Object.keys(options.restored).length > 0;
  const open = () => {
    opened ??= openSpace({ folder, roots, persistent, restored: options.restored }, changed);
    return opened;
  };

  async function changeNow(...[given, by, work]: Parameters<RunStorage['change']>): Promise<void> {
    const space = await open();
    const at = locate(given);
    await replaceFile(space, at, work, (before) => checkpoint(at, by, before));
    if (isPersistent(at)) changed.add(at);
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
      return (await opened).quota.paths().some((at) => !isPersistent(at));
    },
    async snapshot() {
      if (opened === null) return hasRestored ? { ...options.restored } : null;
      const { files, quota } = await opened;
      const carried = quota.paths().filter((at) => !isPersistent(at) || changed.has(at));
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
        texts.set(at.slice(persistentRoot.length + 1), text === '' ? null : text);
      }
      if (texts.size > 0) await persistent?.promote(options.runId, texts);
    },
  };
}

type OpenSpace = StorageSpace & { readonly quota: StorageQuota };

/**
 * Creates the folders with the files of earlier runs and of the resumed session. Paths of the
 * session below `persist` are added to `changed`.
 */
async function openSpace(
  from: {
    readonly folder: string;
    readonly roots: readonly string[];
    readonly persistent: PersistentFiles | null;
    readonly restored: Readonly<Record<string, string>>;
  },
  changed: Set<string>,
): Promise<OpenSpace> {
  const { folder, roots } = from;
  for (const root of roots) await mkdir(path.join(folder, root), { recursive: true, mode: 0o700 });
  const files = createConfinedFiles({ root: folder, readOnlyRoots: [] });
  const quota = createStorageQuota();
  const put = async (given: string, text: string) => {
    const content = Buffer.from(text);
    if (!fits(given, content, roots, quota)) return;
    await files.write([{ path: given, content }]);
    quota.set(given, content.length);
    if (isPersistent(given)) changed.add(given);
  };
  for (const [name, text] of (await from.persistent?.load()) ?? [])
    await put(`${persistentRoot}/${name}`, text);
  changed.clear();
  for (const [name, text] of Object.entries(from.restored)) await put(name, text);
  return { files, memory: createReadMemory(), quota };
}

/** True if a file of an earlier run or session has a valid path and fits the quota. */
function fits(given: string, content: Buffer, roots: readonly string[], quota: StorageQuota): boolean {
  try {
    const at = storagePath(given, roots);
    quota.check(at, content.length);
    return at === given;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

type FileState = { readonly content: Buffer; readonly mode: number } | null;

/** Replaces a file with the result of `work`, after `checkpoint` stored its state. */
async function replaceFile(
  { files, memory, quota }: OpenSpace,
  at: string,
  work: (before: Buffer | null) => string,
  checkpoint: (before: FileState) => Promise<void>,
): Promise<void> {
  const before = await contentOf(files, at);
  const after = Buffer.from(work(before?.content ?? null));
  quota.check(at, after.length);
  await checkpoint(before);
  await files.write([{ path: at, content: after }]);
  quota.set(at, after.length);
  memory.saw(at, after);
}

/** Stores the state of files before a change in `folder`, within a limit. */
function createCheckpointer(folder: string) {
  const images = createBeforeImages(folder);
  const count = limitCheckpoints();
  return async (at: string, by: { tool: string; callId: string }, before: FileState): Promise<void> => {
    if (before !== null) count(before.content);
    const hash = before === null ? null : await images.store(before.content);
    const mode = before?.mode ?? null;
    const { tool, callId } = by;
    await images.record([{ path: at, before: hash, object: null, mode, tool, call_id: callId }]);
  };
}

/** Limits checkpoints: many small changes of a large file must not fill the disk. */
function limitCheckpoints(): (content: Buffer) => void {
  const checkpoints = new Map<string, number>();
  return (content) => {
    const hash = contentHash(content);
    const sum = [...checkpoints.values()].reduce((all, size) => all + size, 0);
    if (!checkpoints.has(hash) && sum + content.length > storageLimits.checkpointBytes) {
      throw new ToolError(
        'quota',
        'The earlier versions of your own files have filled the space a run has for them; no existing file can be changed any more. Write to a new file instead.',
      );
    }
    checkpoints.set(hash, content.length);
  };
}

/** True for paths in `persist`, which later runs see. */
function isPersistent(at: string): boolean {
  return at.startsWith(`${persistentRoot}/`);
}

async function contentOf(
  files: ConfinedFiles,
  at: string,
): Promise<{ content: Buffer; mode: number } | null> {
  const info = await files.stat(at);
  if (info === null) return null;
  // A read of anything but a file throws the fitting error.
  const { bytes, mode } = await files.read(at);
  return { content: bytes, mode };
}

/** Returns the text of a file; '' if it was deleted from outside the run. */
async function textOf(files: ConfinedFiles, at: string): Promise<string> {
  const found = await contentOf(files, at);
  return found === null ? '' : found.content.toString('utf8');
}

/** Usage of a run's own files, counted at each write: nothing else writes them. */
export interface StorageQuota {
  /** Throws `ToolError('quota')` if a file of `bytes` does not fit at the path. */
  check(path: string, bytes: number): void;
  set(path: string, bytes: number): void;
  /** All files, sorted. */
  paths(): string[];
}

/** Creates an empty count. */
export function createStorageQuota(): StorageQuota {
  const sizes = new Map<string, number>();

  function checkSum(at: string, bytes: number): void {
    const persistent = isPersistent(at);
    const name = persistent ? `${persistentRoot}/` : `the folders beside ${persistentRoot}/`;
    const most = persistent
      ? { files: storageLimits.persistentFiles, bytes: storageLimits.persistentBytes }
      : { files: storageLimits.files, bytes: storageLimits.bytes };
    const others = [...sizes].filter(([path]) => path !== at && isPersistent(path) === persistent);
    const sum = others.reduce((all, [, size]) => all + size, bytes);
    if (!sizes.has(at) && others.length >= most.files) {
      throw new ToolError(
        'quota',
        `There are ${others.length} files in ${name} already, and no more may be added. Write to one that exists.`,
      );
    }
    if (sum > most.bytes) {
      throw new ToolError(
        'quota',
        `With ${bytes} bytes at ${at}, ${name} would hold ${sum} bytes; at most ${most.bytes} are allowed. Write less, or replace what is no longer needed by an empty text.`,
      );
    }
  }

  return {
    check(path, bytes) {
      if (bytes > storageLimits.fileBytes) {
        throw new ToolError(
          'quota',
          `${path} would have ${bytes} bytes; one file may have ${storageLimits.fileBytes}. Split it.`,
        );
      }
      checkSum(path, bytes);
    },
    set: (path, bytes) => void sizes.set(path, bytes),
    paths: () => [...sizes.keys()].sort(),
  };
}
