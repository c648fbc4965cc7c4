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

/** The commit that is made on top of the newest one with this message. */
function commit(message: string): string {
  git(work, 'commit', '-q', '--allow-empty', '-m', message);
  return git(work, 'rev-parse', 'HEAD');
}

test('a commit of a run is seen between two commits, and no more once it is merged', async () => {
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
