import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import * as path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkspace } from '../../src/workspace/open-workspace.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { git, put, repository, temporaryFolder } from './repository.ts';

let base: string;
let root: string;
let runFolder: string;

beforeEach(() => {
  base = temporaryFolder('workspace');
  root = path.join(base, 'tree');
  runFolder = path.join(base, 'run');
  mkdirSync(path.join(runFolder, 'spill'), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const open = (): Promise<Workspace> =>
  openWorkspace({ root, runFolder, spillFolder: path.join(runFolder, 'spill') });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const by = { tool: 'edit_file', callId: 'call_1' };
const byBash = { tool: 'bash', callId: 'call_2' };

/** Everything in the real git directory, to see that nothing of it was touched. */
function gitContents(folder = path.join(root, '.git')): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      const full = path.join(entry.parentPath, entry.name);
      found[path.relative(folder, full)] = sha256(readFileSync(full, 'latin1'));
    }
  }
  return found;
}

test('a write makes one whole entry, keeps the before-image and leaves the repository alone', async () => {
  const headSha = repository(root, { 'src/a.ts': 'one\ntwo\n', 'package.json': '{"scripts":{"test":"t"}}' });
  const before = gitContents();
  const workspace = await open();
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
    diff: 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    risk: 'low',
    validation: 'unchecked',
    tool: 'edit_file',
    call_id: 'call_1',
  });
  expect(changes[1]?.risk).toBe('high');
  expect(readFileSync(path.join(runFolder, 'before', sha256('one\ntwo\n')), 'utf8')).toBe('one\ntwo\n');
  expect(await workspace.changes.observe(byBash)).toEqual([]);
  expect(gitContents()).toEqual(before);
});

test('a write that adds and deletes the same content is one rename', async () => {
  repository(root, { 'a.txt': 'same\n', 'b.txt': 'other\n' });
  const workspace = await open();
  const changes = await workspace.changes.apply(
    [
      { path: 'a.txt', content: null },
      { path: 'c.txt', content: Buffer.from('same\n') },
      { path: 'b.txt', content: null },
    ],
    by,
  );
  expect(changes.map(({ kind, path: at, old_path }) => ({ kind, at, old_path }))).toEqual([
    { kind: 'rename', at: 'c.txt', old_path: 'a.txt' },
    { kind: 'delete', at: 'b.txt', old_path: undefined },
  ]);
});

test('what a command changed is told apart from what tools wrote before it', async () => {
  repository(root, { 'a.txt': 'one\n', 'gone.txt': 'gone\n', '.gitignore': 'ignored\n' });
  const workspace = await open();
  await workspace.baseline();
  await workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('tool\n') }], by);
  await workspace.changes.apply([{ path: 'new.txt', content: Buffer.from('new\n') }], by);
  put(root, { 'a.txt': 'command\n', ignored: 'x', '.anode-harness/run/ledger.jsonl': 'x' });
  rmSync(path.join(root, 'gone.txt'));
  chmodSync(path.join(root, '.gitignore'), 0o755);
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

test('a command that takes back what a tool wrote is seen', async () => {
  repository(root, { 'a.txt': 'one\n' });
  const workspace = await open();
  await workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('tool\n') }], by);
  put(root, { 'a.txt': 'one\n' });
  const changes = await workspace.changes.observe(byBash);
  expect(changes.map(({ path: at, before, after }) => ({ at, before, after }))).toEqual([
    { at: 'a.txt', before: sha256('tool\n'), after: sha256('one\n') },
  ]);
  expect((await workspace.finalChanges()).files).toEqual([]);
});

test('the final changes hold everything, and their patch makes the same tree elsewhere', async () => {
  const binary = Buffer.from([0, 1, 2, 255]);
  const long = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join('');
  const headSha = repository(root, {
    'mode.sh': 'echo\n',
    'old/name.txt': long,
    'gone.txt': 'gone\n',
    'image.png': binary,
    'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
  });
  cpSync(root, path.join(base, 'elsewhere'), { recursive: true });
  const workspace = await open();
  await workspace.baseline();
  chmodSync(path.join(root, 'mode.sh'), 0o755);
  rmSync(path.join(root, 'old'), { recursive: true });
  rmSync(path.join(root, 'gone.txt'));
  put(root, {
    'new/näme.txt': `${long}more\n`,
    'image.png': Buffer.concat([binary, binary]),
    'latin.txt': Buffer.from('th\xe9\n', 'latin1'),
  });
  symlinkSync('mode.sh', path.join(root, 'link'));
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
  put(base, { 'changes.patch': changes.patch });
  git(path.join(base, 'elsewhere'), 'update-index', '-q', '--refresh');
  git(path.join(base, 'elsewhere'), 'apply', '--index', '../changes.patch');
  git(root, 'add', '-A');
  expect(git(path.join(base, 'elsewhere'), 'write-tree')).toBe(git(root, 'write-tree'));
});

