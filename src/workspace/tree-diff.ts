import { isUtf8 } from 'node:buffer';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { OwnGit } from './own-git.ts';
import { parseRawDiff, type RawChange, splitPatch } from './raw-diff.ts';
import { runGit } from './run-git.ts';

export interface TreeDiff {
  readonly changes: readonly RawChange[];
  /** The text of each change's file, in the same order. */
  readonly patches: readonly string[];
  /** All of them: what `git apply` takes. */
  readonly patch: string;
}

const PLAIN = ['-r', '-M', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'];
const FULL = [...PLAIN, '-p', '--binary', '--full-index'];

/** Attributes of a git directory of ours stand above those of the tree (gitattributes): `!diff` leaves it to git what is text. */
export async function setDiffAttribute(git: OwnGit, value: '!diff' | '-diff'): Promise<void> {
  await mkdir(path.join(git.gitDirectory, 'info'), { recursive: true });
  await writeFile(path.join(git.gitDirectory, 'info/attributes'), `* ${value}\n`);
}

/**
 * What differs between two trees, by git: renames found as GitHub finds them (half the lines alike), binary
 * files in git's own base 85. So are files in another encoding than UTF-8, since a patch is a string here
 * and no byte may be lost. Attributes in the trees have no say.
 */
export async function diffTrees(git: OwnGit, from: string, to: string): Promise<TreeDiff> {
  const raw = await runGit(['diff-tree', ...PLAIN, '-z', '--raw', from, to], git);
  const changes = parseRawDiff(raw.stdout.toString('utf8'));
  if (changes.length === 0) return { changes, patches: [], patch: '' };
  await setDiffAttribute(git, '!diff');
  const { stdout } = await runGit(['diff-tree', ...FULL, from, to], git);
  if (isUtf8(stdout)) {
    const patch = stdout.toString('utf8');
    return { changes, patches: splitPatch(patch, changes), patch };
  }
  // One byte, one character: so each file's bytes are found again.
  const sections = splitPatch(stdout.toString('latin1'), changes);
  const patches: string[] = [];
  await setDiffAttribute(git, '-diff');
  for (const [index, change] of changes.entries()) {
    const bytes = Buffer.from(sections[index] ?? '', 'latin1');
    patches.push(isUtf8(bytes) ? bytes.toString('utf8') : await binaryPatch(git, from, to, change));
  }
  await setDiffAttribute(git, '!diff');
  return { changes, patches, patch: patches.join('') };
}

async function binaryPatch(git: OwnGit, from: string, to: string, change: RawChange): Promise<string> {
  const paths = change.oldPath === null ? [change.path] : [change.oldPath, change.path];
  const args = ['--literal-pathspecs', 'diff-tree', ...FULL, from, to, '--', ...paths];
  return (await runGit(args, git)).stdout.toString('utf8');
}

/** True for the patch of a file that git takes for binary. */
export function isBinaryPatch(patch: string): boolean {
  return /(?<=^|\n)(GIT binary patch|Binary files .* differ)(?=\n|$)/.test(patch);
}
