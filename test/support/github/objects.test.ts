import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeCommit, writeTree } from './git/commit.ts';
import { git } from './git/git.ts';
import { loadApi } from './protocol/api.ts';
import { type GitHub, startGitHub } from './start-github.ts';

let github: GitHub;
beforeAll(async () => {
  github = await startGitHub({ api: loadApi() });
});
afterAll(() => github.close());

it('writes the same trees and commits as git', async () => {
  await github.createRepository('acme/shop', { files: { 'a.txt': '1\n', 'a/b': '2\n', 'a-b/c/d': '3\n' } });
  const { directory } = github.repository('acme/shop').repository;
  const tree = await writeTree(directory, 'refs/heads/main', [
    { path: 'a', content: Buffer.from('a file for a folder') },
    { path: 'a.txt/below', content: Buffer.from('a folder for a file') },
    { path: 'a-b/c/d', content: null },
    { path: 'ü/run me', content: Buffer.from('#!/bin/sh\n'), mode: '100755' },
    { path: 'never/there', content: null },
  ]);
  const listing = await git(directory, ['ls-tree', '-r', '-z', tree]);
  const env = { GIT_INDEX_FILE: `${directory}/own-index` };
  await git(directory, ['update-index', '-z', '--index-info'], {
    env,
    input: listing.replaceAll(' blob', ''),
  });
  const head = await github.repository('acme/shop').head('main');
  const commit = await writeCommit(directory, {
    tree,
    parents: [head ?? '', head ?? ''],
    message: 'Subject\n\nBody ✓\n\n',
    author: { name: " Ada 'Lovelace'. ", email: '1+ada[bot]@example.com', date: '2026-01-02T03:04:05+05:30' },
    committer: { name: 'Git <Hub>', email: ' hub@example.com ', date: '2026-01-02T03:04:05.6Z' },
  });
  const input = await git(directory, ['cat-file', 'commit', commit]);
  const made = await git(directory, ['commit-tree', tree, '-p', head ?? '', '-F', '-'], {
    input: 'Subject\n\nBody ✓\n\n',
    env: {
      GIT_AUTHOR_NAME: " Ada 'Lovelace'. ",
      GIT_AUTHOR_EMAIL: '1+ada[bot]@example.com',
      GIT_AUTHOR_DATE: '2026-01-02T03:04:05+05:30',
      GIT_COMMITTER_NAME: 'Git <Hub>',
      GIT_COMMITTER_EMAIL: ' hub@example.com ',
      GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
    },
  });
  expect({
    tree: await git(directory, ['write-tree'], { env }),
    commit: made,
    faults: await git(directory, ['fsck', '--strict', '--no-dangling', '--no-progress']),
    names: listing.split('\0').map((line) => line.replace(/ blob \w+\t/, ' ')),
    tip: input.split('\n').slice(-3),
  }).toEqual({
    tree,
    commit,
    faults: '',
    names: ['100644 a', '100644 a.txt/below', '100755 ü/run me', ''],
    tip: ['', 'Body ✓', ''],
  });
});

it('caches only immutable responses', async () => {
  const shop = await github.createRepository('acme/kept');
  const before = await shop.head('main');
  const ask = () => shop.git('rev-list', '--count', 'refs/heads/main');
  const first = await ask();
  const after = await shop.commit('main', { files: { b: 'b\n' }, message: 'B', author: 'ada' });
  expect([first, await ask(), await shop.git('rev-list', `${before}..${after}`)]).toEqual(['1', '2', after]);
  await expect(shop.git('cat-file', 'blob', 'f'.repeat(40))).rejects.toThrow('git cat-file failed');
});
