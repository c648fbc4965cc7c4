import { brokerGit } from './broker-git.ts';
import type { OwnGit } from './own-git.ts';
import { gitText } from './run-git.ts';

/** Longer files are not looked into: findings on them are known by the lines of the diff. */
const longestText = 1024 * 1024;

/** A file's text at a commit, up to 1 MiB; null where there is none, or what is there is no text. */
export async function readTextAt(place: OwnGit, sha: string, path: string): Promise<string | null> {
  if (!isTreePath(path)) return null;
  const entry = await gitText(
    ['--literal-pathspecs', 'ls-tree', '-l', '--full-tree', sha, '--', path],
    place,
  );
  // gitrepository-layout has no name for it, but 100 is a regular file, 120 a link, 160 a submodule.
  const [, object, size] = /^100\d+ blob ([0-9a-f]+) +(\d+)\t/.exec(entry) ?? [];
  if (object === undefined || Number(size) > longestText) return null;
  const text = await gitText(['cat-file', 'blob', object], place);
  return text.includes('\0') ? null : text;
}

/** False for what no tree can have, and git would end with an error for: a model may name any path. */
function isTreePath(path: string): boolean {
  return !path.includes('\0') && path.length <= 4_096 && !/^\/|\/$|(?:^|\/)\.\.?(?:\/|$)/.test(path);
}

/** The newest 50 commits after `base` up to `head` that touched a file, newest first. */
export async function commitsOn(
  place: OwnGit,
  base: string,
  head: string,
  path: string,
): Promise<readonly string[]> {
  if (!isTreePath(path)) return [];
  const range = ['--format=%H', '--max-count=50', `${base}..${head}`];
  const text = await brokerGit(place).raw(['--literal-pathspecs', 'log', ...range, '--', path]);
  return text.split('\n').filter((line) => line !== '');
}

/** The headlines of the newest 20 commits after `base` up to `head`, newest first, without merges: strangers' words. */
export async function headlinesBetween(
  place: OwnGit,
  base: string,
  head: string,
): Promise<readonly string[]> {
  const range = ['--no-merges', '--format=%s', '--max-count=20', `${base}..${head}`];
  return (await brokerGit(place).raw(['log', ...range, '--']))
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** Where two commits parted; the first itself where they share nothing. */
export async function mergeBaseOf(place: OwnGit, base: string, head: string): Promise<string> {
  return (await brokerGit(place).raw(['merge-base', base, head])).trim() || base;
}

/** Names that files have in `to`, by those they had in `from`. */
export async function renamedBetween(
  place: OwnGit,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, string>> {
  const options = ['-r', '-M', '-z', '--name-status', '--diff-filter=R'];
  const fields = (await brokerGit(place).raw(['diff-tree', ...options, from, to])).split('\0');
  const names = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) names.set(fields[at + 1] ?? '', fields[at + 2] ?? '');
  return names;
}
