import { isUtf8 } from 'node:buffer';
import { setDiffAttribute } from './own-attributes.ts';
import type { OwnGit } from './own-git.ts';
import { parseRawDiff, type RawChange, splitByChange } from './raw-diff.ts';
import { runGit } from './run-git.ts';

export interface TreeDiff {
  readonly changes: readonly RawChange[];
  /** Patch text per change, in the same order. */
  readonly patches: readonly string[];
  /** Whole patch, as `git apply` takes it. */
  readonly patch: string;
}

const PLAIN = ['-r', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'];
const FULL = ['-p', '--binary', '--full-index'];
/** Larger files are binary in a diff (git-config, `core.bigFileThreshold`). */
const LARGE = ['-c', 'core.bigFileThreshold=8000000'];
/** Milliseconds for a text diff. After that all files are binary, in time linear in their bytes. */
const mostTextMs = 15_000;

/**
 * Returns git's difference between two trees. Renames are detected as on GitHub (half of the lines
 * equal). Binary files are in git's base 85; so are files that are not UTF-8, since a patch is a
 * string and must lose no byte. Attributes of the trees are ignored. After `textMs` all files are
 * treated as binary, and renames as deletion and addition.
 */
export async function diffTrees(
  git: OwnGit,
  from: string,
  to: string,
  textMs: number = mostTextMs,
): Promise<TreeDiff> {
  const signal = AbortSignal.timeout(textMs);
  try {
    return await textDiff({ ...git, signal }, from, to);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const options = [...PLAIN, '--no-renames'];
  const changes = await changesOf(git, [...options, '-z', '--raw', from, to]);
  const patch = await asBytes(git, [...options, ...FULL, from, to]);
  return { changes, patches: splitByChange(patch, changes), patch };
}

type Diffing = OwnGit & { readonly signal?: AbortSignal };

async function textDiff(git: Diffing, from: string, to: string): Promise<TreeDiff> {
  const options = [...PLAIN, '-M'];
  const changes = await changesOf(git, [...options, '-z', '--raw', from, to]);
  if (changes.length === 0) return { changes, patches: [], patch: '' };
  setDiffAttribute(git, '!diff');
  const { stdout } = await runGit([...LARGE, 'diff-tree', ...options, ...FULL, from, to], git);
  if (isUtf8(stdout)) {
    const patch = stdout.toString('utf8');
    return { changes, patches: splitByChange(patch, changes), patch };
  }
  // One character per byte (Latin-1), so that each file's bytes can be recovered.
  const sections = splitByChange(stdout.toString('latin1'), changes);
  const binary = splitByChange(await asBytes(git, [...options, ...FULL, from, to]), changes);
  const patches = sections.map((section, index) => {
    const bytes = Buffer.from(section, 'latin1');
    return isUtf8(bytes) ? bytes.toString('utf8') : (binary[index] ?? '');
  });
  return { changes, patches, patch: patches.join('') };
}

async function changesOf(git: Diffing, args: readonly string[]): Promise<RawChange[]> {
  const { stdout } = await runGit([...LARGE, 'diff-tree', ...args], git);
  return parseRawDiff(stdout.toString('latin1'));
}

/** Returns the patch with every file as binary. */
async function asBytes(git: Diffing, args: readonly string[]): Promise<string> {
  setDiffAttribute(git, '-diff');
  try {
    return (await runGit(['diff-tree', ...args], git)).stdout.toString('utf8');
  } finally {
    setDiffAttribute(git, '!diff');
  }
}

/** True for the patch of a binary file. */
export function isBinaryPatch(patch: string): boolean {
  return /(?<=^|\n)(GIT binary patch|Binary files .* differ)(?=\n|$)/.test(patch);
}
