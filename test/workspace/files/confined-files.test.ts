import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConfinedFiles } from '../../../src/workspace/files/confined-files.ts';
import { createConfinedFiles } from '../../../src/workspace/files/create-confined-files.ts';

let base: string;
let root: string;
let spill: string;
let files: ConfinedFiles;

beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'anode-files-'));
  root = path.join(base, 'tree');
  spill = path.join(base, 'spill');
  mkdirSync(path.join(root, 'src'), { recursive: true });
  mkdirSync(path.join(root, '.git'));
  mkdirSync(spill);
  mkdirSync(path.join(base, 'outside'));
  writeFileSync(path.join(base, 'outside/secret.txt'), 'secret');
  writeFileSync(path.join(root, '.git/config'), '[core]\n');
  writeFileSync(path.join(root, 'src/main.ts'), 'main\n');
  writeFileSync(path.join(spill, 'bash-1.txt'), 'long output');
  files = createConfinedFiles({ root, readOnlyRoots: [{ folder: spill, displayPath: spill }] });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const text = (content: string) => Buffer.from(content);
const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: { kind?: string }) => error.kind ?? error,
  );

/** Every path below the root with its content or link target, without git's files. */
function tree(folder = root): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) Object.assign(found, tree(full));
    else if (entry.isSymbolicLink()) found[path.relative(root, full)] = `-> ${readlinkSync(full)}`;
    else found[path.relative(root, full)] = readFileSync(full, 'utf8');
  }
  return found;
}

test('every spelling of a path inside has one normal form', () => {
  const spellings = ['src/main.ts', './src/../src//main.ts', path.join(root, 'src/main.ts'), '', '.'];
  expect(spellings.map((one) => files.relative(one))).toEqual([
    'src/main.ts',
    'src/main.ts',
    'src/main.ts',
    '',
    '',
  ]);
  expect(files.relative(path.join(spill, 'bash-1.txt'))).toBe(path.join(spill, 'bash-1.txt'));
});

test('a file is read whole or up to a limit, with its size and mode', async () => {
  chmodSync(path.join(root, 'src/main.ts'), 0o755);
  expect(await files.read('src/main.ts')).toEqual({ bytes: text('main\n'), size: 5, mode: 0o755 });
  expect(await files.read('src/main.ts', 2)).toEqual({ bytes: text('ma'), size: 5, mode: 0o755 });
});

test('a read-only folder can be read but not written', async () => {
  const spilled = path.join(spill, 'bash-1.txt');
  expect((await files.read(spilled)).bytes.toString()).toBe('long output');
  expect(await kindOf(files.write([{ path: spilled, content: text('x') }]))).toBe('outside_workspace');
  expect(readFileSync(spilled, 'utf8')).toBe('long output');
});

test('every operation refuses a path that is written as leading outside', async () => {
  for (const bad of [
    '../outside/secret.txt',
    'src/../../outside/secret.txt',
    '/etc/passwd',
    '/proc/self/environ',
  ]) {
    const kinds = await Promise.all([
      kindOf(files.read(bad)),
      kindOf(files.stat(bad)),
      kindOf(files.list(bad)),
      kindOf(files.write([{ path: bad, content: text('x') }])),
      kindOf(files.write([{ path: bad, content: null }])),
    ]);
    expect([bad, ...kinds]).toEqual([bad, ...Array(5).fill('outside_workspace')]);
  }
  expect(await kindOf(files.read('a\0b'))).toBe('invalid_input');
});

