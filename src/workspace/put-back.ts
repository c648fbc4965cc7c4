import { spawn } from 'node:child_process';
import { closeSync, lstatSync, renameSync, type Stats, symlinkSync, unlinkSync } from 'node:fs';
import * as path from 'node:path';
import { ToolError } from '../contract/errors.ts';
import { errorCode, type OpenDirectory, openDirectory, openEntryDirectory } from './open-confined.ts';
import type { OwnGit } from './own-git.ts';
import { runGit } from './run-git.ts';
import { openStagingFolder } from './staging-folder.ts';
import { createTargetFolders } from './target-folders.ts';
import { writeFiles } from './write-files.ts';

/** A path as a snapshot has it: git's mode and object; null for a path that it does not have. */
export interface KeptEntry {
  readonly path: string;
  readonly entry: { readonly mode: string; readonly object: string } | null;
}

/**
 * Makes paths of the work tree what a snapshot has of them: content, leave to execute, link, or nothing. What stands in
 * the way came after the snapshot, and goes. No link is followed, whatever is swapped meanwhile: every step is taken
 * from a folder that is open. Returns the paths that it did not come to. What is below folders that this empties stays.
 */
export async function putBack(root: string, git: OwnGit, kept: readonly KeptEntry[]): Promise<string[]> {
  const failed: string[] = [];
  for (const one of kept) {
    try {
      await putBackOne(root, git, one);
    } catch (error) {
      // What still runs may swap what was looked at, and disks are full: the next look tries again.
      if (!(error instanceof ToolError) && errorCode(error) === undefined && !isMissing(error)) throw error;
      failed.push(one.path);
    }
  }
  return failed;
}

async function putBackOne(root: string, git: OwnGit, { path: file, entry }: KeptEntry): Promise<void> {
  const found = await clearWay(root, file, entry);
  if (entry === null) return;
  if (entry.mode === '120000') {
    const { stdout } = await runGit(['cat-file', 'blob', entry.object], git);
    makeLink(root, file, stdout);
    return;
  }
  // As git would check it out, with the line endings that the tree's attributes want.
  const { stdout } = await runGit(['cat-file', '--filters', `--path=${file}`, entry.object], {
    ...git,
    cwd: root,
    workTree: root,
  });
  const executable = entry.mode === '100755' ? 0o111 : 0;
  const mode = ((found === null ? 0o644 : found.mode) & 0o666) | executable;
  await writeFiles(root, [{ path: file, content: stdout, mode }]);
}

/** Makes links anew: only regular files are ever written through the ledger. */
function makeLink(root: string, file: string, target: Buffer): void {
  const folders = createTargetFolders(root);
  try {
    const above = path.dirname(file);
    const parent = folders.open(above === '.' ? '' : above, file);
    symlinkSync(target, `${parent.folder}/${path.basename(file)}`);
  } finally {
    folders.close();
  }
}

/** Takes away what keeps a path from being written: returns the regular file that stands there, else null. */
async function clearWay(root: string, file: string, entry: KeptEntry['entry']): Promise<Stats | null> {
  const parts = file.split('/');
  const open: OpenDirectory[] = [openDirectory(root, root, file)];
  try {
    for (const [index, name] of parts.entries()) {
      const parent = open.at(-1);
      if (parent === undefined) return null;
      const at = `${parent.folder}/${name}`;
      const stats = lstatSync(at, { throwIfNoEntry: false });
      if (stats === undefined) return null;
      const last = index === parts.length - 1;
      if (!last && stats.isDirectory()) {
        open.push(openEntryDirectory(root, parent, name, file));
      } else if (last && stats.isDirectory()) {
        // A folder in place of a file; of a path that is to be nothing, it holds others.
        if (entry !== null) await removeFolder(parent, name);
        return null;
      } else if (last && stats.isFile() && entry !== null && entry.mode !== '120000') {
        return stats;
      } else {
        // Above a path that is to be nothing, somebody else's link or file is not in the way.
        if (last || entry !== null) unlinkSync(at);
        return null;
      }
    }
    return null;
  } finally {
    for (const { fd } of open) closeSync(fd);
  }
}

/** Moves a folder out of the way at once and deletes it step by step, as coreutils do, never following a link. */
async function removeFolder(parent: OpenDirectory, name: string): Promise<void> {
  const staging = openStagingFolder(parent);
  try {
    renameSync(`${parent.folder}/${name}`, `${staging.folder}/old`);
    const child = spawn(
      'rm',
      ['-rf', '--one-file-system', '--', `/proc/${process.pid}/fd/${staging.fd}/old`],
      { env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }, stdio: 'ignore' },
    );
    await new Promise<void>((settle, fail) => {
      child.on('error', fail);
      child.on('close', () => settle());
    });
  } finally {
    staging.close();
  }
}

/** Of a partial clone, git may not have the content. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('git cat-file ');
}
