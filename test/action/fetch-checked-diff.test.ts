import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchCheckedDiff } from '../../action/fetch-checked-diff.ts';
import { createOctokit } from '../../src/github/create-octokit.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type GitHub, startGitHub } from '../support/github/start-github.ts';

let github: GitHub;
let shop: RepositoryHandle;
beforeAll(async () => {
  github = await startGitHub();
  const files = { 'a.txt': 'one\ntwo\n', 'old.txt': 'moved\n'.repeat(20), 'gone.txt': 'gone\n' };
  shop = await github.createRepository('acme/shop', { files });
});
afterAll(() => github.close());

function fetched(number: number) {
  const token = github.createToken({
    actor: 'ada',
    permissions: { contents: 'read', pull_requests: 'read' },
  });
  const octokit = createOctokit({ apiUrl: github.apiUrl, token });
  return fetchCheckedDiff(octokit, { owner: 'acme', repo: 'shop', pull_number: number });
}

test('a change has both sides of each file, its modes, its sizes and its new lines', async () => {
  await shop.commit('changed', {
    files: {
      ...{ 'a.txt': 'one\nTWO\nthree\n', 'new.txt': 'moved\n'.repeat(20), 'old.txt': null, 'gone.txt': null },
      ...{
        'logo.bin': Buffer.from([0x7f, 0x45, 0, 1]),
        'package.json': '{}\n',
        'package-lock.json': '{ }\n',
      },
    },
    message: 'Change',
    author: 'ada',
  });
  const { number } = await shop.openPullRequest({ title: 'Change', head: 'changed', author: 'ada' });
  await shop.commit('main', { files: { 'later.txt': 'x\n' }, message: 'Later', author: 'ada' });
  const { diff, map, sha } = await fetched(number);
  const plain = { before: '100644', after: '100644' };
  expect({ sha, notes: diff.notes, neighbours: [...diff.neighbours] }).toEqual({
    ...{ sha: await shop.head('changed'), notes: [], neighbours: [['package-lock.json', '{ }\n']] },
  });
  expect(diff.files.filter(({ path }) => !path.startsWith('package'))).toEqual([
    {
      ...{ path: 'a.txt', oldPath: null, kind: 'modify', modes: plain, bytes: { before: 8, after: 14 } },
      ...{ before: 'one\ntwo\n', after: 'one\nTWO\nthree\n', binary: null, added: new Set([2, 3]) },
    },
    {
      ...{ path: 'gone.txt', oldPath: null, kind: 'delete', modes: { before: '100644', after: '000000' } },
      ...{ bytes: { before: 5, after: null }, before: 'gone\n', after: null, binary: null, added: new Set() },
    },
    {
      ...{ path: 'logo.bin', oldPath: null, kind: 'add', modes: { before: '000000', after: '100644' } },
      ...{ bytes: { before: null, after: 4 }, before: null, after: null, added: new Set() },
      binary: Buffer.from([0x7f, 0x45, 0, 1]),
    },
    {
      ...{
        path: 'new.txt',
        oldPath: 'old.txt',
        kind: 'rename',
        modes: plain,
        bytes: { before: 120, after: 120 },
      },
      ...{ before: 'moved\n'.repeat(20), after: 'moved\n'.repeat(20), binary: null, added: new Set() },
    },
  ]);
  expect(map.isLegal('a.txt', 'RIGHT', 3)).toBe(true);
});

test('a file of more than 1 MiB is only measured', async () => {
  const files = { 'large.txt': 'x'.repeat(1024 * 1024 + 1), 'small.txt': 'y\n' };
  await shop.commit('large', { files, message: 'Large', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Large', head: 'large', author: 'ada' });
  const { diff } = await fetched(number);
  expect(diff.files.map(({ path, bytes, after }) => [path, bytes.after, after])).toEqual([
    ['large.txt', 1024 * 1024 + 1, null],
    ['small.txt', 2, 'y\n'],
  ]);
});

test('of more than 200 files the rest is only measured, with a note', async () => {
  const names = Array.from({ length: 202 }, (_, index) => `many/${String(index).padStart(3, '0')}.txt`);
  const files = Object.fromEntries(names.map((name) => [name, 'x\n']));
  await shop.commit('many', { files, message: 'Many', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Many', head: 'many', author: 'ada' });
  const { diff } = await fetched(number);
  expect([
    diff.notes,
    diff.files.filter(({ after }) => after !== null).length,
    diff.files.at(-1)?.bytes,
  ]).toEqual([
    ['The checks looked into the first 200 of 202 changed files.'],
    ...[200, { before: null, after: 2 }],
  ]);
});