test('uncommitted and untracked work from before the run is not a change of the run', async () => {
  repository(root, { 'a.txt': 'one\n', 'b.txt': 'b\n' });
  put(root, { 'a.txt': 'edited by a person\n', 'untracked.txt': 'a person\n' });
  git(root, 'rm', '-q', '--cached', 'b.txt');
  const before = gitContents();
  const workspace = await open();
  await workspace.baseline();
  put(root, { 'untracked.txt': 'a person\nand the run\n' });
  const { files } = await workspace.finalChanges();
  expect(files.map(({ path: at, kind, content }) => ({ at, kind, content }))).toEqual([
    { at: 'untracked.txt', kind: 'modify', content: base64('a person\nand the run\n') },
  ]);
  expect(gitContents()).toEqual(before);
});

test('a folder without git has changes too, and no throwaway git directory', async () => {
  put(root, { 'a.txt': 'one\n' });
  const workspace = await open();
  await workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('two\n') }], by);
  const { files, base_sha } = await workspace.finalChanges();
  expect({
    files: files.map(({ path: at, diff }) => ({ at, diff: diff.includes('-one\n+two\n') })),
    base_sha,
  }).toEqual({
    files: [{ at: 'a.txt', diff: true }],
    base_sha: '',
  });
  expect([workspace.headSha, await workspace.agentGitDirectory()]).toEqual([null, null]);
  expect(existsSync(path.join(root, '.git'))).toBe(false);
});

test('the agent commits and branches in the throwaway directory, and the repository knows nothing of it', async () => {
  const headSha = repository(root, { 'a.txt': 'one\n' });
  git(root, 'branch', 'other');
  const before = gitContents();
  const workspace = await open();
  await workspace.baseline();
  const directory = (await workspace.agentGitDirectory()) ?? '';
  const place = ['--git-dir', directory, '--work-tree', root];
  put(root, { 'a.txt': 'two\n' });
  expect(git(root, ...place, 'status', '--short')).toBe('M a.txt');
  git(root, ...place, 'commit', '-q', '-am', 'By the agent');
  git(root, ...place, 'switch', '-q', '-c', 'agent');
  expect(git(root, ...place, 'log', '--format=%s %P')).toBe(`By the agent ${headSha}\nStart`);
  expect(git(root, ...place, 'rev-parse', 'other')).toBe(headSha);
  expect(readFileSync(path.join(directory, 'objects/info/alternates'), 'utf8')).toBe(
    `${path.join(root, '.git/objects')}\n`,
  );
  expect(readFileSync(path.join(directory, 'config'), 'utf8')).not.toContain('remote');
  expect((await workspace.changes.observe(byBash)).map(({ path: at, kind }) => ({ at, kind }))).toEqual([
    { at: 'a.txt', kind: 'modify' },
  ]);
  expect(gitContents()).toEqual(before);
});

test('a linked work tree, whose .git is a file, works like any other', async () => {
  const headSha = repository(path.join(base, 'main'), { 'a.txt': 'one\n' });
  git(path.join(base, 'main'), 'worktree', 'add', '-q', root);
  const workspace = await open();
  await workspace.baseline();
  put(root, { 'a.txt': 'two\n' });
  const directory = (await workspace.agentGitDirectory()) ?? '';
  expect(git(root, '--git-dir', directory, '--work-tree', root, 'diff', '--stat')).toContain('a.txt');
  expect([workspace.headSha, (await workspace.finalChanges()).files.length]).toEqual([headSha, 1]);
});

test('packed refs, a detached head and a repository without a commit are read as they are', async () => {
  const headSha = repository(root, { 'a.txt': 'one\n' });
  git(root, 'pack-refs', '--all');
  const packed = await open();
  git(root, 'checkout', '-q', '--detach');
  const detached = await open();
  rmSync(root, { recursive: true });
  mkdirSync(root);
  git(root, 'init', '-q');
  const unborn = await open();
  put(root, { 'a.txt': 'one\n' });
  expect([packed.headSha, detached.headSha, unborn.headSha]).toEqual([headSha, headSha, null]);
  await unborn.changes.apply([{ path: 'b.txt', content: Buffer.from('b') }], by);
  expect((await unborn.finalChanges()).files.map(({ path: at }) => at)).toEqual(['b.txt']);
});

