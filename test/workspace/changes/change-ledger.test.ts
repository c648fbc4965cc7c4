import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import * as path from 'node:path';
import { expect, test } from 'vitest';
import { put, repository } from '../repository.ts';
import { by, byBash, gitContents, sha256, workspacePlace } from '../workspace-fixture.ts';

const place = workspacePlace();

test('a write is recorded whole, stores its before-image and does not touch the repository', async () => {
  const headSha = repository(place.root, {
    'src/a.ts': 'one\ntwo\n',
    'package.json': '{"scripts":{"test":"t"}}',
  });
  const before = gitContents(place.root);
  const workspace = await place.open();
  const changes = await workspace.changes.apply(
    [
      { path: 'src/a.ts', content: Buffer.from('one\n2\n') },
      { path: 'package.json', content: Buffer.from('{"scripts":{"test":"t","postinstall":"x"}}') },
    ],
    by,
  );
  expect(workspace.headSha).toBe(headSha);
  expect(changes[0]).toEqual({
    path: 'src/a.ts',
    kind: 'modify',
    before: sha256('one\ntwo\n'),
    after: sha256('one\n2\n'),
    before_mode: '100644',
    after_mode: '100644',
    diff: 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    risk: 'low',
    validation: 'unchecked',
    tool: 'edit_file',
    call_id: 'call_1',
  });
  expect(changes[1]?.risk).toBe('high');
  expect(readFileSync(path.join(place.runFolder, 'before', sha256('one\ntwo\n')), 'utf8')).toBe('one\ntwo\n');
  expect(await workspace.changes.observe(byBash)).toEqual([]);
  expect(gitContents(place.root)).toEqual(before);
});

test('a write that adds and deletes the same content is recorded as one rename', async () => {
  repository(place.root, { 'a.txt': 'same\n', 'b.txt': 'other\n' });
  const workspace = await place.open();
  const changes = await workspace.changes.apply(
    [
      { path: 'a.txt', content: null },
      { path: 'c.txt', content: Buffer.from('same\n') },
      { path: 'b.txt', content: null },
    ],
    by,
  );
  const entry = { risk: 'low', validation: 'unchecked', tool: 'edit_file', call_id: 'call_1' };
  expect(changes).toEqual([
    {
      ...{ ...entry, kind: 'rename', path: 'c.txt', old_path: 'a.txt' },
      ...{ before: sha256('same\n'), after: sha256('same\n') },
      ...{ before_mode: '100644', after_mode: '100644' },
      diff: 'diff --git a/a.txt b/c.txt\nrename from a.txt\nrename to c.txt\n',
    },
    {
      ...{ ...entry, kind: 'delete', path: 'b.txt', before: sha256('other\n'), after: null },
      ...{ before_mode: '100644', after_mode: null },
      diff: 'diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-other\n',
    },
  ]);
  expect(workspace.changes.changedPaths).toEqual(['c.txt', 'a.txt', 'b.txt']);
});

test('the diff of a write has the mode of a new file and each change of mode', async () => {
  repository(place.root, { 'run.sh': 'true\n' });
  const workspace = await place.open();
  const content = Buffer.from('false\n');
  const changes = await workspace.changes.apply(
    [
      { path: 'run.sh', content, mode: 0o755 },
      { path: 'new.sh', content, mode: 0o755 },
      { path: 'plain', content },
    ],
    by,
  );
  const modes = changes.map(({ diff }) => diff.split('\n').filter((line) => / mode /.test(line)));
  expect(modes).toEqual([
    ['old mode 100644', 'new mode 100755'],
    ['new file mode 100755'],
    ['new file mode 100644'],
  ]);
});

test('writing the same content is not a change', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  const workspace = await place.open();
  expect(await workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('one\n') }], by)).toEqual([]);
});

test('changes of a command are separate from earlier writes of tools', async () => {
  repository(place.root, { 'a.txt': 'one\n', 'gone.txt': 'gone\n', '.gitignore': 'ignored\n' });
  const workspace = await place.open();
  await workspace.baseline();
  await workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('tool\n') }], by);
  await workspace.changes.apply([{ path: 'new.txt', content: Buffer.from('new\n') }], by);
  put(place.root, { 'a.txt': 'command\n', ignored: 'x', '.anode-harness/run/ledger.jsonl': 'x' });
  rmSync(path.join(place.root, 'gone.txt'));
  chmodSync(path.join(place.root, '.gitignore'), 0o755);
  const changes = await workspace.changes.observe(byBash);
  expect(
    changes.map(({ path: at, kind, before, after, risk }) => ({ at, kind, before, after, risk })),
  ).toEqual([
    {
      at: '.gitignore',
      kind: 'modify',
      before: sha256('ignored\n'),
      after: sha256('ignored\n'),
      risk: 'medium',
    },
    { at: 'a.txt', kind: 'modify', before: sha256('tool\n'), after: sha256('command\n'), risk: 'low' },
    { at: 'gone.txt', kind: 'delete', before: sha256('gone\n'), after: null, risk: 'low' },
  ]);
  expect(changes[1]?.diff).toContain('-tool\n+command\n');
  expect(await workspace.changes.observe(byBash)).toEqual([]);
});

