import { setDiffAttribute } from './own-attributes.ts';
import type { OwnGit } from './own-git.ts';
import { gitLine, runGit } from './run-git.ts';

/** Larger files are only named, as GitHub does with much smaller ones. */
const mostBytesOfFile = 8_000_000;
/** From here on the files are named without what changed in them: whoever opens a pull request says how much it is. */
const mostBytes = 64_000_000;

/**
 * What `head` changed since it left `base`, as a pull request shows it (GitHub Docs, "Three-dot and two-dot
 * Git diff comparisons"): renames found, binary and very large files only named. Attributes of the tree have no say, since with
 * them a change could hide itself from its reviewer. Both commits must be here, with the history
 * between them; without a common ancestor the two trees are compared.
 */
export async function diffBetween(place: OwnGit, base: string, head: string): Promise<string> {
  const from = await forkPoint(place, base, head);
  setDiffAttribute(place, '!diff');
  const options = ['-r', '-p', '-M', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'];
  const settings = ['-c', `core.bigFileThreshold=${mostBytesOfFile}`];
  const room = diffRoom(mostBytes);
  await runGit([...settings, 'diff-tree', ...options, from, head], { ...place, onOutput: room.take });
  return room.text();
}

/** Takes a diff piece by piece. Of files that begin after so many bytes only what stands above their hunks is kept. */
export function diffRoom(most: number): { take(chunk: Buffer): void; text(): string } {
  const kept: Buffer[] = [];
  let size = 0;
  let unended: Buffer = Buffer.alloc(0);
  let state: 'whole' | 'header' | 'hunks' = 'whole';
  const keep = (bytes: Buffer): void => {
    kept.push(Buffer.from(bytes));
    size += bytes.length;
  };
  const takeLine = (line: Buffer): void => {
    if (line.subarray(0, fileStart.length).equals(fileStart)) state = 'header';
    else if (state === 'header' && line.subarray(0, hunkStart.length).equals(hunkStart)) state = 'hunks';
    if (state !== 'hunks') keep(line);
  };
  return {
    take(chunk) {
      const all = Buffer.concat([unended, chunk]);
      const end = all.lastIndexOf(10) + 1;
      unended = all.subarray(end);
      const lines = all.subarray(0, end);
      if (size + lines.length <= most) keep(lines);
      else
        for (let at = 0, next = 0; at < lines.length; at = next) {
          next = lines.indexOf(10, at) + 1;
          if (state === 'whole' && size <= most) keep(lines.subarray(at, next));
          else takeLine(lines.subarray(at, next));
        }
    },
    text: () => Buffer.concat(state === 'hunks' ? kept : [...kept, unended]).toString('utf8'),
  };
}

const fileStart = Buffer.from('diff --git ');
const hunkStart = Buffer.from('@@ ');

/** The commit where `head` left `base`; `base` itself where the two have nothing in common. */
export async function forkPoint(place: OwnGit, base: string, head: string): Promise<string> {
  // Without a common ancestor git says nothing, and ends with 1.
  return (await gitLine(['merge-base', base, head], { ...place, accept: [1] })) || base;
}
