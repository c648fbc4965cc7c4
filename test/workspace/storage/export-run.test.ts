import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import * as path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportRun } from '../../../src/workspace/storage/export-run.ts';
import { createRunFolder } from '../../../src/workspace/storage/run-folder.ts';
import { git, put, repository, temporaryFolder } from '../repository.ts';

let base: string;
beforeEach(() => {
  base = temporaryFolder('run');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('the exported output of commands is redacted', async () => {
  const root = path.join(base, 'tree');
  repository(root, { 'a.txt': 'a\n' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  const lines = 'an ordinary line\n'.repeat(200_000);
  put(run.folder, { 'spill/bash-1.txt': `${lines}key=hunter22\n${lines}hunter22` });
  const exported = await exportRun(run, root, {
    redact: (text) => text.replaceAll('hunter22', '[redacted]'),
  });
  expect(readFileSync(path.join(exported, 'spill/bash-1.txt'), 'utf8')).toBe(
    `${lines}key=[redacted]\n${lines}[redacted]`,
  );
});

test('a long output is copied up to the limit, with the number of missing bytes', async () => {
  const root = path.join(base, 'tree');
  repository(root, { 'a.txt': 'a\n' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  put(run.folder, { 'spill/bash-1.txt': 'x'.repeat(8 * 1024 * 1024 + 5) });
  const exported = await exportRun(run, root);
  const copied = readFileSync(path.join(exported, 'spill/bash-1.txt'), 'utf8');
  expect({ shown: copied.startsWith('x'.repeat(100)), end: copied.slice(8 * 1024 * 1024) }).toEqual({
    shown: true,
    end: '\n[5 more bytes were not copied into this record]\n',
  });
});

test('the record is copied into the checkout, where git ignores it', async () => {
  const root = path.join(base, 'tree');
  repository(root, { 'a.txt': 'a\n' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  put(run.folder, { 'ledger.jsonl': '{}\n', 'spill/bash-1.txt': 'long', 'trees.git/HEAD': 'x' });
  const exported = await exportRun(run, root, { files: { 'changes.patch': 'patch' } });
  expect(exported).toBe(path.join(root, '.anode-harness/run_1'));
  const read = (name: string) => readFileSync(path.join(exported, name), 'utf8');
  const mode = statSync(path.join(exported, 'changes.patch')).mode & 0o777;
  expect([mode, read('ledger.jsonl'), read('spill/bash-1.txt'), read('changes.patch')]).toEqual([
    0o600,
    '{}\n',
    'long',
    'patch',
  ]);
  expect(existsSync(path.join(exported, 'trees.git'))).toBe(false);
  expect(git(root, 'status', '--short')).toBe('');
});

test('runs that end at the same time in one checkout all leave a record', async () => {
  const root = path.join(base, 'tree');
  repository(root, { 'a.txt': 'a\n' });
  const ids = Array.from({ length: 20 }, (_, index) => `run_${index}`);
  const runs = await Promise.all(
    ids.map((runId) => createRunFolder({ base: path.join(base, 'runs'), runId })),
  );
  const folders = await Promise.all(
    runs.map((run) => exportRun(run, root, { files: { 'changes.patch': run.runId } })),
  );
  expect(folders.map((folder) => readFileSync(path.join(folder, 'changes.patch'), 'utf8'))).toEqual(ids);
  expect(readFileSync(path.join(root, '.anode-harness/.gitignore'), 'utf8')).toBe('*\n');
  expect(git(root, 'status', '--short')).toBe('');
});

test('links that the agent put in the way of the record are not followed', async () => {
  const root = path.join(base, 'tree');
  put(base, { 'outside/victim/ledger.jsonl': 'victim', 'outside/.gitignore': 'victim' });
  put(root, { 'a.txt': 'a\n' });
  symlinkSync('../outside', path.join(root, '.anode-harness'));
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  put(run.folder, { 'ledger.jsonl': 'record' });
  const first = await exportRun(run, root);
  rmSync(first, { recursive: true });
  symlinkSync('../../outside/victim', first);
  rmSync(path.join(root, '.anode-harness/.gitignore'));
  symlinkSync('../../outside/.gitignore', path.join(root, '.anode-harness/.gitignore'));
  await exportRun(run, root);
  expect(readFileSync(path.join(first, 'ledger.jsonl'), 'utf8')).toBe('record');
  expect(readFileSync(path.join(base, 'outside/victim/ledger.jsonl'), 'utf8')).toBe('victim');
  expect(readFileSync(path.join(base, 'outside/.gitignore'), 'utf8')).toBe('victim');
});

test('the ledger is copied after it is complete, and its failure fails the copy', async () => {
  const root = path.join(base, 'tree');
  put(root, { 'a.txt': 'a\n' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  const { promise, resolve } = Promise.withResolvers<void>();
  const exporting = exportRun(run, root, { recorded: promise });
  put(run.folder, { 'ledger.jsonl': 'whole' });
  resolve();
  expect(readFileSync(path.join(await exporting, 'ledger.jsonl'), 'utf8')).toBe('whole');
  const full = new Error('no space left');
  await expect(exportRun(run, root, { recorded: Promise.reject(full) })).rejects.toBe(full);
});

test('folders that the agent put in the way of the record are replaced', async () => {
  const root = path.join(base, 'tree');
  put(root, { '.anode-harness/.gitignore/in-the-way': '', '.anode-harness/.gitignore.run_1/too': '' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  put(root, { '.anode-harness/run_1/ledger.jsonl': 'forged' });
  put(run.folder, { 'ledger.jsonl': 'record' });
  const exported = await exportRun(run, root);
  const read = (file: string) => readFileSync(path.join(root, '.anode-harness', file), 'utf8');
  expect([read('.gitignore'), read('run_1/ledger.jsonl'), exported]).toEqual([
    '*\n',
    'record',
    path.join(root, '.anode-harness/run_1'),
  ]);
});

test.each([
  ['a link', (file: string) => symlinkSync(path.join(base, 'private'), file)],
  ['a FIFO', (file: string) => execFileSync('mkfifo', [file])],
])('%s in place of the ledger is neither copied nor waited for', async (_, lay) => {
  const root = path.join(base, 'tree');
  put(root, { 'a.txt': 'a\n' });
  put(base, { private: 'of another folder' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  lay(run.ledgerFile);
  const exported = await exportRun(run, root, { files: { 'changes.patch': 'patch' } });
  expect(readdirSync(exported).sort()).toEqual(['changes.patch', 'spill']);
});

test.each([
  ['a link', (place: string) => symlinkSync(path.join(base, 'private'), place)],
  ['a file', (place: string) => writeFileSync(place, 'in the way')],
])('%s in place of a folder is not copied, and the rest of the record is', async (_, lay) => {
  const root = path.join(base, 'tree');
  put(root, { 'a.txt': 'a\n' });
  put(base, { 'private/key': 'of another folder' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  put(run.folder, { 'ledger.jsonl': 'record' });
  rmSync(run.spillFolder, { recursive: true });
  lay(run.spillFolder);
  lay(path.join(run.folder, 'storage'));
  const exported = await exportRun(run, root);
  expect(readdirSync(exported, { recursive: true }).sort()).toEqual(['ledger.jsonl', 'spill']);
});

test('a failed copy rejects only after the ledger is complete', async () => {
  put(base, { 'no-folder': '' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  const { promise, resolve } = Promise.withResolvers<void>();
  const settled: string[] = [];
  const exporting = exportRun(run, path.join(base, 'no-folder'), { recorded: promise }).catch((error) =>
    settled.push(error.code),
  );
  // Two copies that need not wait for a ledger fail first; by then the other has failed too.
  await exportRun(run, path.join(base, 'no-folder')).catch(() => undefined);
  await exportRun(run, path.join(base, 'no-folder')).catch(() => undefined);
  const before = [...settled];
  resolve();
  await exporting;
  expect([before, settled]).toEqual([[], ['ENOTDIR']]);
});

test('a run whose checkout is gone leaves its record at the same path', async () => {
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  put(run.folder, { 'ledger.jsonl': 'record' });
  const exported = await exportRun(run, path.join(base, 'gone'));
  expect(readFileSync(path.join(exported, 'ledger.jsonl'), 'utf8')).toBe('record');
});

test.skipIf(process.getuid?.() !== 0)(
  "as root a run gives its record to the checkout's owner, and no other record",
  async () => {
    const root = path.join(base, 'tree');
    put(root, { '.anode-harness/run_2/ledger.jsonl': 'of another' });
    chownSync(root, 65_534, 65_534);
    const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
    put(run.folder, { 'spill/bash-1.txt': 'long' });
    await exportRun(run, root);
    const owners = ['.', '.gitignore', 'run_1', 'run_1/spill/bash-1.txt', 'run_2', 'run_2/ledger.jsonl'];
    expect(owners.map((name) => statSync(path.join(root, '.anode-harness', name)).uid)).toEqual([
      ...[65_534, 65_534, 65_534, 65_534],
      ...[0, 0],
    ]);
  },
);

test('a FIFO among before-images does not fail the copy', async () => {
  const root = path.join(base, 'tree');
  put(root, { 'a.txt': 'a\n' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  put(run.beforeFolder, { 'a.txt': 'before' });
  execFileSync('mkfifo', [path.join(run.beforeFolder, 'fifo')]);
  symlinkSync('a.txt', path.join(run.beforeFolder, 'link'));
  const exported = await exportRun(run, root);
  expect(readdirSync(path.join(exported, 'before')).sort()).toEqual(['a.txt', 'link']);
});

test('a record has its own files with private modes, redacted where necessary, and no links', async () => {
  const root = path.join(base, 'tree');
  put(root, { '.anode-harness': 'a file in the way' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  put(run.folder, {
    ...{
      'ledger.jsonl': 'hunter22',
      'spill/child/out.txt': 'hunter22',
      'storage/plan/deep/a.md': 'hunter22',
    },
    ...{ 'before/index.jsonl': 'hunter22', 'agent.git/HEAD': 'x', 'attachments/image-1': 'x' },
  });
  symlinkSync('/etc/passwd', path.join(run.folder, 'storage/plan/link'));
  const exported = await exportRun(run, root, {
    files: { '../../report.md': 'hunter22' },
    redact: (text) => text.replaceAll('hunter22', '[redacted]'),
  });
  const found = readdirSync(path.join(root, '.anode-harness'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [path.relative(root, file), readFileSync(file, 'utf8')]);
  expect(Object.fromEntries(found)).toEqual({
    '.anode-harness/.gitignore': '*\n',
    '.anode-harness/run_1/before/index.jsonl': 'hunter22',
    '.anode-harness/run_1/ledger.jsonl': 'hunter22',
    '.anode-harness/run_1/report.md': 'hunter22',
    '.anode-harness/run_1/spill/child/out.txt': '[redacted]',
    '.anode-harness/run_1/storage/plan/deep/a.md': '[redacted]',
  });
  expect(statSync(path.join(exported, 'storage/plan/deep/a.md')).mode & 0o777).toBe(0o600);
});

test('an output of exactly 8 MiB is copied whole, and a repeated file name is an error', async () => {
  const root = path.join(base, 'tree');
  put(root, { 'a.txt': 'a' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  put(run.folder, { 'spill/out': 'x'.repeat(8 * 1024 * 1024) });
  const exported = await exportRun(run, root);
  expect(statSync(path.join(exported, 'spill/out')).size).toBe(8 * 1024 * 1024);
  await expect(exportRun(run, root, { files: { a: '1', 'b/a': '2' } })).rejects.toMatchObject({
    code: 'EEXIST',
  });
});
