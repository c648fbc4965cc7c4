import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { diffBetween, limitDiff } from '../../../src/workspace/git/diff-between.ts';
import { makeOwnGit } from '../../../src/workspace/git/own-git.ts';
import { git, put, repository, temporaryFolder } from '../repository.ts';

const base = temporaryFolder('diff-between');
afterAll(() => rmSync(base, { recursive: true, force: true }));

test('attributes cannot hide a change from review, and a very large file is only named', async () => {
  const work = path.join(base, 'work');
  repository(work, { 'a.js': 'one\n', 'large.txt': 'small\n' });
  const from = git(work, 'rev-parse', 'HEAD');
  put(work, {
    '.gitattributes': '* -diff\n*.js binary\n',
    'a.js': 'two\n',
    'large.txt': 'x\n'.repeat(4_000_001),
  });
  git(work, 'add', '-A');
  git(work, 'commit', '-q', '-m', 'Two');
  const directory = path.join(work, '.git');
  const own = makeOwnGit({ directory, common: directory }, path.join(work, 'own.git'));
  const diff = await diffBetween(own, from, git(work, 'rev-parse', 'HEAD'));
  expect(diff.split('\n').filter((line) => /^(diff|Binary|[-+](?!--|\+\+))/.test(line))).toEqual([
    'diff --git a/.gitattributes b/.gitattributes',
    '+* -diff',
    '+*.js binary',
    'diff --git a/a.js b/a.js',
    '-one',
    '+two',
    'diff --git a/large.txt b/large.txt',
    'Binary files a/large.txt and b/large.txt differ',
  ]);
});

test.each([
  1, 7, 1000,
])('files beyond the size limit are named without lines, in pieces of %i bytes', (size) => {
  const file = (name: string) =>
    `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-@@ diff --git\n+ü${name}\n`;
  const whole = Buffer.from([file('one'), file('two'), file('three')].join(''));
  const named = (name: string) => file(name).split('@@')[0];
  const cut = (most: number) => {
    const room = limitDiff(most);
    for (let at = 0; at < whole.length; at += size) room.take(whole.subarray(at, at + size));
    return room.text();
  };
  expect([cut(1_000), cut(10)]).toEqual([whole.toString(), `${file('one')}${named('two')}${named('three')}`]);
});
