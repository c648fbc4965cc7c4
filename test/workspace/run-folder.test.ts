import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import * as path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRunFolder, exportRun } from '../../src/workspace/run-folder.ts';
import { git, put, repository, temporaryFolder } from './repository.ts';

let base: string;
beforeEach(() => {
  base = temporaryFolder('run');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('a run folder is for its own user alone, and an id is used once', async () => {
  const runs = path.join(base, 'runs');
  const run = await createRunFolder({ base: runs, runId: 'run_1' });
  const folder = path.join(runs, 'run_1');
  expect(run).toEqual({
    runId: 'run_1',
    folder,
    ledgerFile: path.join(folder, 'ledger.jsonl'),
    spillFolder: path.join(folder, 'spill'),
    beforeFolder: path.join(folder, 'before'),
  });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await expect(createRunFolder({ base: runs, runId: 'run_1' })).rejects.toThrow('a run of that id already');
  await expect(createRunFolder({ base: runs, runId: '../run' })).rejects.toThrow("A run's id has letters");
});

test('spilled output is redacted where it leaves the run folder', async () => {
  const root = path.join(base, 'tree');
  repository(root, { 'a.txt': 'a\n' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  const lines = 'an ordinary line\n'.repeat(200_000);
  put(run.folder, { 'spill/bash-1.txt': `${lines}key=hunter22\n${lines}hunter22` });
  const exported = await exportRun(run, root, {}, (text) => text.replaceAll('hunter22', '[redacted]'));
  expect(readFileSync(path.join(exported, 'spill/bash-1.txt'), 'utf8')).toBe(
    `${lines}key=[redacted]\n${lines}[redacted]`,
  );
});

test('of an output without end the beginning is copied into the record, and the rest is counted', async () => {
  const root = path.join(base, 'tree');
  repository(root, { 'a.txt': 'a\n' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  put(run.folder, { 'spill/bash-1.txt': 'x'.repeat(8 * 1024 * 1024 + 5) });
  const exported = await exportRun(run, root, {});
  const copied = readFileSync(path.join(exported, 'spill/bash-1.txt'), 'utf8');
  expect({ shown: copied.startsWith('x'.repeat(100)), end: copied.slice(8 * 1024 * 1024) }).toEqual({
    shown: true,
    end: '\n[5 more bytes were not copied into this record]\n',
  });
});

test('no run is kept where another user could write', async () => {
  const runs = path.join(base, 'runs');
  mkdirSync(runs);
  chmodSync(runs, 0o777);
  await expect(createRunFolder({ base: runs, runId: 'run_1' })).rejects.toThrow(
    `${runs} can be written to by another user`,
  );
});

test('the record is copied into the checkout, where git does not see it', async () => {
  const root = path.join(base, 'tree');
  repository(root, { 'a.txt': 'a\n' });
  const run = await createRunFolder({ base: path.join(base, 'runs'), runId: 'run_1' });
  put(run.folder, { 'ledger.jsonl': '{}\n', 'spill/bash-1.txt': 'long', 'trees.git/HEAD': 'x' });
  const exported = await exportRun(run, root, { 'changes.patch': 'patch' });
  expect(exported).toBe(path.join(root, '.anode-harness/run_1'));
  const read = (name: string) => readFileSync(path.join(exported, name), 'utf8');
  expect([read('ledger.jsonl'), read('spill/bash-1.txt'), read('changes.patch')]).toEqual([
    '{}\n',
    'long',
    'patch',
  ]);
  expect(existsSync(path.join(exported, 'trees.git'))).toBe(false);
  expect(git(root, 'status', '--short')).toBe('');
});

test('runs that end at once on one checkout all leave their record', async () => {
  const root = path.join(base, 'tree');
  repository(root, { 'a.txt': 'a\n' });
  const ids = Array.from({ length: 20 }, (_, index) => `run_${index}`);
  const runs = await Promise.all(
    ids.map((runId) => createRunFolder({ base: path.join(base, 'runs'), runId })),
  );
  const folders = await Promise.all(runs.map((run) => exportRun(run, root, { 'changes.patch': run.runId })));
  expect(folders.map((folder) => readFileSync(path.join(folder, 'changes.patch'), 'utf8'))).toEqual(ids);
  expect(readFileSync(path.join(root, '.anode-harness/.gitignore'), 'utf8')).toBe('*\n');
  expect(git(root, 'status', '--short')).toBe('');
});

test('links that the agent laid in the way of the record are not followed', async () => {
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
