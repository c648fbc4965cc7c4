import { chmodSync, cpSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { expect, test } from 'vitest';
import { git, put, repository } from '../repository.ts';
import { base64, by, byBash, gitContents, workspacePlace } from '../workspace-fixture.ts';

const place = workspacePlace();

test('the final changes are complete, and their patch makes the same tree in another checkout', async () => {
  const binary = Buffer.from([0, 1, 2, 255]);
  const long = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join('');
  const headSha = repository(place.root, {
    'mode.sh': 'echo\n',
    'old/name.txt': long,
    'gone.txt': 'gone\n',
    'image.png': binary,
    'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
  });
  cpSync(place.root, path.join(place.base, 'elsewhere'), { recursive: true });
  const workspace = await place.open();
  await workspace.baseline();
  chmodSync(path.join(place.root, 'mode.sh'), 0o755);
  rmSync(path.join(place.root, 'old'), { recursive: true });
  rmSync(path.join(place.root, 'gone.txt'));
  put(place.root, {
    'new/näme.txt': `${long}more\n`,
    'image.png': Buffer.concat([binary, binary]),
    'latin.txt': Buffer.from('th\xe9\n', 'latin1'),
  });
  symlinkSync('mode.sh', path.join(place.root, 'link'));
  const changes = await workspace.finalChanges();
  expect(changes.base_sha).toBe(headSha);
  expect(changes.files.map(({ diff: _, ...file }) => file)).toEqual([
    { path: 'gone.txt', kind: 'delete', mode: null, old_mode: '100644', content: null, binary: false },
    {
      path: 'image.png',
      kind: 'modify',
      mode: '100644',
      old_mode: '100644',
      content: Buffer.concat([binary, binary]).toString('base64'),
      binary: true,
    },
    {
      path: 'latin.txt',
      kind: 'modify',
      mode: '100644',
      old_mode: '100644',
      content: Buffer.from('th\xe9\n', 'latin1').toString('base64'),
      binary: true,
    },
    { path: 'link', kind: 'add', mode: '120000', old_mode: null, content: base64('mode.sh'), binary: false },
    {
      path: 'mode.sh',
      kind: 'modify',
      mode: '100755',
      old_mode: '100644',
      content: base64('echo\n'),
      binary: false,
    },
    {
      path: 'new/näme.txt',
      old_path: 'old/name.txt',
      kind: 'rename',
      mode: '100644',
      old_mode: '100644',
      content: base64(`${long}more\n`),
      binary: false,
    },
  ]);
  expect(changes.patch.endsWith('\n')).toBe(true);
  put(place.base, { 'changes.patch': changes.patch });
  git(path.join(place.base, 'elsewhere'), 'update-index', '-q', '--refresh');
  git(path.join(place.base, 'elsewhere'), 'apply', '--index', '../changes.patch');
  git(place.root, 'add', '-A');
  expect(git(path.join(place.base, 'elsewhere'), 'write-tree')).toBe(git(place.root, 'write-tree'));
});

test('uncommitted and untracked work from before the run is not a final change', async () => {
  repository(place.root, { 'a.txt': 'one\n', 'b.txt': 'b\n' });
  put(place.root, { 'a.txt': 'edited by a person\n', 'untracked.txt': 'a person\n' });
  git(place.root, 'rm', '-q', '--cached', 'b.txt');
  const before = gitContents(place.root);
  const workspace = await place.open();
  await workspace.baseline();
  put(place.root, { 'untracked.txt': 'a person\nand the run\n' });
  const { files } = await workspace.finalChanges();
  expect(files.map(({ path: at, kind, content }) => ({ at, kind, content }))).toEqual([
    { at: 'untracked.txt', kind: 'modify', content: base64('a person\nand the run\n') },
  ]);
  expect(gitContents(place.root)).toEqual(before);
});

test('a file with converted line endings changes only in the edited lines', async () => {
  repository(place.root, { '.gitattributes': '*.bat text eol=crlf\n', 'run.bat': 'one\r\ntwo\r\n' });
  const workspace = await place.open();
  await workspace.changes.apply([{ path: 'run.bat', content: Buffer.from('one\r\n2\r\n') }], by);
  expect(await workspace.changes.observe(byBash)).toEqual([]);
  const { files } = await workspace.finalChanges();
  expect(files.map(({ diff }) => diff.split('\n').filter((line) => /^[-+][^-+]/.test(line)))).toEqual([
    ['-two', '+2'],
  ]);
});

test('files ignored by a nested repository are not final changes', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  const workspace = await place.open();
  await workspace.baseline();
  repository(path.join(place.root, 'sub'), { '.gitignore': 'node_modules/\n', 'sub.txt': 'sub\n' });
  put(place.root, { 'sub/node_modules/x/index.js': 'x' });
  const { files } = await workspace.finalChanges();
  expect(files.map(({ path: at }) => at)).toEqual(['sub/.gitignore', 'sub/sub.txt']);
});

