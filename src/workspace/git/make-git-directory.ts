import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  type Stats,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import * as path from 'node:path';
import { harnessFolder, temporaryPrefix } from '../files/confine-path.ts';
import { errorCode } from '../files/open-confined.ts';
import type { GitLayout } from './git-layout.ts';

/**
 * Contains our settings only. Filters, textconvs and remotes exist only through configuration, so
 * attributes of the tree start nothing here.
 */
function configText(objectFormat: 'sha1' | 'sha256'): string {
  return `[core]
\trepositoryformatversion = ${objectFormat === 'sha1' ? 0 : 1}
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
[user]
\tname = Anode CI
\temail = anode-ci@users.noreply.github.com
${objectFormat === 'sha1' ? '' : '[extensions]\n\tobjectformat = sha256\n'}`;
}

/** State of a regular file; null if missing or a link, which could lead to a foreign file. */
function stateOf(file: string): Stats | null {
  try {
    const state = lstatSync(file);
    return state.isFile() ? state : null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Copies a file by reference if the file system can. The copy is writable even if the original is
 * not.
 */
function copyWritable(from: string, to: string, { mode }: Stats): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  if ((mode & 0o200) === 0) chmodSync(to, (mode & 0o777) | 0o200);
}

/** Copies a file if it exists. */
function copyIfThere(from: string, to: string): void {
  const state = stateOf(from);
  if (state !== null) copyWritable(from, to, state);
}

/**
 * Copies the index with its time in whole seconds. Git rechecks files as old as the index (git's
 * technical notes, "Racy Git") and would miss their changes with a younger copy.
 */
function copyIndex(from: string, to: string): void {
  const before = stateOf(from);
  if (before === null) return;
  copyWritable(from, to, before);
  const seconds = Math.floor(before.mtimeMs / 1000);
  utimesSync(to, seconds, seconds);
}

/**
 * Copies the state of a work tree: index, shared parts of a split index, grafts of a shallow clone.
 */
function copyState(source: GitLayout, target: string): void {
  copyIndex(path.join(source.directory, 'index'), path.join(target, 'index'));
  copyIfThere(path.join(source.common, 'shallow'), path.join(target, 'shallow'));
  copyIfThere(path.join(source.common, 'info/exclude'), path.join(target, 'info/exclude'));
  const shared = readdirSync(source.directory).filter((name) => name.startsWith('sharedindex.'));
  for (const name of shared) copyIfThere(path.join(source.directory, name), path.join(target, name));
}

/**
 * Makes our own git directory at `target`, which must not exist, with its own settings and objects
 * and no hooks or remotes. With `source` it starts from that repository's HEAD and index and
 * borrows its objects (`objects/info/alternates`), without branches and tags. `head` is the content
 * of HEAD: `ref: refs/heads/main` or a commit. The source is only read.
 *
 * Synchronous, since a run waits for it before its first request: through the thread pool each of
 * its small steps takes ten times as long.
 */
export function makeGitDirectory(options: {
  readonly target: string;
  readonly source: GitLayout | null;
  readonly head: string;
  readonly objectFormat?: 'sha1' | 'sha256';
}): void {
  const { target, source } = options;
  mkdirSync(path.join(target, 'objects/info'), { recursive: true, mode: 0o700 });
  mkdirSync(path.join(target, 'info'));
  mkdirSync(path.join(target, 'refs/heads'), { recursive: true });
  writeFileSync(path.join(target, 'HEAD'), `${options.head}\n`);
  writeFileSync(path.join(target, 'config'), configText(options.objectFormat ?? 'sha1'));
  if (source !== null) {
    writeFileSync(path.join(target, 'objects/info/alternates'), `${path.join(source.common, 'objects')}\n`);
    copyState(source, target);
  }
  writeFileSync(path.join(target, 'info/exclude'), `/${harnessFolder}/\n${temporaryPrefix}*\n`, {
    flag: 'a',
  });
}

/** Copies branches and tags, possibly many thousand files, from `source`. */
export async function copyRefs(source: GitLayout, target: string): Promise<void> {
  copyIfThere(path.join(source.common, 'packed-refs'), path.join(target, 'packed-refs'));
  await cp(path.join(source.common, 'refs'), path.join(target, 'refs'), { recursive: true });
}