test('links that lead outside are refused, and links that stay inside are read', async () => {
  symlinkSync('../outside', path.join(root, 'folder'));
  symlinkSync('../outside/secret.txt', path.join(root, 'file'));
  symlinkSync('/proc/self/environ', path.join(root, 'environ'));
  symlinkSync('src', path.join(root, 'lib'));
  symlinkSync('lib/main.ts', path.join(root, 'inner'));
  symlinkSync('loop', path.join(root, 'loop'));
  symlinkSync('.git/config', path.join(root, 'git-config'));
  expect({
    throughFolder: await kindOf(files.read('folder/secret.txt')),
    file: await kindOf(files.read('file')),
    environ: await kindOf(files.read('environ')),
    list: await kindOf(files.list('folder')),
    loop: await kindOf(files.read('loop')),
    gitConfig: await kindOf(files.read('git-config')),
    inner: (await files.read('inner')).bytes.toString(),
    innerFolder: (await files.read('lib/main.ts')).bytes.toString(),
    kind: (await files.stat('inner'))?.kind,
  }).toEqual({
    throughFolder: 'outside_workspace',
    file: 'outside_workspace',
    environ: 'outside_workspace',
    list: 'outside_workspace',
    loop: 'not_found',
    gitConfig: 'protected',
    inner: 'main\n',
    innerFolder: 'main\n',
    kind: 'symlink',
  });
});

test('nothing is written through a link, even one that stays inside', async () => {
  symlinkSync('../outside', path.join(root, 'folder'));
  symlinkSync('src', path.join(root, 'lib'));
  symlinkSync('src/main.ts', path.join(root, 'main'));
  symlinkSync('nowhere', path.join(root, 'dangling'));
  const before = tree();
  const write = (target: string) => kindOf(files.write([{ path: target, content: text('x') }]));
  expect([
    await write('folder/new.txt'),
    await write('lib/new.txt'),
    await write('main'),
    await write('dangling/new.txt'),
  ]).toEqual(['outside_workspace', 'symlink', 'symlink', 'symlink']);
  expect(tree()).toEqual(before);
  expect(readdirSync(path.join(base, 'outside'))).toEqual(['secret.txt']);
});

test('deleting a link does not delete its target', async () => {
  symlinkSync('../outside/secret.txt', path.join(root, 'file'));
  await files.write([{ path: 'file', content: null }]);
  expect(tree()).toEqual({ 'src/main.ts': 'main\n' });
  expect(readFileSync(path.join(base, 'outside/secret.txt'), 'utf8')).toBe('secret');
});

test("git's files and the run's own folder are protected at any depth, in any letter case", async () => {
  mkdirSync(path.join(root, 'sub/.git'), { recursive: true });
  const disguised = [
    '.g\u200cit/x',
    '.git\ufeff',
    '.git./x',
    '.git /x',
    '.git::$INDEX_ALLOCATION/x',
    'sub\\.git\\x',
  ];
  for (const own of [
    '.git/config',
    '.GIT/config',
    'sub/.git/hooks/x',
    'git~1/config',
    '.git',
    ...disguised,
  ]) {
    const write = files.write([{ path: own, content: text('x') }]);
    expect([own, await kindOf(files.read(own)), await kindOf(write)]).toEqual([
      own,
      'protected',
      'protected',
    ]);
  }
  for (const ours of ['.anode-harness/x', '.Anode-Harness/x', 'src/.anode-tmp-1/x']) {
    expect(await kindOf(files.write([{ path: ours, content: text('x') }]))).toBe('protected');
  }
  for (const other of ['.gitignore', '.github/x', 'a.git/x', '.git2', 'digit']) {
    expect([other, await kindOf(files.write([{ path: other, content: text('x') }]))]).toEqual([
      other,
      'no error',
    ]);
    rmSync(path.join(root, other));
  }
  rmSync(path.join(root, '.github'), { recursive: true });
  rmSync(path.join(root, 'a.git'), { recursive: true });
  expect(await files.list('')).toEqual([
    { name: 'src', kind: 'directory' },
    { name: 'sub', kind: 'directory' },
  ]);
});

test('a FIFO does not block a read and is not replaced by a write', async () => {
  execFileSync('mkfifo', [path.join(root, 'pipe')]);
  expect(await kindOf(files.read('pipe'))).toBe('not_a_file');
  expect(await kindOf(files.write([{ path: 'pipe', content: text('x') }]))).toBe('not_a_file');
  expect(await files.stat('pipe')).toMatchObject({ kind: 'other' });
});

