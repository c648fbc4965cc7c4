import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './source-tree.ts';

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
// A shallow clone has no more than the merge that GitHub made for a pull request.
const shallow = git('rev-parse', '--is-shallow-repository').trim() === 'true';

test.skipIf(shallow)('the subjects of the newest 50 commits have at most 72 characters', () => {
  const subjects = git('log', '-50', '--no-merges', '--format=%s').trim().split('\n');
  expect(subjects.filter((subject) => subject.length > 72)).toEqual([]);
});
