import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Rebased, rebaseChanges } from '../../../src/workspace/changes/rebase-changes.ts';
import { makeOwnGit, type OwnGit } from '../../../src/workspace/git/own-git.ts';
import { git, put, repository, temporaryFolder } from '../repository.ts';

const lines = (...changed: readonly [number, string][]): string =>
  Array.from(
    { length: 30 },
    (_, index) => changed.find(([line]) => line === index + 1)?.[1] ?? `line ${index + 1}`,
  )
    .join('\n')
    .concat('\n');

let base: string;
let work: string;
let own: OwnGit;
let from: string;

beforeAll(async () => {
  base = temporaryFolder('rebase');
  work = path.join(base, 'work');
  repository(work, { 'a.txt': lines(), 'run.sh': 'echo\n', 'src/b.txt': lines() });
  from = git(work, 'rev-parse', 'HEAD');
  const directory = path.join(work, '.git');
  own = makeOwnGit({ directory, common: directory }, path.join(base, 'own.git'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Makes another author's commit on top of the first one. */
function commit(change: () => void): string {
  git(work, 'switch', '-q', '--detach', from);
  change();
  git(work, 'add', '-A');
  git(work, 'commit', '-q', '--allow-empty', '-m', 'Theirs');
  return git(work, 'rev-parse', 'HEAD');
}

const patchOf = (change: () => void): string => `${git(work, 'diff', '--binary', from, commit(change))}\n`;

const brief = (rebased: Rebased) =>
  rebased.kind === 'clean'
    ? rebased.changes.files.map(({ path: name, kind, mode, content }) => [
        name,
        kind,
        mode,
        content === null ? null : Buffer.from(content, 'base64').toString(),
      ])
    : rebased.kind;

test('merges with changes elsewhere in the file, in another file and in a renamed one', async () => {
  const patch = patchOf(() => put(work, { 'a.txt': lines([2, 'ours']) }));
  const onto = (change: () => void) => rebaseChanges({ git: own, from, patch, onto: commit(change) });
  expect([
    brief(await onto(() => put(work, { 'a.txt': lines([25, 'theirs']) }))),
    brief(await onto(() => put(work, { 'new.txt': 'x\n' }))),
    brief(await onto(() => git(work, 'mv', 'a.txt', 'moved.txt'))),
  ]).toEqual([
    [['a.txt', 'modify', '100644', lines([2, 'ours'], [25, 'theirs'])]],
    [['a.txt', 'modify', '100644', lines([2, 'ours'])]],
    [['moved.txt', 'modify', '100644', lines([2, 'ours'])]],
  ]);
});

test('another change of the line, file or type is a conflict, and the same change is not', async () => {
  const patch = patchOf(() => put(work, { 'a.txt': lines([2, 'ours']) }));
  const onto = async (change: () => void) =>
    (await rebaseChanges({ git: own, from, patch, onto: commit(change) })).kind;
  expect([
    await onto(() => put(work, { 'a.txt': lines([2, 'theirs']) })),
    await onto(() => rmSync(path.join(work, 'a.txt'))),
    await onto(() => {
      rmSync(path.join(work, 'a.txt'));
      symlinkSync('run.sh', path.join(work, 'a.txt'));
    }),
    await onto(() => put(work, { 'a.txt': lines([2, 'ours'], [20, 'theirs']) })),
  ]).toEqual(['conflict', 'conflict', 'conflict', 'same']);
});

test('a new file stays at its path when its folder was renamed, and modes are preserved', async () => {
  const patch = patchOf(() => {
    put(work, { 'src/new.yml': 'ours\n' });
    chmodSync(path.join(work, 'run.sh'), 0o755);
  });
  const moved = commit(() => git(work, 'mv', 'src', 'workflows'));
  expect(brief(await rebaseChanges({ git: own, from, patch, onto: moved }))).toEqual([
    ['run.sh', 'modify', '100755', 'echo\n'],
    ['src/new.yml', 'add', '100644', 'ours\n'],
  ]);
});

test('starts no driver, filter or hook of the repository', async () => {
  const witness = path.join(base, 'witness');
  const patch = patchOf(() => put(work, { 'a.txt': lines([2, 'ours']) }));
  const onto = commit(() =>
    put(work, {
      'a.txt': lines([25, 'theirs']),
      '.gitattributes': '*.txt merge=evil filter=evil diff=evil\n',
      '.gitconfig': `[merge "evil"]\n\tdriver = touch ${witness}\n`,
    }),
  );
  git(work, 'config', 'merge.evil.driver', `touch ${witness}`);
  git(work, 'config', 'filter.evil.smudge', `touch ${witness}`);
  const rebased = await rebaseChanges({ git: own, from, patch, onto });
  git(work, 'config', '--remove-section', 'merge.evil');
  git(work, 'config', '--remove-section', 'filter.evil');
  expect([rebased.kind, existsSync(witness)]).toEqual(['clean', false]);
});

test('a patch that does not fit its base commit is a defect', async () => {
  const patch = patchOf(() => put(work, { 'a.txt': lines([2, 'ours']) })).replaceAll('line', 'other');
  await expect(rebaseChanges({ git: own, from, patch, onto: from })).rejects.toThrow('does not fit');
});
