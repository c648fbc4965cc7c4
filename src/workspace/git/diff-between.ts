import { setDiffAttribute } from './own-attributes.ts';
import type { OwnGit } from './own-git.ts';
import { gitLine, runGit } from './run-git.ts';

/** Larger files are only named; GitHub's limit is much lower. */
const mostBytesOfFile = 8_000_000;
/**
 * Beyond this size, files are named without their hunks: the author of a pull request controls its
 * size.
 */
const mostBytes = 64_000_000;

/**
 * Returns the diff of `head` since it left `base`, as a pull request shows it (GitHub Docs,
 * "Three-dot and two-dot Git diff comparisons"). Renames are detected; binary and very large files
 * are only named. Attributes of the tree are ignored: a change could hide itself with them. Both
 * commits must be present with the history between them. Without a common ancestor, the two trees
 * are compared.
 */
export async function diffBetween(git: OwnGit, base: string, head: string): Promise<string> {
  const from = await forkPoint(git, base, head);
  setDiffAttribute(git, '!diff');
  const options = ['-r', '-p', '-M', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'];
  const settings = ['-c', `core.bigFileThreshold=${mostBytesOfFile}`];
  const limited = limitDiff(mostBytes);
  await runGit([...settings, 'diff-tree', ...options, from, head], { ...git, onOutput: limited.take });
  return limited.text();
}

/**
 * Collects a diff in chunks. For files that begin after `most` bytes, only the lines above their
 * hunks are stored.
 */
export function limitDiff(most: number): { take(chunk: Buffer): void; text(): string } {
  const stored: Buffer[] = [];
  let size = 0;
  let unended: Buffer = Buffer.alloc(0);
  let state: 'whole' | 'header' | 'hunks' = 'whole';
  const store = (bytes: Buffer): void => {
    stored.push(Buffer.from(bytes));
    size += bytes.length;
  };
  const takeLine = (line: Buffer): void => {
    if (line.subarray(0, fileStart.length).equals(fileStart)) state = 'header';
    else if (state === 'header' && line.subarray(0, hunkStart.length).equals(hunkStart)) state = 'hunks';
    if (state !== 'hunks') store(line);
  };
  return {
    take(chunk) {
      const all = Buffer.concat([unended, chunk]);
      const end = all.lastIndexOf(10) + 1;
      unended = all.subarray(end);
      const lines = all.subarray(0, end);
      if (size + lines.length <= most) store(lines);
      else
        for (let at = 0, next = 0; at < lines.length; at = next) {
          next = lines.indexOf(10, at) + 1;
          if (state === 'whole' && size <= most) store(lines.subarray(at, next));
          else takeLine(lines.subarray(at, next));
        }
    },
    text: () => Buffer.concat(state === 'hunks' ? stored : [...stored, unended]).toString('utf8'),
  };
}

const fileStart = Buffer.from('diff --git ');
const hunkStart = Buffer.from('@@ ');

/** Returns the commit where `head` left `base`; `base` itself without a common ancestor. */
export async function forkPoint(git: OwnGit, base: string, head: string): Promise<string> {
  // Without a common ancestor git prints nothing and exits with 1.
  return (await gitLine(['merge-base', base, head], { ...git, accept: [1] })) || base;
}