test('runs only the last of several deferred observations, and runs it once', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  const { changes } = await place.open();
  const looked: string[] = [];
  const none = await changes.observeDeferred();
  for (const name of ['first', 'last'])
    changes.observeLater(async () => {
      looked.push(name, ...(await changes.observe(byBash)).map(({ path: at }) => at));
    });
  await changes.apply([{ path: 'tool.txt', content: Buffer.from('tool\n') }], by);
  put(place.root, { 'a.txt': 'two\n' });
  const had = [none, looked.length, await changes.observeDeferred(), await changes.observeDeferred()];
  expect([had, looked]).toEqual([
    [false, 0, true, false],
    ['last', 'a.txt'],
  ]);
  changes.observeLater(async () => {
    throw new Error('no room');
  });
  await expect(changes.observeDeferred()).rejects.toThrow('no room');
});

test('a command that reverts the write of a tool is recorded', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  const workspace = await place.open();
  await workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('tool\n') }], by);
  put(place.root, { 'a.txt': 'one\n' });
  const changes = await workspace.changes.observe(byBash);
  expect(changes.map(({ path: at, before, after }) => ({ at, before, after }))).toEqual([
    { at: 'a.txt', before: sha256('tool\n'), after: sha256('one\n') },
  ]);
  expect((await workspace.finalChanges()).files).toEqual([]);
});

test('an ignored file written by a tool is recorded but is not a final change', async () => {
  repository(place.root, { '.gitignore': 'dist/\n' });
  const workspace = await place.open();
  const write = (file: string) => workspace.changes.apply([{ path: file, content: Buffer.from('x\n') }], by);
  expect((await write('dist/out.js')).map(({ kind }) => kind)).toEqual(['add']);
  expect(await workspace.changes.observe(byBash)).toEqual([]);
  await write('src.js');
  expect(await workspace.changes.observe(byBash)).toEqual([]);
  expect((await workspace.finalChanges()).files.map(({ path: at }) => at)).toEqual(['src.js']);
});

test('nothing is written if no before-image can be stored', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  const workspace = await place.open();
  put(place.runFolder, { before: 'a file where the folder should be' });
  const write = workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('two\n') }], by);
  await expect(write).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(path.join(place.root, 'a.txt'), 'utf8')).toBe('one\n');
});

test('files, folders, links and pipes that replace each other are recorded', async () => {
  repository(place.root, { a: 'a\n', 'd/x': 'x\n', link: 'l\n', pipe: 'p\n', empty: 'e\n' });
  const workspace = await place.open();
  await workspace.baseline();
  for (const name of ['a', 'd', 'link', 'pipe', 'empty'])
    rmSync(path.join(place.root, name), { recursive: true });
  put(place.root, { 'a/b': 'b\n', d: 'd\n' });
  symlinkSync('/etc/passwd', path.join(place.root, 'link'));
  execFileSync('mkfifo', [path.join(place.root, 'pipe')]);
  mkdirSync(path.join(place.root, 'empty'));
  const observed = await workspace.changes.observe(byBash);
  expect(observed.map(({ path: at, kind }) => `${kind} ${at}`)).toEqual([
    'delete a',
    'add a/b',
    'add d',
    'delete d/x',
    'delete empty',
    'modify link',
    'delete pipe',
  ]);
  expect(observed.find(({ path: at }) => at === 'link')?.diff).toContain('+/etc/passwd');
});

test('concurrent writes and observations run in turn, and each change is recorded once', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  const workspace = await place.open();
  const told = await Promise.all([
    workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('two\n') }], by),
    workspace.changes.observe(byBash),
    workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('three\n') }], by),
    workspace.changes.observe(byBash),
  ]);
  expect(told.map((changes) => changes.map(({ before, after }) => [before, after]))).toEqual([
    [[sha256('one\n'), sha256('two\n')]],
    [],
    [[sha256('two\n'), sha256('three\n')]],
    [],
  ]);
});

test('observes without an error or a hang while a process writes and deletes', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  const workspace = await place.open();
  await workspace.baseline();
  const writer = spawn(
    'bash',
    [
      '-c',
      'echo ready; while :; do for n in 1 2 3 4 5 6 7 8; do echo x > f$n; ln -sfn . d$n; done; rm -rf f* d*; mkdir d1 d2; echo y > d1/f; rm -rf d1 d2; done',
    ],
    { cwd: place.root, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const closed = once(writer, 'close');
  await once(writer.stdout, 'data');
  for (let look = 0; look < 15; look += 1) await workspace.changes.observe(byBash);
  writer.kill();
  await closed;
  put(place.root, { 'a.txt': 'two\n' });
  expect((await workspace.finalChanges()).files.map(({ path: at }) => at)).toContain('a.txt');
});
