import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreChanges } from '../../../src/pipeline/prepare/restore-changes.ts';
import { makeOwnGit } from '../../../src/workspace/git/own-git.ts';
import { samplePlan } from '../../reporting/samples.ts';
import { savedSession } from '../../webhooks/decide-fixture.ts';
import { git, put, repository, temporaryFolder } from '../../workspace/repository.ts';

const lines = (first: string, last: string) =>
  `${first}\n${Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('')}${last}\n`;

let base: string;
let work: string;
let from: string;
let patch: string;
let checkouts = 0;

beforeAll(() => {
  base = temporaryFolder('restore');
  work = path.join(base, 'work');
  repository(work, { 'a.txt': lines('a', 'z'), 'b.txt': lines('a', 'z'), 'c.txt': 'c\n' });
  from = git(work, 'rev-parse', 'HEAD');
  put(work, { 'a.txt': lines('ours', 'z'), 'b.txt': lines('ours', 'z'), 'new.txt': 'new\n' });
  git(work, 'add', '-A');
  patch = `${git(work, 'diff', '--cached', '--binary', from)}\n`;
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** What the model is told, and the files as they are then, where others changed some on the branch. */
async function restore(theirs: Readonly<Record<string, string>>, before = from) {
  git(work, 'reset', '-q', '--hard', from);
  git(work, 'clean', '-fdq');
  git(work, 'switch', '-q', '--detach', from);
  put(work, theirs);
  git(work, 'add', '-A');
  git(work, 'commit', '-q', '--allow-empty', '-m', 'Theirs');
  const sha = Object.keys(theirs).length === 0 ? from : git(work, 'rev-parse', 'HEAD');
  const directory = path.join(work, '.git');
  checkouts += 1;
  const own = makeOwnGit({ directory, common: directory }, path.join(base, `own-${checkouts}.git`));
  const plan = samplePlan();
  const note = await restoreChanges(
    savedSession({ patch, base_sha: before }),
    { ...plan, checkout: { ...plan.checkout, sha } },
    { git: own, root: work, remove: async () => {} },
  );
  const first = (name: string) => readFileSync(path.join(work, name), 'utf8').split('\n')[0];
  return [note?.replaceAll(sha, 'HEAD').replaceAll(from, 'FROM') ?? null, first('a.txt'), first('b.txt')];
}

const moved = 'Since your last turn the branch moved from FROM to HEAD; read files again before you edit.';
const all =
  'Your earlier changes are all in this new checkout: a.txt, b.txt, new.txt. Files that git ignores are not.';

test('changes are restored if the branch did not move', async () => {
  expect(await restore({})).toEqual([all, 'ours', 'ours']);
});

test('a run without changes is told only how the pull request ended since', async () => {
  const plan = samplePlan();
  const { sha, base_ref } = plan.checkout;
  const ended = { merged: { sha: 'f00d' }, base_head: sha };
  const own = { cwd: work, gitDirectory: path.join(work, '.git') };
  expect(
    await restoreChanges(
      savedSession({ patch: '', base_sha: sha }),
      { ...plan, ended },
      { git: own, root: work, remove: async () => {} },
    ),
  ).toBe(
    `The pull request was merged into ${base_ref} as f00d; origin/${base_ref} is the current head of ${base_ref}. Nothing is committed to its branch: your changed files are posted as a patch.`,
  );
});

test('changes are merged with those that the branch got, and the note names the branch’s', async () => {
  const note = `${moved}\nWhat came changes a.txt, c.txt.\n${all}`;
  expect(await restore({ 'a.txt': lines('a', 'theirs'), 'c.txt': 'theirs\n' })).toEqual([
    note,
    'ours',
    'ours',
  ]);
  expect(readFileSync(path.join(work, 'a.txt'), 'utf8')).toBe(lines('ours', 'theirs'));
});

test('a file that conflicts has the branch’s text, and the note contains the earlier change', async () => {
  const [note, ...files] = await restore({ 'a.txt': lines('theirs', 'z'), 'b.txt': lines('ours', 'z') });
  expect(files).toEqual(['theirs', 'ours']);
  expect(note?.split('\n').slice(0, 5)).toEqual([
    moved,
    'What came changes a.txt, b.txt.',
    'Of your earlier changes these are back in the work tree: new.txt.',
    'The branch has these of your changes already: b.txt.',
    'Your earlier changes to these files conflict with the branch and are not in the work tree: a.txt. They were:',
  ]);
  expect(note).toContain('-a\n+ours');
});

test('changes without conflicts are restored also if the earlier commit does not exist any more', async () => {
  const gone = '0123456789'.repeat(4);
  const [note, ...files] = await restore({ 'a.txt': lines('theirs', 'z') }, gone);
  expect(files).toEqual(['theirs', 'ours']);
  expect(note?.split('\n').slice(0, 3)).toEqual([
    moved.replace('FROM', gone),
    'Of your earlier changes these are back in the work tree: b.txt, new.txt.',
    'Your earlier changes to these files conflict with the branch and are not in the work tree: a.txt. They were:',
  ]);
});
