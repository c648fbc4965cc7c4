import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Change } from '../../../src/contract/change.ts';
import { createBeforeImages } from '../../../src/workspace/changes/before-images.ts';
import { changesOfCalls } from '../../../src/workspace/changes/changes-of-calls.ts';
import { restoreRun } from '../../../src/workspace/changes/restore-run.ts';
import { contentOf, storedImages } from '../../../src/workspace/changes/stored-images.ts';
import { createConfinedFiles } from '../../../src/workspace/files/create-confined-files.ts';
import { git, put, repository } from '../repository.ts';
import { base64, sha256 } from '../workspace-fixture.ts';

let base: string;
let root: string;
let folder: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'anode-restore-')));
  [root, folder] = [path.join(base, 'tree'), path.join(base, 'run')];
  for (const one of [root, folder]) mkdirSync(one);
});
afterEach(() => rmSync(base, { recursive: true }));

const at = (file: string) => path.join(root, file);

/** The ledger's entry for a change of a file from one text to another. Null means no file. */
function change(file: string, before: string | null, after: string | null, oldPath?: string): Change {
  const kind = before === null ? 'add' : after === null ? 'delete' : 'modify';
  return {
    ...{
      path: file,
      kind: oldPath === undefined ? kind : 'rename',
      diff: '',
      risk: 'low',
      validation: 'unchecked',
    },
    ...{ before: before && sha256(before), after: after && sha256(after), tool: 't', call_id: 'c' },
    ...(oldPath === undefined ? {} : { old_path: oldPath }),
  };
}

/** Stores before-images: as a file, or in git if an object is named. */
async function keep(
  images: readonly { path: string; before: string; mode: number | null; object?: string }[],
) {
  const kept = createBeforeImages(path.join(folder, 'before'));
  for (const { path: file, before, mode, object = null } of images) {
    if (object === null) await kept.store(Buffer.from(before));
    await kept.record([{ path: file, before: sha256(before), object, mode, tool: 't', call_id: 'c' }]);
  }
}

const restore = (
  changes: readonly Change[],
  options: { requestedPath?: string; force?: boolean; dryRun?: boolean } = {},
) =>
  restoreRun({
    ...{ folder, changes, root, files: createConfinedFiles({ root, readOnlyRoots: [] }) },
    ...{ requestedPath: '', force: false, dryRun: false, ...options },
  });

const tree = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => `${path.relative(root, file)}: ${readFileSync(file, 'utf8')}`)
    .sort();

test('restores texts and modes, removes new files and writes deleted ones', async () => {
  put(root, { 'src/a': 'after', new: 'new', same: 'as before', to: 'moved' });
  await keep([
    { path: 'src/a', before: 'first', mode: 0o755 },
    { path: 'gone', before: 'gone', mode: null },
    { path: 'from', before: 'moved', mode: 0o600 },
  ]);
  const changes = [
    ...[change('src/a', 'first', 'second'), change('src/a', 'second', 'after'), change('new', null, 'new')],
    ...[
      change('gone', 'gone', null),
      change('same', 'as before', 'x'),
      change('to', 'moved', 'moved', 'from'),
    ],
  ];
  const expected = [
    { path: 'src/a', action: 'written back' },
    { path: 'new', action: 'removed' },
    { path: 'gone', action: 'written back' },
    { path: 'same', action: 'as it was' },
    { path: 'from', action: 'written back' },
    { path: 'to', action: 'removed' },
  ];
  const before = tree();
  expect([await restore(changes, { dryRun: true }), tree()]).toEqual([expected, before]);
  expect([await restore(changes), tree()]).toEqual([
    expected,
    ['from: moved', 'gone: gone', 'same: as before', 'src/a: first'],
  ]);
  expect(['src/a', 'gone', 'from'].map((file) => statSync(at(file)).mode & 0o777)).toEqual([
    0o755, 0o644, 0o600,
  ]);
});

