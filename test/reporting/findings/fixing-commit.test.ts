import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { PreviousFinding } from '../../../src/contract/review-record.ts';
import { findFixingCommit } from '../../../src/reporting/findings/fixing-commit.ts';
import { contextOf, numbered } from '../../../src/reporting/findings/line-context.ts';
import { commitsOn, mergeBaseOf, readTextAt } from '../../../src/workspace/git/review-history.ts';
import { repositoryOf } from '../../checks/diff-fixture.ts';
import { git as run } from '../../workspace/repository.ts';

const text = Array.from({ length: 12 }, (_, index) => `let value${index} = read(${index});\n`).join('');
const known: PreviousFinding = {
  ...{
    id: 'f',
    path: 'a',
    side: 'RIGHT',
    line: 6,
    severity: 'high',
    category: 'bug',
    title: 't',
    check: null,
  },
  ...contextOf({ path: 'a', side: 'RIGHT', line: 6 }, { lines: () => numbered(text) }),
  ...{ state: 'open', run_id: 'r', dismissed_by: null, fixed: null },
};
const fixed = text.replace('read(5)', 'read(5) ?? 0');
const beside = text.replace('read(4)', 'guarded(4)');
const besideTwice = beside.replace('read(6)', 'guarded(6)');
const far = (of: string) => of.replace('read(11)', 'other(11)');

/** Commits on one line of history, the oldest first, with the text of the file in each. */
const fixedBy = (
  texts: readonly (string | null)[],
  more: Partial<PreviousFinding> & { readonly renamed?: ReadonlyMap<string, string> } = {},
) => {
  const { renamed = new Map(), ...change } = more;
  const at = (sha: string) => texts[Number(sha)] ?? null;
  const commits = texts.slice(1).map((_, index) => ({ sha: `${index + 1}`, parents: [`${index}`] }));
  return findFixingCommit({ ...known, ...change }, `${texts.length - 1}`, {
    readText: async (path, sha) => (path === 'a' ? at(sha) : null),
    commitsOf: async (paths) => (paths.includes('a') ? commits.toReversed() : []),
    renamed,
  });
};

test('names the commit that changed the lines, not a later one of the same file', async () => {
  expect(
    await Promise.all([
      fixedBy([text, fixed, far(fixed)]),
      fixedBy([text, far(text), far(fixed)]),
      fixedBy([text, fixed, text, far(text), far(fixed)]),
      fixedBy([text, far(text), null]),
      fixedBy([text, beside, far(beside)]),
    ]),
  ).toEqual(['1', '2', '4', '2', '1']);
});

test('names no commit if several changed the surrounding lines, or none did alone', async () => {
  expect(
    await Promise.all([
      fixedBy([text, beside, text, besideTwice]),
      fixedBy([fixed, far(fixed)]),
      fixedBy([text, far(text)]),
      fixedBy([text, fixed], { anchor: '' }),
      fixedBy([text]),
      fixedBy([text, fixed], { path: 'b' }),
    ]),
  ).toEqual([null, null, null, null, null, null]);
});

test('follows a renamed file, and names the commit that restored deleted lines', async () => {
  const renamed = new Map([['a', 'b']]);
  expect([
    await fixedBy([text, far(text), fixed], { path: 'b', renamed }),
    await fixedBy([fixed, far(fixed), far(text), text], { side: 'LEFT' }),
    await fixedBy([fixed, far(fixed)], { side: 'LEFT' }),
  ]).toEqual(['2', '2', null]);
});

test('finds the commit in a merged branch and in a rebased history, but not in an amended one', async () => {
  const { root, git, commits } = repositoryOf({ a: text }, { a: text, b: 'topic\n' });
  const [base = '', topic = ''] = commits;
  const blob = (content: string) => run(root, 'hash-object', '-w', '--', write(root, content));
  const commit = (content: string, other: string, ...parents: readonly string[]) => {
    run(root, 'read-tree', '--empty');
    run(root, 'update-index', '--add', '--cacheinfo', `100644,${blob(content)},a`);
    run(root, 'update-index', '--add', '--cacheinfo', `100644,${blob(other)},b`);
    const from = parents.flatMap((parent) => ['-p', parent]);
    return run(root, 'commit-tree', run(root, 'write-tree'), ...from, '-m', 'Change');
  };
  const find = async (head: string, seen = topic) =>
    findFixingCommit(known, head, {
      readText: (path, sha) => readTextAt(git, sha, path),
      commitsOf: async (paths) => commitsOn(git, await mergeBaseOf(git, seen, head), head, paths),
      renamed: new Map(),
    });
  const onMain = commit(fixed, 'main\n', base);
  const merged = commit(fixed, 'both\n', topic, onMain);
  const later = commit(far(fixed), 'both\n', merged);
  const own = commit(far(fixed), 'both\n', commit(far(text), 'x\n', topic), onMain);
  const rebased = commit(far(text), 'rebased\n', commit(text, 'first\n', base));
  const fix = commit(far(fixed), 'rebased\n', rebased);
  const amended = commit(far(fixed), 'x\n', commit(fixed, 'x\n', commit('none\n', 'x\n')));
  const resolved = commit(fixed, 'x\n', commit(far(text), 'x\n', topic), commit(beside, 'y\n', base));
  expect([
    await find(later),
    await find(own),
    await find(commit(fixed, 'end\n', fix)),
    await find(amended),
    await find(resolved),
  ]).toEqual([onMain, onMain, fix, null, resolved]);
});

function write(root: string, content: string): string {
  writeFileSync(path.join(root, 'content'), content);
  return 'content';
}