test('a missing file is reported with similar names', async () => {
  await expect(files.read('src/mian.ts')).rejects.toThrow(
    'src/mian.ts does not exist. Near it: src/main.ts.',
  );
  await expect(files.read('scr/main.ts')).rejects.toThrow(
    'scr/main.ts does not exist. Did you mean src/main.ts?',
  );
  await expect(files.read('src/main.js')).rejects.toThrow('Near it: src/main.ts.');
  await expect(files.read('src/main.ts/x')).rejects.toMatchObject({ kind: 'not_found' });
  await expect(files.list('src/main.ts')).rejects.toMatchObject({ kind: 'not_a_directory' });
  await expect(files.read('src')).rejects.toMatchObject({ kind: 'is_directory' });
  expect(await files.stat('nothing/here')).toBeNull();
});

test('a write of several files makes parent folders, preserves modes and deletes', async () => {
  writeFileSync(path.join(root, 'run.sh'), 'old');
  chmodSync(path.join(root, 'run.sh'), 0o755);
  writeFileSync(path.join(root, 'gone.txt'), 'gone');
  await files.write([
    { path: 'gone.txt', content: null },
    { path: 'run.sh', content: text('new') },
    { path: 'deep/er/file.txt', content: text('deep') },
    { path: './tool', content: text('#!/bin/sh\n'), mode: 0o755 },
  ]);
  expect(tree()).toEqual({
    'src/main.ts': 'main\n',
    'run.sh': 'new',
    'deep/er/file.txt': 'deep',
    tool: '#!/bin/sh\n',
  });
  const modes = ['run.sh', 'deep/er/file.txt', 'tool'].map(
    (name) => statSync(path.join(root, name)).mode & 0o777,
  );
  expect(modes).toEqual([0o755, 0o644, 0o755]);
});

test('if one of several writes is refused, none is made and no folder remains', async () => {
  const before = tree();
  const writes = (last: { path: string; content: Buffer | null }) => [
    { path: 'src/main.ts', content: text('changed') },
    { path: 'made/new.txt', content: text('new') },
    last,
  ];
  expect(await kindOf(files.write(writes({ path: 'src', content: text('x') })))).toBe('is_directory');
  expect(await kindOf(files.write(writes({ path: 'none.txt', content: null })))).toBe('not_found');
  expect(await kindOf(files.write(writes({ path: 'src/main.ts/x', content: text('x') })))).toBe(
    'not_a_directory',
  );
  expect(await kindOf(files.write(writes({ path: './src/main.ts', content: null })))).toBe('invalid_input');
  expect(tree()).toEqual(before);
  expect(readdirSync(root).sort()).toEqual(['.git', 'src']);
});

test('a folder that is swapped for a link never lets a read or write outside', async () => {
  const swapper = spawn(
    process.execPath,
    [
      '-e',
      `const fs = require('fs'); process.chdir(${JSON.stringify(root)});
       const lay = () => {
         for (const name of ['swap', 'aside', 'link']) fs.rmSync(name, { recursive: true, force: true });
         fs.mkdirSync('swap'); fs.writeFileSync('swap/secret.txt', 'inside'); fs.symlinkSync('../outside', 'link');
       };
       lay();
       process.stdout.write('ready');
       for (let round = 0; round < 1e6; round += 1) {
         try {
           fs.renameSync('swap', 'aside'); fs.renameSync('link', 'swap');
           fs.renameSync('swap', 'link'); fs.renameSync('aside', 'swap');
         } catch { try { lay(); } catch {} } // A write made a folder in between: start over.
       }`,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const closed = once(swapper, 'close');
  await once(swapper.stdout, 'data');
  const seen = new Set<string>();
  for (let attempt = 0; attempt < 700; attempt += 1) {
    seen.add(
      await files.read('swap/secret.txt').then(
        ({ bytes }) => bytes.toString(),
        () => 'refused',
      ),
    );
    await files.write([{ path: 'swap/new.txt', content: text('x') }]).catch(() => {});
  }
  swapper.kill();
  await closed;
  expect(seen).not.toContain('secret');
  expect(seen).toContain('refused');
  expect(readdirSync(path.join(base, 'outside'))).toEqual(['secret.txt']);
});
