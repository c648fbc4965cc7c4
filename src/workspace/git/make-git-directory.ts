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
 * Our own settings and nothing of the repository's: a filter, a textconv or a remote only exists through
 * configuration, so here attributes in the tree start nothing.
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

/** A file's state; null for what is missing, or is a link, which could lead to a file that is none of git's. */
function stateOf(file: string): Stats | null {
  try {
    const state = lstatSync(file);
    return state.isFile() ? state : null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Copies a file by reference where the file system can. A copy of a checkout that may only be read is ours to write. */
function copyWritable(from: string, to: string, { mode }: Stats): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  if ((mode & 0o200) === 0) chmodSync(to, (mode & 0o777) | 0o200);
}

/** Copies a file where there is one. */
function copyIfThere(from: string, to: string): void {
  const state = stateOf(from);
  if (state !== null) copyWritable(from, to, state);
}

/**
 * Copies the index with its time, in whole seconds: git takes a file as old as the index for possibly
 * changed since (git's technical notes, "Racy Git"), and would miss its change by a younger copy.
 */
function copyIndex(from: string, to: string): void {
  const before = stateOf(from);
  if (before === null) return;
  copyWritable(from, to, before);
  const seconds = Math.floor(before.mtimeMs / 1000);
  utimesSync(to, seconds, seconds);
}

/** The state of a work tree: its index (split ones have shared parts beside it), grafts of a shallow clone. */
function copyState(source: GitLayout, target: string): void {
  copyIndex(path.join(source.directory, 'index'), path.join(target, 'index'));
  copyIfThere(path.join(source.common, 'shallow'), path.join(target, 'shallow'));
  copyIfThere(path.join(source.common, 'info/exclude'), path.join(target, 'info/exclude'));
  const shared = readdirSync(source.directory).filter((name) => name.startsWith('sharedindex.'));
  for (const name of shared) copyIfThere(path.join(source.directory, name), path.join(target, name));
}

/**
 * Makes a git directory of our own at `target`, which must not exist: its own settings and object folder,
 * no hooks, no remotes. With `source` it starts from that repository's HEAD and index and borrows its objects
 * (`objects/info/alternates`), without its branches and tags. `head` is what HEAD holds: `ref: refs/heads/main`
 * or a commit. The source is only read. Synchronous, as a run waits for it before its first request:
 * through the thread pool each of its dozen small steps takes ten times as long.
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

/** Gives a git directory made of `source` its branches and tags, of which there may be many thousand files. */
export async function copyRefs(source: GitLayout, target: string): Promise<void> {
  copyIfThere(path.join(source.common, 'packed-refs'), path.join(target, 'packed-refs'));
  await cp(path.join(source.common, 'refs'), path.join(target, 'refs'), { recursive: true });
}
