import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeTree } from '../../../src/workspace/files/remove-tree.ts';
import { hasOwnCommits } from '../../../src/workspace/git/review-history.ts';
import { git, repository, temporaryFolder } from '../repository.ts';

let base: string;
let work: string;
beforeAll(() => {
  base = temporaryFolder('own-commits');
  work = join(base, 'work');
  repository(work, { 'a.txt': 'one\n' });
});
afterAll(() => removeTree(base));

/** Makes a commit with this message on top of the newest one. */
function commit(message: string): string {
  git(work, 'commit', '-q', '--allow-empty', '-m', message);
  return git(work, 'rev-parse', 'HEAD');
}

test('finds a commit of a run between two commits, but not before the first', async () => {
  const place = { cwd: base, gitDirectory: join(work, '.git') };
  const first = commit('Say Anode-Run: in the manual');
  const second = commit('By hand');
  const byRun = commit('Mend it\n\nAnode-Run: run_1');
  const last = commit('By hand again');
  const pairs = [
    [first, second],
    [first, last],
    [byRun, last],
    [last, last],
  ] as const;
  const seen = [];
  for (const [from, to] of pairs) seen.push(await hasOwnCommits(place, from, to));
  expect(seen).toEqual([false, true, false, false]);
});
