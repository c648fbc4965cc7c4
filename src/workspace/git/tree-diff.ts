import { isUtf8 } from 'node:buffer';
import { setDiffAttribute } from './own-attributes.ts';
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

const PLAIN = ['-r', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'];
const FULL = ['-p', '--binary', '--full-index'];
/** A larger file is shown as bytes (git-config, `core.bigFileThreshold`). */
const LARGE = ['-c', 'core.bigFileThreshold=8000000'];
/** So long git may look for what is alike; after that all is told as bytes, which takes time that grows with the bytes alone. */
const mostTextMs = 15_000;

/**
 * What differs between two trees, by git: renames found as GitHub finds them (half the lines alike), binary
 * files in git's own base 85. So are files in another encoding than UTF-8, since a patch is a string here
 * and no byte may be lost. Attributes in the trees have no say. Where finding that takes longer than `textMs`, all files are told as
 * binary, and a rename as a deletion and an addition.
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
  return { changes, patches: splitPatch(patch, changes), patch };
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
    return { changes, patches: splitPatch(patch, changes), patch };
  }
  // One byte, one character: so each file's bytes are found again.
  const sections = splitPatch(stdout.toString('latin1'), changes);
  const binary = splitPatch(await asBytes(git, [...options, ...FULL, from, to]), changes);
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

/** The patch with every file as binary. */
async function asBytes(git: Diffing, args: readonly string[]): Promise<string> {
  setDiffAttribute(git, '-diff');
  try {
    return (await runGit(['diff-tree', ...args], git)).stdout.toString('utf8');
  } finally {
    setDiffAttribute(git, '!diff');
  }
}

/** True for the patch of a file that git takes for binary. */
export function isBinaryPatch(patch: string): boolean {
  return /(?<=^|\n)(GIT binary patch|Binary files .* differ)(?=\n|$)/.test(patch);
}
