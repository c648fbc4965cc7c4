import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRunFolder } from '../../src/workspace/run-folder.ts';
import { temporaryFolder } from './repository.ts';

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

test('no run is kept where another user could write', async () => {
  const runs = path.join(base, 'runs');
  mkdirSync(runs);
  chmodSync(runs, 0o777);
  await expect(createRunFolder({ base: runs, runId: 'run_1' })).rejects.toThrow(
    `${runs} can be written to by another user`,
  );
});
