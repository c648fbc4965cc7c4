import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chownTree } from '../../../src/workspace/files/chown.ts';
import { openDirectory } from '../../../src/workspace/files/open-confined.ts';
import { openStagingFolder } from '../../../src/workspace/files/staging-folder.ts';
import { createTargetFolders } from '../../../src/workspace/files/target-folders.ts';
import { writeFiles } from '../../../src/workspace/files/write-files.ts';
import { put } from '../repository.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'anode-staging-')));
});
afterEach(() => rmSync(root, { recursive: true }));

const at = (name: string) => path.join(root, name);
const text = (content: string) => Buffer.from(content);
const modeOf = (name: string) => statSync(at(name)).mode & 0o7777;
/** Counts what this process has open below the folder of the test. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => linkAt(`/proc/self/fd/${fd}`)?.startsWith(root) === true)
    .length;
const linkAt = (link: string): string | null => {
  try {
    return readlinkSync(link);
  } catch {
    // The descriptor was closed since, as the one of the list itself is.
    return null;
  }
};

test('a staging folder is invisible to git, private, and removed with its files', () => {
  const before = openFiles();
  const host = openDirectory(root, root, '');
  const staging = openStagingFolder(host);
  const [name = ''] = readdirSync(root);
  writeFileSync(`${staging.folder}/0`, 'new');
  const seen = [
    name,
    readdirSync(at(name)),
    readFileSync(at(`${name}/.git/0`), 'utf8'),
    modeOf(name),
    modeOf(`${name}/.git`),
  ];
  const folder = staging.folder === `/proc/self/fd/${staging.fd}`;
  staging.close();
  closeSync(host.fd);
  expect([seen, folder, readdirSync(root), openFiles() - before]).toEqual([
    [expect.stringMatching(/^\.anode-tmp-[0-9a-f]{16}$/), ['.git'], 'new', 0o700, 0o700],
    ...[true, [], 0],
  ]);
});

test('leaves a staging folder that contains a folder, without an error', () => {
  const host = openDirectory(root, root, '');
  const staging = openStagingFolder(host);
  const [name = ''] = readdirSync(root);
  mkdirSync(at(`${name}/.git/theirs`));
  staging.close();
  closeSync(host.fd);
  expect(readdirSync(at(name))).toEqual(['.git']);
});

test('removes staging folders of killed writes after an hour, but no files, links or other names', () => {
  put(root, { '.anode-tmp-old/.git/0': 'half', '.anode-tmp-young/.git/0': 'half', '.anode-tmp-file': 'x' });
  put(root, {
    '.anode-tmp-theirs/.git/0': 'half',
    '.anode-tmp-theirs/other': 'x',
    'x.anode-tmp-old/.git/0': 'x',
  });
  mkdirSync(at('.anode-tmp-bare'));
  symlinkSync('x.anode-tmp-old', at('.anode-tmp-link'));
  const now = Date.now() / 1000;
  const old = [
    '.anode-tmp-old',
    '.anode-tmp-file',
    '.anode-tmp-theirs',
    '.anode-tmp-bare',
    'x.anode-tmp-old',
  ];
  for (const name of old) utimesSync(at(name), now - 3_601, now - 3_601);
  utimesSync(at('.anode-tmp-young'), now - 3_500, now - 3_500);
  const before = openFiles();
  const host = openDirectory(root, root, '');
  openStagingFolder(host).close();
  closeSync(host.fd);
  expect([readdirSync(root).sort(), readdirSync(at('.anode-tmp-theirs')), openFiles() - before]).toEqual([
    ['.anode-tmp-file', '.anode-tmp-link', '.anode-tmp-theirs', '.anode-tmp-young', 'x.anode-tmp-old'],
    ...[['other'], 0],
  ]);
});

test('target folders are made if missing, opened once, and removed again if empty', () => {
  mkdirSync(at('there'));
  const before = openFiles();
  const folders = createTargetFolders(root);
  const deep = folders.open('there/new/deep', 'there/new/deep/x');
  const same = folders.open('there/new/deep', 'there/new/deep/y');
  folders.open('other', 'other/x');
  const around = folders.aroundMade().map(({ relative }) => relative);
  const staging = folders.staging(deep);
  const [shown, made] = [readdirSync(root).length, existsSync(at('there/new/deep'))];
  put(root, { 'other/theirs': 'x' });
  folders.removeMade();
  const again = folders.staging(same) === staging;
  folders.close();
  expect([deep === same, deep.relative, around, shown, made, again]).toEqual([
    ...[true, 'there/new/deep', ['there', 'there/new', ''], 3, true, true],
  ]);
  expect([readdirSync(root).sort(), readdirSync(at('there')), openFiles() - before]).toEqual([
    ...[['other', 'there'], [], 0],
  ]);
});

test('many files are written in groups, with the requested modes', async () => {
  const names = Array.from({ length: 130 }, (_, index) => `d${index % 3}/f${index}`);
  const before = openFiles();
  await writeFiles(
    root,
    names.map((name) => ({ path: name, content: text(name) })),
  );
  chmodSync(at('d0/f0'), 0o640);
  const large = Buffer.from(Array.from({ length: 3 * 1024 * 1024 + 5 }, (_, index) => index % 253));
  const exact = large.subarray(0, 1024 * 1024);
  await writeFiles(root, [
    { path: 'd0/f0', content: text('new') },
    { path: 'd1/f1', content: text('new'), mode: 0o7751 },
    { path: 'large', content: large },
    { path: 'exact', content: exact },
    { path: 'empty', content: Buffer.alloc(0) },
  ]);
  expect(names.slice(2).filter((name) => readFileSync(at(name), 'utf8') !== name)).toEqual([]);
  expect(['d0', 'd0/f0', 'd1/f1', 'd1/f4', 'empty'].map(modeOf)).toEqual([0o755, 0o640, 0o751, 0o644, 0o644]);
  expect([
    readFileSync(at('large')).equals(large),
    readFileSync(at('exact')).equals(exact),
    openFiles() - before,
  ]).toEqual([...[true, true, 0]]);
});

test('every kind of write is reverted if a later one fails', async () => {
  put(root, { changed: 'old', gone: 'old', mode: 'old', b: 'old' });
  chmodSync(at('mode'), 0o751);
  const before = openFiles();
  const writing = writeFiles(root, [
    { path: 'changed', content: text('new') },
    { path: 'mode', content: text('new'), mode: 0o600 },
    { path: 'made/deep/new', content: text('new') },
    { path: 'gone', content: null },
    { path: 'b', content: null },
  ]);
  rmSync(at('b'));
  mkdirSync(at('b'));
  await expect(writing).rejects.toMatchObject({ code: expect.stringMatching(/^(EISDIR|EPERM)$/) });
  expect([
    readdirSync(root).sort(),
    ...['changed', 'gone', 'mode'].map((name) => readFileSync(at(name), 'utf8')),
    ...[modeOf('mode'), openFiles() - before],
  ]).toEqual([['b', 'changed', 'gone', 'mode'], ...['old', 'old', 'old'], 0o751, 0]);
});

test('files that cannot be reverted are named with the reason', async () => {
  put(root, { b: 'old' });
  // A new file that is written twice can be removed only once.
  const writing = writeFiles(
    root,
    ['m', 'm', 'n', 'n', 'b'].map((name) => ({ path: name, content: name === 'b' ? null : text('new') })),
  );
  rmSync(at('b'));
  mkdirSync(at('b'));
  await expect(writing).rejects.toMatchObject({
    message: 'A change failed, and could not be reverted in n, m.',
    cause: { code: expect.stringMatching(/^(EISDIR|EPERM)$/) },
  });
  expect(readdirSync(root)).toEqual(['b']);
});

test.runIf(process.getuid?.() === 0)(
  'changes the owner of everything in a folder, but not of link targets',
  async () => {
    put(root, { 'folder/deep/file': 'x', outside: 'x' });
    symlinkSync('../outside', at('folder/link'));
    await chownTree(at('folder'), 1234, 1235);
    expect(
      ['folder', 'folder/deep', 'folder/deep/file', 'outside'].map((name) => [
        statSync(at(name)).uid,
        statSync(at(name)).gid,
      ]),
    ).toEqual([...Array(3).fill([1234, 1235]), [0, 0]]);
    chownSync(at('folder'), 0, 0);
  },
);