test('leaves files changed later, other kinds of file, unknown contents and paths not requested', async () => {
  put(root, { 'src/a': 'by a person', 'src/b/x': 'x', c: 'after', d: 'after', srcs: 'after' });
  symlinkSync('c', at('link'));
  await keep(
    ['src/a', 'src/b', 'link', 'd', 'srcs'].map((file) => ({ path: file, before: 'first', mode: 0o644 })),
  );
  put(folder, { [`before/${sha256('other')}`]: 'not what its name says' });
  const changes = [
    ...[
      change('src/a', 'first', 'after'),
      change('src/b', 'first', 'after'),
      change('link', 'first', 'after'),
    ],
    ...[change('c', 'lost', 'after'), change('d', 'other', 'after'), change('srcs', 'first', 'after')],
  ];
  const left = (file: string, reason: string) => ({ path: file, action: 'left', reason });
  expect(await restore(changes)).toEqual([
    left('src/a', 'it was changed after the run'),
    left('src/b', 'it was changed after the run'),
    left('link', 'it was changed after the run'),
    left('c', 'its earlier content is not stored here'),
    left('d', 'its earlier content is not stored here'),
    { path: 'srcs', action: 'written back' },
  ]);
  expect(await restore(changes, { requestedPath: 'src', force: true })).toEqual([
    { path: 'src/a', action: 'written back' },
    left('src/b', "a folder with src/b/x is in its place, which is not the run's"),
  ]);
  expect(tree()).toEqual(['c: after', 'd: after', 'src/a: first', 'src/b/x: x', 'srcs: first']);
});

test('a content is read from its file or from git, and only if its hash matches', async () => {
  const trees = path.join(base, 'repository');
  repository(trees, { a: 'one' });
  const object = git(trees, 'rev-parse', 'HEAD:a');
  const image = { path: 'a', before: sha256('one'), object, mode: 0o644 };
  const without = await contentOf(sha256('one'), image, folder);
  git(base, 'clone', '-q', '--bare', trees, path.join(folder, 'trees.git'));
  put(folder, { [`before/${sha256('file')}`]: 'file', [`before/${sha256('cut')}`]: 'cu' });
  expect([
    without,
    String(await contentOf(sha256('one'), image, folder)),
    await contentOf(sha256('two'), image, folder),
    await contentOf(sha256('one'), { ...image, object: null }, folder),
    await contentOf(sha256('one'), undefined, folder),
    await contentOf(sha256('one'), { ...image, object: 'f'.repeat(40) }, folder),
    String(await contentOf(sha256('file'), undefined, folder)),
    await contentOf(sha256('cut'), image, folder),
  ]).toEqual([null, 'one', null, null, null, null, 'file', null]);
});

test('the index is read line by line, and invalid lines are skipped', async () => {
  const image = { path: 'a', before: 'x', object: null, mode: 420 };
  const lines = [
    ...[
      { ...image, tool: 't' },
      { ...image, before: null, object: 'o', mode: null },
      { ...image, mode: 1.5 },
    ],
    ...[{ ...image, path: 1 }, { ...image, before: 2 }, { ...image, object: 3 }, {}],
  ].map((one) => JSON.stringify(one));
  const none = await storedImages(folder);
  put(folder, { 'index.jsonl': `${lines.join('\n')}\nno JSON\n` });
  expect([none, await storedImages(folder)]).toEqual([
    [],
    [image, { ...image, before: null, object: 'o', mode: null }],
  ]);
});

test('computes the changes of calls without git, from stored images and current files', async () => {
  put(root, {
    a: 'two\n',
    new: 'new\n',
    bin: 'x\0y',
    run: 'run\n',
    unknown: 'x\n',
    'folder/x': 'x',
    same: 'b',
  });
  symlinkSync('a', at('link'));
  put(root, { large: '' });
  truncateSync(at('large'), 64 * 1024 * 1024 + 1);
  const old = (file: string, before: string, mode: number | null = 0o644) => ({ path: file, before, mode });
  await keep([
    ...[old('a', 'one\n', 0o755), old('gone', 'gone\n', null), old('bin', 'text\n'), old('link', 'l')],
    ...[old('folder', 'f'), old('large', 'small'), old('run', 'run\n', 0o755), old('nul', '\0')],
  ]);
  const changes = [
    ...[change('a', 'one\n', 'x'), change('new', null, 'x'), change('gone', 'gone\n', null)],
    ...[change('bin', 'text\n', 'x'), change('unknown', 'lost', 'x'), change('link', 'l', 'x')],
    ...[change('folder', 'f', 'x'), change('large', 'small', 'x'), change('same', 'b', 'b')],
    ...[change('run', 'run\n', 'x'), change('nul', '\0', null)],
  ];
  const files = createConfinedFiles({ root, readOnlyRoots: [] });
  const found = await changesOfCalls(changes, { runFolder: folder, files, headSha: 'abc' });
  const unseen = { mode: null, old_mode: null, content: null, binary: false, diff: '' };
  const diffs = {
    a: 'diff --git a/a b/a\nold mode 100755\nnew mode 100644\n--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-one\n+two\n',
    new: 'diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,1 @@\n+new\n',
    gone: 'diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone\n',
    run: 'diff --git a/run b/run\nold mode 100755\nnew mode 100644\n',
  };
  const plain = { kind: 'modify', mode: '100644', old_mode: '100644', binary: false };
  expect(found).toEqual({
    base_sha: 'abc',
    patch: Object.values(diffs).join(''),
    files: [
      { ...plain, path: 'a', old_mode: '100755', content: base64('two\n'), diff: diffs.a },
      { ...plain, path: 'new', kind: 'add', old_mode: null, content: base64('new\n'), diff: diffs.new },
      { ...plain, path: 'gone', kind: 'delete', mode: null, content: null, diff: diffs.gone },
      { ...plain, path: 'bin', content: base64('x\0y'), binary: true, diff: '' },
      ...['unknown', 'link', 'folder', 'large'].map((file) => ({ ...unseen, path: file, kind: 'modify' })),
      { ...plain, path: 'run', old_mode: '100755', content: base64('run\n'), diff: diffs.run },
      { ...plain, path: 'nul', kind: 'delete', mode: null, content: null, binary: true, diff: '' },
    ],
  });
  expect(await changesOfCalls([], { runFolder: folder, files, headSha: null })).toEqual({
    ...{ base_sha: '', patch: '', files: [] },
  });
});

