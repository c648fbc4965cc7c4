import { createHash } from 'node:crypto';
import {
  chmodSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createChangeLedger } from '../../../src/workspace/changes/create-change-ledger.ts';
import type { RunTrees } from '../../../src/workspace/changes/run-trees.ts';
import type { ConfinedFiles } from '../../../src/workspace/files/confined-files.ts';
import { git, put, repository } from '../repository.ts';
import { by, byBash, sha256, workspacePlace } from '../workspace-fixture.ts';

const place = workspacePlace();
const at = (file: string) => path.join(place.root, file);
const write = (file: string, text: string | null, mode?: number) => ({
  ...{ path: file, content: text === null ? null : Buffer.from(text) },
  ...(mode === undefined ? {} : { mode }),
});

/** The index of the before-images stored so far. */
const images = () =>
  readFileSync(path.join(place.runFolder, 'before/index.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

/** Adds the modes of plain files. */
const withModes = (one: { readonly before: string | null; readonly after: string | null }) => ({
  before_mode: one.before === null ? null : '100644',
  after_mode: one.after === null ? null : '100644',
  ...one,
});

test('each write of a tool is recorded with a before-image of each path', async () => {
  repository(place.root, { a: 'one\n', run: 'x\n', gone: 'gone\n', 'package.json': '{}' });
  chmodSync(at('run'), 0o755);
  const workspace = await place.open();
  const manifest = '{"dependencies":{"a":"1"}}';
  const changes = await workspace.changes.apply(
    [
      ...[
        write('./a', 'two\n'),
        write('new', 'new\n', 0o755),
        write('gone', null),
        write('run', 'x\n', 0o644),
      ],
      ...[write('package.json', manifest), write('sub/package.json', '{}')],
    ],
    by,
  );
  const entry = { validation: 'unchecked', tool: 'edit_file', call_id: 'call_1', risk: 'low' };
  expect(changes).toEqual(
    [
      {
        ...{ ...entry, path: 'a', kind: 'modify', before: sha256('one\n'), after: sha256('two\n') },
        diff: 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-one\n+two\n',
      },
      {
        ...{ ...entry, path: 'new', kind: 'add', before: null, after: sha256('new\n') },
        after_mode: '100755',
        diff: 'diff --git a/new b/new\nnew file mode 100755\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,1 @@\n+new\n',
      },
      {
        ...{ ...entry, path: 'gone', kind: 'delete', before: sha256('gone\n'), after: null },
        diff: 'diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone\n',
      },
      {
        ...{ ...entry, path: 'run', kind: 'modify', before: sha256('x\n'), after: sha256('x\n') },
        before_mode: '100755',
        diff: 'diff --git a/run b/run\nold mode 100755\nnew mode 100644\n',
      },
      {
        ...{ ...entry, path: 'package.json', kind: 'modify', before: sha256('{}'), after: sha256(manifest) },
        ...{ risk: 'high', diff: expect.stringContaining(`+${manifest}\n`) },
      },
      {
        ...{ ...entry, path: 'sub/package.json', kind: 'add', before: null, after: sha256('{}') },
        ...{ risk: 'high', diff: expect.stringContaining('+{}\n') },
      },
    ].map(withModes),
  );
  const image = { object: null, tool: 'edit_file', call_id: 'call_1' };
  expect(images()).toEqual([
    { ...image, path: 'a', before: sha256('one\n'), mode: 0o644 },
    { ...image, path: 'new', before: null, mode: null },
    { ...image, path: 'gone', before: sha256('gone\n'), mode: 0o644 },
    { ...image, path: 'run', before: sha256('x\n'), mode: 0o755 },
    { ...image, path: 'package.json', before: sha256('{}'), mode: 0o644 },
    { ...image, path: 'sub/package.json', before: null, mode: null },
  ]);
  expect(workspace.changes.changedPaths).toEqual(changes.map((change) => change.path));
});

test('a package.json has medium risk if only other fields change, by a tool or a command', async () => {
  const manifest = (version: number) => `{"version":${version},"dependencies":{"a":"1"}}`;
  repository(place.root, { 'package.json': manifest(1), 'b/package.json': manifest(1) });
  const workspace = await place.open();
  const written = await workspace.changes.apply([write('package.json', manifest(2))], by);
  put(place.root, { 'b/package.json': manifest(2), 'package.json': manifest(2).replace('"1"', '"2"') });
  const observed = await workspace.changes.observe(byBash);
  expect([...written, ...observed].map(({ path: file, risk }) => `${risk} ${file}`)).toEqual([
    'medium package.json',
    'medium b/package.json',
    'high package.json',
  ]);
});

test('each change of a command is recorded, and its before-images name objects of git', async () => {
  const long = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
  repository(place.root, { a: 'one\n', gone: 'gone\n', from: long, run: 'x\n', large: 'x\n' });
  const blob = (file: string) => git(place.root, 'rev-parse', `HEAD:${file}`);
  const [a, gone, from, run] = ['a', 'gone', 'from', 'run'].map(blob);
  const workspace = await place.open();
  await workspace.baseline();
  const many = 'y\n'.repeat(128 * 1024);
  put(place.root, { a: 'two\n', bin: Buffer.from([0, 1]), new: 'new\n', large: many });
  rmSync(at('gone'));
  renameSync(at('from'), at('to'));
  chmodSync(at('run'), 0o755);
  const changes = await workspace.changes.observe(byBash);
  const entry = { validation: 'unchecked', tool: 'bash', call_id: 'call_2', risk: 'low', kind: 'modify' };
  const none = '0'.repeat(40);
  const name = (text: string) => createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');
  expect(changes).toEqual(
    [
      {
        ...{ ...entry, path: 'a', before: sha256('one\n'), after: sha256('two\n') },
        diff: `diff --git a/a b/a\nindex ${a}..${name('two\n')} 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n`,
      },
      { ...entry, path: 'bin', kind: 'add', before: null, after: sha256('\0\u0001'), diff: '' },
      {
        ...{ ...entry, path: 'gone', kind: 'delete', before: sha256('gone\n'), after: null },
        diff: `diff --git a/gone b/gone\ndeleted file mode 100644\nindex ${gone}..${none}\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n`,
      },
      { ...entry, path: 'large', before: sha256('x\n'), after: sha256(many), diff: '' },
      {
        ...{ ...entry, path: 'new', kind: 'add', before: null, after: sha256('new\n') },
        diff: `diff --git a/new b/new\nnew file mode 100644\nindex ${none}..${name('new\n')}\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new\n`,
      },
      {
        ...{ ...entry, path: 'run', before: sha256('x\n'), after: sha256('x\n') },
        after_mode: '100755',
        diff: 'diff --git a/run b/run\nold mode 100644\nnew mode 100755\n',
      },
      {
        ...{
          ...entry,
          path: 'to',
          kind: 'rename',
          old_path: 'from',
          before: sha256(long),
          after: sha256(long),
        },
        diff: 'diff --git a/from b/to\nsimilarity index 100%\nrename from from\nrename to to\n',
      },
    ].map(withModes),
  );
  const image = { mode: 0o644, tool: 'bash', call_id: 'call_2' };
  expect(images()).toEqual([
    { ...image, path: 'a', before: sha256('one\n'), object: a },
    { ...image, path: 'bin', before: null, object: null, mode: null },
    { ...image, path: 'gone', before: sha256('gone\n'), object: gone },
    { ...image, path: 'large', before: sha256('x\n'), object: run },
    { ...image, path: 'new', before: null, object: null, mode: null },
    { ...image, path: 'run', before: sha256('x\n'), object: run },
    { ...image, path: 'from', before: sha256(long), object: from },
  ]);
  expect(workspace.changes.changedPaths).toEqual(['a', 'bin', 'gone', 'large', 'new', 'run', 'to', 'from']);
});

test('a rename pairs each added file with one deleted file of the same call and content', async () => {
  repository(place.root, { a: 'same\n', b: 'same\n', c: 'same\n', kept: 'kept\n', old: 'x\n' });
  const workspace = await place.open();
  const kinds = async (...writes: ReturnType<typeof write>[]) =>
    (await workspace.changes.apply(writes, by)).map(({ kind, path: file, old_path }) => [
      kind,
      file,
      old_path,
    ]);
  expect([
    await kinds(
      write('x', 'same\n'),
      write('a', null),
      write('y', 'same\n'),
      write('b', null),
      write('z', 'same\n'),
    ),
    await kinds(write('c', null), write('kept', 'same\n')),
    await kinds(write('old', null), write('new', 'kept\n')),
  ]).toEqual([
    [
      ['rename', 'x', 'a'],
      ['rename', 'y', 'b'],
      ['add', 'z', undefined],
    ],
    [
      ['delete', 'c', undefined],
      ['modify', 'kept', undefined],
    ],
    [
      ['delete', 'old', undefined],
      ['add', 'new', undefined],
    ],
  ]);
});

test('a change of a link is recorded by git, apart from earlier writes', async () => {
  repository(place.root, { a: 'one\n', b: 'b\n' });
  symlinkSync('a', at('link'));
  const workspace = await place.open();
  await workspace.changes.apply([write('a', 'two\n')], by);
  const changes = await workspace.changes.apply([write('link', null), write('b', 'c\n')], by);
  expect(changes.map(({ kind, path: file, before, tool }) => [kind, file, before, tool])).toEqual([
    ['modify', 'b', sha256('b\n'), 'edit_file'],
    ['delete', 'link', sha256('a'), 'edit_file'],
  ]);
  symlinkSync('b', at('link'));
  const [added] = await workspace.changes.observe(byBash);
  expect([added?.kind, added?.after, readlinkSync(at('link'))]).toEqual(['add', sha256('b'), 'b']);
});

test('a file too large to store is not written, and later writes are recorded correctly', async () => {
  repository(place.root, { a: 'one\n' });
  put(place.root, { large: '' });
  truncateSync(at('large'), 64 * 1024 * 1024 + 1);
  const workspace = await place.open();
  await expect(workspace.changes.apply([write('a', 'x\n'), write('large', 'x\n')], by)).rejects.toMatchObject(
    {
      kind: 'too_large',
      message: 'large has 67108865 bytes, too many to change with a file tool.',
    },
  );
  const changes = await workspace.changes.apply([write('a', 'two\n')], by);
  expect([changes.map(({ before }) => before), readFileSync(at('a'), 'utf8')]).toEqual([
    [sha256('one\n')],
    'two\n',
  ]);
  expect(workspace.changes.changedPaths).toEqual(['a']);
});

test('stores at most 32 MiB of writes in memory and moves more into git', async () => {
  const amended: string[][] = [];
  const trees = {
    baseline: async () => 'tree',
    adoptNames: async () => undefined,
    acceptNames: () => undefined,
    amend: async (files: readonly { path: string }[]) => {
      amended.push(files.map((file) => file.path));
      return 'tree';
    },
    latest: async () => 'tree',
    take: async () => 'tree',
  } as unknown as RunTrees;
  const files = {
    relative: (file: string) => file,
    stat: async () => null,
    write: async () => undefined,
  } as unknown as ConfinedFiles;
  const kept = { store: async () => '', record: async () => undefined };
  const ledger = createChangeLedger({ root: '/', files, trees, images: kept });
  const most = Buffer.alloc(16 * 1024 * 1024);
  const put16 = (file: string, content: Buffer | null) => ledger.apply([{ path: file, content }], by);
  await put16('a', most);
  await put16('b', most);
  await put16('a', most);
  await put16('none', null);
  const before = amended.length;
  await put16('c', Buffer.alloc(1));
  // The count restarts: 16 MiB more stay in memory.
  await put16('d', most);
  await put16('e', most);
  await ledger.observe(byBash);
  await ledger.observe(byBash);
  expect([before, amended]).toEqual([
    0,
    [
      ['a', 'b', 'none', 'c'],
      ['d', 'e'],
    ],
  ]);
});