test('nothing in a hostile tree runs: filters, hooks, fsmonitor of the tree or of a repository in it', async () => {
  const proof = path.join(base, 'ran');
  const evil = `touch ${proof}`;
  repository(root, { 'a.txt': 'one\n', '.gitattributes': '* filter=evil diff=evil\n' });
  for (const folder of [root, path.join(root, 'sub')]) {
    if (folder !== root) repository(folder, { 'inner.txt': 'inner\n' });
    git(folder, 'config', 'core.fsmonitor', evil);
    git(folder, 'config', 'filter.evil.clean', `${evil}; cat`);
    git(folder, 'config', 'filter.evil.smudge', `${evil}; cat`);
    git(folder, 'config', 'diff.evil.textconv', evil);
    git(folder, 'config', 'diff.external', evil);
    put(folder, { '.git/hooks/post-index-change': `#!/bin/sh\n${evil}\n` });
    chmodSync(path.join(folder, '.git/hooks/post-index-change'), 0o755);
  }
  rmSync(proof, { force: true });
  const workspace = await open();
  await workspace.baseline();
  put(root, { 'a.txt': 'two\n', 'sub/inner.txt': 'changed\n', 'sub/.git/info/x': 'x' });
  git(root, 'init', '-q', 'unborn');
  put(root, { 'unborn/file.txt': 'file\n' });
  const { files } = await workspace.finalChanges();
  expect(existsSync(proof)).toBe(false);
  expect(files.map(({ path: at, kind }) => ({ at, kind }))).toEqual([
    { at: 'a.txt', kind: 'modify' },
    { at: 'sub/inner.txt', kind: 'modify' },
    { at: 'unborn/file.txt', kind: 'add' },
  ]);
});

test('of a repository in the repository, what its own rules ignore is left out', async () => {
  repository(root, { 'a.txt': 'one\n' });
  const workspace = await open();
  await workspace.baseline();
  repository(path.join(root, 'sub'), { '.gitignore': 'node_modules/\n', 'sub.txt': 'sub\n' });
  put(root, { 'sub/node_modules/x/index.js': 'x' });
  const { files } = await workspace.finalChanges();
  expect(files.map(({ path: at }) => at)).toEqual(['sub/.gitignore', 'sub/sub.txt']);
});

test('files with other line endings in the work tree than in git change only where they change', async () => {
  repository(root, { '.gitattributes': '*.bat text eol=crlf\n', 'run.bat': 'one\r\ntwo\r\n' });
  const workspace = await open();
  await workspace.changes.apply([{ path: 'run.bat', content: Buffer.from('one\r\n2\r\n') }], by);
  expect(await workspace.changes.observe(byBash)).toEqual([]);
  const { files } = await workspace.finalChanges();
  expect(files.map(({ diff }) => diff.split('\n').filter((line) => /^[-+][^-+]/.test(line)))).toEqual([
    ['-two', '+2'],
  ]);
});

test('a merge left in conflict is a state like any other to start from', async () => {
  repository(root, { 'a.txt': 'one\n' });
  git(root, 'switch', '-q', '-c', 'other');
  put(root, { 'a.txt': 'other\n' });
  git(root, 'commit', '-q', '-am', 'Other');
  git(root, 'switch', '-q', 'main');
  put(root, { 'a.txt': 'main\n' });
  git(root, 'commit', '-q', '-am', 'Main');
  expect(() => git(root, 'merge', 'other')).toThrow();
  const workspace = await open();
  await workspace.baseline();
  put(root, { 'a.txt': 'solved\n' });
  const changes = await workspace.changes.observe(byBash);
  expect(changes.map(({ path: at, kind, after }) => ({ at, kind, after }))).toEqual([
    { at: 'a.txt', kind: 'modify', after: sha256('solved\n') },
  ]);
  expect(git(root, 'ls-files', '--unmerged')).not.toBe('');
});

test('an edit in the same second as the index, of the same length, is part of what the run starts from', async () => {
  repository(root, { 'a.txt': 'one\n' });
  const file = path.join(root, 'a.txt');
  const second = Math.floor(Date.now() / 1000) - 10;
  utimesSync(file, second, second);
  git(root, 'update-index', '--refresh');
  // Git tells times apart by seconds, and by the change time too unless it is told not to.
  git(root, 'config', 'core.trustctime', 'false');
  put(root, { 'a.txt': 'two\n' });
  utimesSync(file, second, second);
  utimesSync(path.join(root, '.git/index'), second, second);
  const workspace = await open();
  const directory = (await workspace.agentGitDirectory()) ?? '';
  git(root, '--git-dir', directory, 'config', 'core.trustctime', 'false');
  expect(git(root, '--git-dir', directory, '--work-tree', root, 'diff', '--name-only')).toBe('a.txt');
});