test('a path below a link is left, with force too, and nothing is written through it', async () => {
  put(root, { b: 'after' });
  put(base, { 'out/x': 'theirs' });
  symlinkSync(path.join(base, 'out'), at('a'));
  await keep([
    { path: 'a/x', before: 'first', mode: null },
    { path: 'b', before: 'first', mode: null },
  ]);
  const changes = [change('a/x', 'first', 'after'), change('b', 'first', 'after')];
  const left = (reason: string) => ({ path: 'a/x', action: 'left', reason });
  expect([await restore(changes), await restore(changes, { force: true })]).toEqual([
    [left('it was changed after the run'), { path: 'b', action: 'written back' }],
    [left('a is in the place of its folder'), { path: 'b', action: 'as it was' }],
  ]);
  expect([readFileSync(at('b'), 'utf8'), readFileSync(path.join(base, 'out/x'), 'utf8')]).toEqual([
    'first',
    'theirs',
  ]);
});

/** Records modes with a change, as git has them. */
const withModes = (one: Change, before: string | null, after: string | null): Change => ({
  ...one,
  before_mode: before,
  after_mode: after,
});

test("restores the executable bit alone, and keeps a file's other bits", async () => {
  put(root, { tool: 'x', secret: 'after' });
  chmodSync(at('tool'), 0o755);
  chmodSync(at('secret'), 0o600);
  // Both were changed by a command: git has the contents.
  const trees = path.join(base, 'repository');
  repository(trees, { tool: 'x', secret: 'first' });
  git(base, 'clone', '-q', '--bare', trees, path.join(folder, 'trees.git'));
  const object = (name: string) => git(trees, 'rev-parse', `HEAD:${name}`);
  await keep([
    { path: 'tool', before: 'x', mode: 0o644, object: object('tool') },
    { path: 'secret', before: 'first', mode: 0o644, object: object('secret') },
  ]);
  const changes = [
    withModes(change('tool', 'x', 'x'), '100644', '100755'),
    withModes(change('secret', 'first', 'after'), '100644', '100644'),
  ];
  expect((await restore(changes)).map(({ action }) => action)).toEqual(['written back', 'written back']);
  expect(['tool', 'secret'].map((file) => statSync(at(file)).mode & 0o777)).toEqual([0o644, 0o600]);
});

test("leaves a file of git, or of a run's record, that a forged record names", async () => {
  put(root, { '.git/hooks/x': 'after', '.anode-harness/run_1/x': 'after' });
  const names = ['.git/hooks/x', '.anode-harness/run_1/x'];
  await keep(names.map((name) => ({ path: name, before: 'first', mode: null })));
  const restored = await restore(
    names.map((name) => change(name, 'first', 'after')),
    { force: true },
  );
  expect(restored).toEqual([
    { path: names[0], action: 'left', reason: expect.stringContaining("is git's own") },
    { path: names[1], action: 'left', reason: expect.stringContaining("is the run's own") },
  ]);
  expect(names.map((name) => readFileSync(at(name), 'utf8'))).toEqual(['after', 'after']);
});