test('unusual names are reported exactly, and names that are not text are listed as omitted', async () => {
  repository(place.root, { 'a.txt': 'a\n' });
  const workspace = await place.open();
  await workspace.baseline();
  writeFileSync(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from('caf\xe9', 'latin1')]), '0');
  put(place.root, { 'with space "quoted"': '1', 'with\nnewline': '2', '-dash': '3', ':(top)magic*': '4' });
  const { files, patch, left_out } = await workspace.finalChanges();
  expect(files.map(({ path: at, content }) => [at, content])).toEqual([
    ['-dash', base64('3')],
    [':(top)magic*', base64('4')],
    ['with\nnewline', base64('2')],
    ['with space "quoted"', base64('1')],
  ]);
  expect([patch.match(/^diff --git /gm)?.length, patch.includes('caf'), left_out]).toEqual([
    ...[4, false],
    ['caf\\xe9'],
  ]);
});

test('files too large for a change are listed as omitted, and others are complete', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  const sparse = (name: string, size: number) => {
    put(place.root, { [name]: '' });
    truncateSync(path.join(place.root, name), size);
  };
  sparse('data-set', 2 ** 31);
  const workspace = await place.open();
  await workspace.baseline();
  sparse('core', 2 ** 31);
  for (const name of ['a.bin', 'b.bin', 'c.bin', 'd.bin']) sparse(name, 30 * 1024 * 1024);
  put(place.root, { 'a.txt': 'two\n' });
  const { files, left_out } = await workspace.finalChanges();
  expect({ paths: files.map((file) => file.path), left_out }).toEqual({
    paths: ['a.bin', 'a.txt', 'b.bin', 'c.bin'],
    left_out: ['core', 'd.bin'],
  });
});

test('changes of an earlier session in the work tree count as those of the run', async () => {
  repository(place.root, { 'a.txt': 'one\n', 'b.txt': 'one\n' });
  put(place.root, { 'a.txt': 'two\n' });
  const standing = git(place.root, 'diff');
  put(place.root, { 'b.txt': 'of a person\n' });
  const workspace = await place.open();
  await workspace.baseline(`${standing}\n`);
  put(place.root, { 'c.txt': 'new\n' });
  const { files } = await workspace.finalChanges();
  expect(files.map(({ path: name, kind }) => `${kind} ${name}`)).toEqual(['modify a.txt', 'add c.txt']);
});

test('changes of an earlier session that a person edited since are not those of the run', async () => {
  repository(place.root, { 'a.txt': 'one\n' });
  put(place.root, { 'a.txt': 'two\n' });
  const standing = git(place.root, 'diff');
  put(place.root, { 'a.txt': 'three\n' });
  const workspace = await place.open();
  await workspace.baseline(`${standing}\n`);
  put(place.root, { 'c.txt': 'new\n' });
  const { files } = await workspace.finalChanges();
  expect(files.map(({ path: name }) => name)).toEqual(['c.txt']);
});