test('a submodule stays at its commit, and its settings are not used', async () => {
  const proof = path.join(base, 'ran');
  repository(path.join(base, 'library'), { 'lib.txt': 'lib\n' });
  repository(root, { 'a.txt': 'one\n' });
  git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../library', 'sub');
  git(root, 'commit', '-q', '-m', 'Add a submodule');
  git(path.join(root, 'sub'), 'config', 'core.fsmonitor', `touch ${proof}`);
  const workspace = await open();
  await workspace.baseline();
  put(root, { 'sub/lib.txt': 'changed\n', 'a.txt': 'two\n' });
  const { files } = await workspace.finalChanges();
  expect([files.map(({ path: at }) => at), existsSync(proof)]).toEqual([['a.txt'], false]);
});

test('files, folders, links and pipes that take each other’s place are followed', async () => {
  repository(root, { a: 'a\n', 'd/x': 'x\n', link: 'l\n', pipe: 'p\n', empty: 'e\n' });
  const workspace = await open();
  await workspace.baseline();
  for (const name of ['a', 'd', 'link', 'pipe', 'empty']) rmSync(path.join(root, name), { recursive: true });
  put(root, { 'a/b': 'b\n', d: 'd\n' });
  symlinkSync('/etc/passwd', path.join(root, 'link'));
  execFileSync('mkfifo', [path.join(root, 'pipe')]);
  mkdirSync(path.join(root, 'empty'));
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

test('names with spaces, quotes, newlines and bytes that are no text are kept', async () => {
  repository(root, { 'a.txt': 'a\n' });
  const workspace = await open();
  await workspace.baseline();
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from('caf\xe9', 'latin1')]), '0');
  put(root, { 'with space "quoted"': '1', 'with\nnewline': '2', '-dash': '3', ':(top)magic*': '4' });
  const { files, patch } = await workspace.finalChanges();
  expect(files.map(({ path: at, content }) => [at, content])).toEqual([
    ['-dash', base64('3')],
    [':(top)magic*', base64('4')],
    ['caf\ufffd', base64('0')],
    ['with\nnewline', base64('2')],
    ['with space "quoted"', base64('1')],
  ]);
  expect(patch).toContain('diff --git "a/caf\\351" "b/caf\\351"\n');
  expect(patch.match(/^diff --git /gm)?.length).toBe(5);
});

test('a folder to work in that does not exist is named', async () => {
  await expect(open()).rejects.toThrow(`The folder to work in does not exist: ${root}`);
});

test('without a place for before-images nothing is written', async () => {
  repository(root, { 'a.txt': 'one\n' });
  const workspace = await open();
  put(runFolder, { before: 'a file where the folder should be' });
  const write = workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('two\n') }], by);
  await expect(write).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(path.join(root, 'a.txt'), 'utf8')).toBe('one\n');
});

test('ignored files written by a tool have an entry and are no part of the final changes', async () => {
  repository(root, { '.gitignore': 'dist/\n' });
  const workspace = await open();
  const write = (file: string) => workspace.changes.apply([{ path: file, content: Buffer.from('x\n') }], by);
  expect((await write('dist/out.js')).map(({ kind }) => kind)).toEqual(['add']);
  expect(await workspace.changes.observe(byBash)).toEqual([]);
  await write('src.js');
  expect(await workspace.changes.observe(byBash)).toEqual([]);
  expect((await workspace.finalChanges()).files.map(({ path: at }) => at)).toEqual(['src.js']);
});

test('writing what is there already is no change', async () => {
  repository(root, { 'a.txt': 'one\n' });
  const workspace = await open();
  expect(await workspace.changes.apply([{ path: 'a.txt', content: Buffer.from('one\n') }], by)).toEqual([]);
});

test('writes and looks at once take turns, and each change is told once', async () => {
  repository(root, { 'a.txt': 'one\n' });
  const workspace = await open();
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

test('a look while something still writes and deletes neither fails nor blocks', async () => {
  repository(root, { 'a.txt': 'one\n' });
  const workspace = await open();
  await workspace.baseline();
  const writer = spawn(
    'bash',
    [
      '-c',
      'echo ready; while :; do for n in 1 2 3 4 5 6 7 8; do echo x > f$n; ln -sfn . d$n; done; rm -rf f* d*; mkdir d1 d2; echo y > d1/f; rm -rf d1 d2; done',
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const closed = once(writer, 'close');
  await once(writer.stdout, 'data');
  for (let look = 0; look < 15; look += 1) await workspace.changes.observe(byBash);
  writer.kill();
  await closed;
  put(root, { 'a.txt': 'two\n' });
  expect((await workspace.finalChanges()).files.map(({ path: at }) => at)).toContain('a.txt');
});
