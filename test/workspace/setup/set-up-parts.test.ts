import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFree, removeMountPoints } from '../../../src/workspace/setup/mount-points.ts';
import { watchDisk } from '../../../src/workspace/setup/run-setup.ts';
import { clearSetIdBits, copyTree } from '../../../src/workspace/setup/setup-folders.ts';
import { walkTree } from '../../../src/workspace/setup/walk-tree.ts';
import { put } from '../repository.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anode-parts-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const at = (path: string) => join(root, path);
const never = new AbortController().signal;

test('a mount point is free if it is missing or an empty folder, and no link leads to it', async () => {
  put(root, { 'full/x': '', file: '' });
  mkdirSync(at('empty/deep'), { recursive: true });
  symlinkSync('empty', at('link'));
  const places = [
    'none',
    'none/at/all',
    'empty/deep',
    'full/none',
    'empty',
    'full',
    'full/x',
    'file',
    'file/x',
    'link',
    'link/deep',
  ];
  const free = await Promise.all(places.map((place) => isFree(root, place)));
  expect(places.filter((_, index) => free[index])).toEqual([
    'none',
    'none/at/all',
    'empty/deep',
    'full/none',
  ]);
  await expect(isFree(root, 'x'.repeat(300))).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
});

test('removes empty mount points and their empty parent folders, and nothing else', async () => {
  for (const place of ['a/b/node_modules', 'c/node_modules', 'd/node_modules', 'outside/deep'])
    mkdirSync(at(place), { recursive: true });
  put(root, { 'c/x': '', 'full/node_modules/x': '' });
  symlinkSync('outside', at('link'));
  await removeMountPoints(root, [
    ...['x'.repeat(300), 'full/node_modules', 'link/deep', 'd/gone', 'a/b/node_modules', 'c/node_modules'],
  ]);
  expect(readdirSync(root, { recursive: true }).sort()).toEqual([
    ...['c', 'c/x', 'd', 'd/node_modules', 'full', 'full/node_modules', 'full/node_modules/x', 'link'],
    ...['link/deep', 'outside', 'outside/deep'],
  ]);
});

/** Lists the entries of a walk: folders end with a slash, and other kinds than files with `!`. */
async function walked(
  enter: (folder: string) => boolean = () => true,
): Promise<{ paths: string[]; cuts: number }> {
  const paths: string[] = [];
  let cuts = 0;
  for await (const { path, kind } of walkTree(root, enter, () => {
    cuts += 1;
  }))
    paths.push(`${path}${kind === 'folder' ? '/' : kind === 'file' ? '' : '!'}`);
  return { paths, cuts };
}

test('a walk lists everything in order without git folders, and follows no link', async () => {
  put(root, { 'b/y': '', 'b/x/z': '', 'a/1': '', 'c/.git/x': '', '.git/x': '', aa: '', 'deps/in': '' });
  symlinkSync('b', at('link'));
  expect(await walked((folder) => folder !== 'deps')).toEqual({
    paths: ['a/', 'aa', 'b/', 'c/', 'deps/', 'link!', 'a/1', 'b/x/', 'b/y', 'b/x/z'],
    cuts: 0,
  });
});

test('a walk goes 24 folders deep, and reports where it stops', async () => {
  put(root, { [`${'d/'.repeat(24)}file`]: '' });
  const whole = await walked();
  put(root, { [`${'d/'.repeat(25)}file`]: '' });
  const { paths, cuts } = await walked();
  expect([whole.paths.length, whole.paths.at(-1), whole.cuts, paths.length, paths.slice(-2), cuts]).toEqual([
    ...[25, `${'d/'.repeat(24)}file`, 0],
    ...[26, [`${'d/'.repeat(25)}`, `${'d/'.repeat(24)}file`], 1],
  ]);
  let count = 0;
  for await (const _ of walkTree(root, () => true)) count += 1;
  expect(count).toBe(26);
});

test('copies a tree with links and modes, except for git folders and our own', async () => {
  put(root, {
    ...{
      'from/a': 'a',
      'from/run': 'x',
      'from/.git/config': 'secret',
      'from/sub/.git': 'gitdir: x',
      'from/.gitignore': 'x',
    },
    ...{ 'from/.anode-harness/x': 'ours', 'from/sub/.anode-harness/x': 'theirs', 'from/-dash': 'x' },
  });
  symlinkSync('/etc/passwd', at('from/link'));
  chmodSync(at('from/run'), 0o4751);
  mkdirSync(at('to'));
  await copyTree(at('from'), at('to'), never);
  expect([
    readdirSync(at('to'), { recursive: true }).sort(),
    readlinkSync(at('to/link')),
    statSync(at('to/run')).mode & 0o7777,
  ]).toEqual([
    ['-dash', '.gitignore', 'a', 'link', 'run', 'sub', 'sub/.anode-harness', 'sub/.anode-harness/x'],
    ...['/etc/passwd', 0o4751],
  ]);
});

test('a copy that fails or is aborted rejects with the reason', async () => {
  mkdirSync(at('to'));
  await expect(copyTree(at('none'), at('to'), never)).rejects.toThrow(
    /^The checkout could not be copied for the set-up: tar: .*none: Cannot open: No such file or directory[\s\S]*\S$/,
  );
  await expect(copyTree(root, at('none'), never)).rejects.toThrow(/none: Cannot open/);
  await expect(copyTree(root, at('to'), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});

test('set-user-id and set-group-id bits are cleared, but not on link targets', async () => {
  put(root, { 'made/suid': '', 'made/deep/sgid': '', 'made/plain': '', outside: '', 'other/suid': '' });
  symlinkSync('../outside', at('made/link'));
  for (const [path, mode] of [
    ['made/suid', 0o4755],
    ['made/deep/sgid', 0o2750],
    ['made/deep', 0o2777],
    ['outside', 0o6755],
    ['other/suid', 0o6700],
    ['made/plain', 0o1644],
  ] as const)
    chmodSync(at(path), mode);
  await clearSetIdBits([at('made'), at('other')]);
  await clearSetIdBits([]);
  const modes = ['made/suid', 'made/deep/sgid', 'made/deep', 'outside', 'other/suid', 'made/plain'].map(
    (path) => statSync(at(path)).mode & 0o7777,
  );
  expect(modes).toEqual([0o755, 0o750, 0o777, 0o6755, 0o700, 0o1644]);
  await expect(clearSetIdBits([at('none')])).rejects.toThrow(
    new Error('The folders of the set-up cannot be searched.'),
  );
});

test('a disk limit that is exceeded is reported once, and otherwise never', async () => {
  const { bavail, bsize } = await statfs(root);
  const enough = { bytes: Number.MAX_SAFE_INTEGER, files: Number.MAX_SAFE_INTEGER, free: 0 };
  let [calm, ended] = [0, 0];
  const unwatch = await watchDisk(root, enough, () => {
    calm += 1;
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  await watchDisk(root, { ...enough, free: bavail * bsize * 2 }, () => {
    ended += 1;
    resolve();
  });
  const by = Promise.withResolvers<void>();
  await watchDisk(root, { ...enough, bytes: -Number.MAX_SAFE_INTEGER }, () => by.resolve());
  const files = Promise.withResolvers<void>();
  await watchDisk(root, { ...enough, files: -Number.MAX_SAFE_INTEGER }, () => files.resolve());
  await Promise.all([promise, by.promise, files.promise]);
  unwatch();
  expect([calm, ended]).toEqual([0, 1]);
});
