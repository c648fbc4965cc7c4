import { execFileSync } from 'node:child_process';
import {
  closeSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ToolError } from '../../src/contract/errors.ts';
import type { ConfinedFiles } from '../../src/workspace/files/confined-files.ts';
import { createConfinedFiles } from '../../src/workspace/files/create-confined-files.ts';
import { explain } from '../../src/workspace/files/explain-error.ts';
import { errorCode } from '../../src/workspace/files/open-confined.ts';
import { put } from './repository.ts';

let base: string;
let root: string;
let spill: string;
let files: ConfinedFiles;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'anode-words-')));
  [root, spill] = [path.join(base, 'tree'), path.join(base, 'spill')];
  put(base, {
    'tree/src/main.ts': 'main\n',
    'tree/.git/config': '',
    'spill/bash-1.txt': 'x',
    'setup/0/pkg/index.js': 'made',
  });
  put(base, { 'outside/secret': 'secret' });
  files = createConfinedFiles({
    root,
    readOnlyRoots: [{ folder: spill, displayPath: spill }],
    overlays: () => [{ folder: path.join(base, 'setup/0'), mountPath: 'node_modules' }],
  });
});
afterEach(() => rmSync(base, { recursive: true }));

const at = (name: string) => path.join(root, name);
const told = async (call: () => unknown) => {
  try {
    return await call();
  } catch (error) {
    return error instanceof ToolError ? `${error.kind}: ${error.message}` : error;
  }
};
const write = (file: string, text: string | null = 'x') => ({
  path: file,
  content: text === null ? null : Buffer.from(text),
});
/** Counts what this process has open below the folder of the test. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => linkAt(`/proc/self/fd/${fd}`)?.startsWith(base) === true)
    .length;
const linkAt = (link: string): string | null => {
  try {
    return readlinkSync(link);
  } catch {
    // The descriptor was closed since, as the one of the list itself is.
    return null;
  }
};

test('a missing path is reported with similar paths below its root', async () => {
  put(root, { 'src/deep/one.md': '', 'a.ts': '' });
  expect([
    await told(() => files.read('src/mian.ts')),
    await told(() => files.read('scr/deep/one.md')),
    await told(() => files.read('src/depe/one.md')),
    await told(() => files.read(path.join(spill, 'bash-2.txt'))),
    await told(() => files.read('node_modules/pgk/index.js')),
    await told(() => files.read('.gi')),
    await told(() => files.read('b.ts')),
    await told(() => files.read('src/main.ts/x')),
    await told(() => files.list('srx')),
    await told(() => files.readLink('src/none')),
    await told(() => files.hold('nothing-like-it')),
    await told(() => files.write([write('none', null)])),
  ]).toEqual([
    'not_found: src/mian.ts does not exist. Near it: src/main.ts.',
    'not_found: scr/deep/one.md does not exist. Did you mean src/deep/one.md?',
    'not_found: src/depe/one.md does not exist. Did you mean src/deep/one.md?',
    `not_found: ${spill}/bash-2.txt does not exist. Near it: ${spill}/bash-1.txt.`,
    'not_found: node_modules/pgk/index.js does not exist. Did you mean node_modules/pkg/index.js?',
    'not_found: .gi does not exist.',
    'not_found: b.ts does not exist. Near it: a.ts.',
    'not_found: src/main.ts/x does not exist. Near it: src/main.ts.',
    'not_found: srx does not exist. Near it: src.',
    'not_found: src/none does not exist.',
    'not_found: nothing-like-it does not exist.',
    'not_found: none does not exist, so it cannot be deleted.',
  ]);
});

test('a missing path is reported with files of the same name, first those below the start folder', async () => {
  put(root, { 'sub/tool.py': '', 'sub/in/tool.py': '', 'other/in/tool.py': '', 'dist/only.py': '' });
  const started = createConfinedFiles({ root, readOnlyRoots: [], start: 'sub' });
  expect([
    started.missing('tool.py').message,
    started.missing('in/tool.py').message,
    files.missing('lib/in/tool.py').message,
    files.missing('only.py').message,
  ]).toEqual([
    'tool.py does not exist. Did you mean sub/tool.py or sub/in/tool.py or other/in/tool.py?',
    'in/tool.py does not exist. Did you mean sub/in/tool.py or sub/tool.py or other/in/tool.py?',
    'lib/in/tool.py does not exist. Did you mean other/in/tool.py or sub/in/tool.py or sub/tool.py?',
    'only.py does not exist.',
  ]);
});

test('a system error with a remedy becomes an error for the model', () => {
  const place = { root, relative: 'src/x', displayPath: 'src/x' };
  const words = (code: string) => {
    const cause = Object.assign(new Error(code), { code });
    const error = explain(cause, place);
    if (!(error instanceof ToolError)) return error === cause ? 'as it was' : error;
    return `${error.kind}: ${error.message}${error.cause === cause ? ' (caused)' : ''}`;
  };
  const forbidden = 'no_access: src/x may not be opened: its permissions forbid it. (caused)';
  const full = 'no_space: The disk is full: nothing was written to src/x. (caused)';
  expect(
    Object.fromEntries(
      [
        ...['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ENAMETOOLONG', 'ENOSPC', 'EDQUOT', 'EROFS', 'ENXIO'],
        ...['EISDIR', 'ELOOP', 'EIO'],
      ].map((code) => [code, words(code)]),
    ),
  ).toEqual({
    ENOENT: 'not_found: src/x does not exist. (caused)',
    ENOTDIR: 'not_found: src/x does not exist. (caused)',
    EACCES: forbidden,
    EPERM: forbidden,
    ENAMETOOLONG: 'invalid_input: A part of the path is longer than a file name may be. (caused)',
    ENOSPC: full,
    EDQUOT: full,
    EROFS: 'no_access: src/x may only be read: its file system forbids writing. (caused)',
    ENXIO: 'not_a_file: src/x is neither a file nor a directory; it is not read.',
    EISDIR: 'is_directory: src/x is a directory, not a file.',
    ELOOP: 'not_found: src/x goes through a loop of links. (caused)',
    EIO: 'as it was',
  });
  expect(explain('text', place)).toBe('text');
});

test('only a system error has a code', () => {
  const errors = [
    Object.assign(new Error(), { code: 'EIO' }),
    Object.assign(new Error(), { code: 5 }),
    new Error(),
    { code: 'EIO' },
    null,
  ];
  expect(errors.map(errorCode)).toEqual(['EIO', undefined, undefined, undefined, undefined]);
});

test('pipes, sockets, folders and overlong names cannot be read', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  const server = createServer();
  await new Promise<void>((listening) => server.listen(at('socket'), listening));
  symlinkSync('..', at('src/up'));
  symlinkSync('.', at('src/here'));
  const said = [
    await told(() => files.read('pipe')),
    await told(() => files.read('socket')),
    await told(() => files.hold('pipe')),
    await told(() => files.hold('socket')),
    await told(() => files.read('src')),
    await told(() => files.read('')),
    await told(() => files.read('src/up')),
    await told(() => files.read('src/here')),
    await told(() => files.read('x'.repeat(300))),
    await told(() => files.list('src/main.ts')),
    await told(() => files.readLink('src/main.ts')),
  ];
  await new Promise((closed) => server.close(closed));
  expect(said).toEqual([
    'not_a_file: pipe is neither a file nor a directory; it is not read.',
    'not_a_file: socket is neither a file nor a directory; it is not read.',
    'not_a_file: pipe is neither a file nor a directory; it is not read.',
    'not_a_file: socket is neither a file nor a directory; it is not read.',
    'is_directory: src is a directory, not a file.',
    'is_directory: The root is a directory, not a file.',
    'is_directory: src/up is a directory, not a file.',
    'is_directory: src/here is a directory, not a file.',
    'invalid_input: A part of the path is longer than a file name may be.',
    'not_a_directory: src/main.ts is not a directory, so it has no entries.',
    'not_found: src/main.ts is no link.',
  ]);
});

test('links are followed within the tree, relative to their folder, at most twenty in a row', async () => {
  symlinkSync('../src/main.ts', at('src/relative'));
  symlinkSync(at('src/main.ts'), at('absolute'));
  symlinkSync(path.join(base, 'outside'), at('out'));
  symlinkSync('main.ts', at('src/1'));
  for (let link = 2; link <= 21; link += 1) symlinkSync(`${link - 1}`, at(`src/${link}`));
  symlinkSync('loop', at('loop'));
  const read = (name: string) => told(async () => String((await files.read(name)).bytes));
  expect([
    ...[await read('src/relative'), await read('absolute'), await read('src/20'), await read('src/21')],
    ...[
      await read('out/secret'),
      await told(() => files.stat('loop/x')),
      await told(() => files.stat('out')),
    ],
    ...[
      await files.readLink('out'),
      await files.readLink('src/2'),
      await told(() => files.stat('out/secret')),
    ],
  ]).toEqual([
    ...['main\n', 'main\n', 'main\n'],
    'not_found: src/21 is a link that leads through more than 20 others.',
    'outside_workspace: out/secret leads outside the workspace through a link. Use paths inside it.',
    'not_found: loop/x goes through a loop of links.',
    { kind: 'symlink', size: path.join(base, 'outside').length, mode: 0o777 },
    ...[path.join(base, 'outside'), '1'],
    'outside_workspace: out/secret leads outside the workspace through a link. Use paths inside it.',
  ]);
});

test('a file is read up to 64 MiB, in one or several steps', async () => {
  const bytes = Buffer.from(Array.from({ length: 3 * 1024 * 1024 + 7 }, (_, index) => index % 251));
  for (const size of [1024 * 1024, bytes.length]) writeFileSync(at(`${size}`), bytes.subarray(0, size));
  const most = 64 * 1024 * 1024;
  put(root, { sparse: '', empty: '' });
  truncateSync(at('sparse'), most + 1);
  const read = async (name: string, cap?: number) => (await files.read(name, cap)).bytes;
  const sparse = await files.read('sparse');
  expect([
    (await read(`${1024 * 1024}`)).equals(bytes.subarray(0, 1024 * 1024)),
    (await read(`${bytes.length}`)).equals(bytes),
    (await read(`${bytes.length}`, 1024 * 1024 + 1)).equals(bytes.subarray(0, 1024 * 1024 + 1)),
    await read('src/main.ts', 0),
    await read('empty'),
    [sparse.bytes.length, sparse.size, (await files.read('sparse', most * 2)).bytes.length],
  ]).toEqual([true, true, true, Buffer.alloc(0), Buffer.alloc(0), [most, most + 1, most]]);
});

test('entries are listed by name and kind, sorted and without the git folder', async () => {
  execFileSync('mkfifo', [at('src/pipe')]);
  symlinkSync('main.ts', at('src/link'));
  put(root, { 'src/b/x': '', 'src/a': '', 'src/.GIT/x': '' });
  expect([
    await files.list('src'),
    await files.stat(''),
    await files.stat('src/pipe'),
    await files.stat('none/x'),
  ]).toEqual([
    [
      { name: 'a', kind: 'file' },
      { name: 'b', kind: 'directory' },
      { name: 'link', kind: 'symlink' },
      { name: 'main.ts', kind: 'file' },
      { name: 'pipe', kind: 'other' },
    ],
    { kind: 'directory', size: expect.any(Number), mode: 0o755 },
    { kind: 'other', size: 0, mode: 0o644 },
    null,
  ]);
  expect([await files.list('node_modules/pkg'), await told(() => files.list('src/a/x'))]).toEqual([
    [{ name: 'index.js', kind: 'file' }],
    'not_found: src/a/x does not exist. Did you mean src/b/x?',
  ]);
});

test('a refused change gives the reason and each path concerned', async () => {
  symlinkSync('nowhere', at('dangling'));
  symlinkSync('src', at('lib'));
  symlinkSync('main.ts', at('src/link'));
  execFileSync('mkfifo', [at('pipe')]);
  expect([
    await told(() => files.write([])),
    await told(() => files.write([write('')])),
    await told(() => files.write([write('a'), write('./a')])),
    await told(() => files.write([write('node_modules/pkg/index.js')])),
    await told(() => files.write([write(path.join(spill, 'bash-1.txt'))])),
    await told(() => files.write([write('.anode-harness/x')])),
    await told(() => files.write([write('src')])),
    await told(() => files.write([write('src', null)])),
    await told(() => files.write([write('src/main.ts/x')])),
    await told(() => files.write([write('lib/new')])),
    await told(() => files.write([write('dangling/x')])),
    await told(() => files.write([write('src/link')])),
    await told(() => files.write([write('pipe')])),
    await told(() => files.write([write('a'), write('x'.repeat(300))])),
    await told(() => files.write([write('a'), write('src/mian.ts', null)])),
    readdirSync(root).sort(),
  ]).toEqual([
    undefined,
    'is_directory: The root is a directory, not a file.',
    'invalid_input: a is written twice in one change.',
    'protected: node_modules/pkg/index.js was made by the set-up of this run and can only be read.',
    `outside_workspace: ${spill}/bash-1.txt lies outside the workspace. Use paths inside it.`,
    "protected: .anode-harness/x is the run's own, which tools do not write.",
    'is_directory: src is a directory, not a file.',
    'is_directory: src is a directory, not a file.',
    'not_a_directory: src/main.ts/x lies below something that is not a directory.',
    'symlink: lib/new goes through a link. Write to src/new instead.',
    'symlink: dangling is a link that leads nowhere. Delete it first.',
    'symlink: src/link is a link. Write to the file it leads to, or delete it first.',
    'not_a_file: pipe is neither a file nor a directory; it is left alone.',
    'invalid_input: A part of the path is longer than a file name may be.',
    'not_found: src/mian.ts does not exist, so it cannot be deleted.',
    ['.git', 'dangling', 'lib', 'pipe', 'src'],
  ]);
  await files.write([write('pipe', null), write('src/link', null)]);
  expect(readdirSync(root).sort()).toEqual(['.git', 'dangling', 'lib', 'src']);
});

test('an open file stays readable until it is closed, and other calls leave nothing open', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  put(root, { gone: 'x' });
  linkSync(at('src/main.ts'), at('other'));
  const before = openFiles();
  const [folder, file] = [files.hold('src'), files.hold('src/main.ts')];
  const held = [
    folder.kind,
    readdirSync(`/proc/self/fd/${folder.fd}`),
    file.kind,
    readFileSync(file.fd, 'utf8'),
  ];
  const during = openFiles();
  for (const { fd } of [folder, file]) closeSync(fd);
  for (const bad of ['pipe', 'none', 'src/none', 'src/main.ts/x', '.git/config', '../x'])
    for (const call of [
      () => files.read(bad),
      () => files.hold(bad),
      () => files.list(bad),
      () => files.readLink(bad),
      () => files.stat(bad),
    ])
      await told(call);
  await files.read('src/main.ts');
  await files.stat('src');
  await files.list('src');
  await files.write([write('a/b/c'), write('src/main.ts'), write('gone', null)]);
  await told(() => files.write([write('new/x'), write('none', null)]));
  await told(() => files.write([write('src/main.ts/x')]));
  expect([held, during - before, openFiles() - before]).toEqual([
    ['directory', ['main.ts'], 'file', 'main\n'],
    ...[2, 0],
  ]);
});
