import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../../../src/contract/errors.ts';
import { createRunFolder } from '../../../src/workspace/storage/run-folder.ts';
import { temporaryFolder } from '../repository.ts';

let base: string;
beforeEach(() => {
  base = temporaryFolder('run');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('a run folder is private, and its id can be used once', async () => {
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
  expect([runs, folder, run.spillFolder].map((one) => statSync(one).mode & 0o777)).toEqual(
    Array(3).fill(0o700),
  );
  await expect(createRunFolder({ base: runs, runId: 'run_1' })).rejects.toThrow(
    new ConfigError(`A run with this id exists already: ${folder}`),
  );
  for (const runId of ['../run', '', 'a b', 'run.1', 'a\n'])
    await expect(createRunFolder({ base: runs, runId })).rejects.toThrow(
      new ConfigError(`A run's id has letters, digits, _ and - only, not: ${runId}`),
    );
  expect((await createRunFolder({ base: runs, runId: 'Run-2' })).runId).toBe('Run-2');
});

test('a folder is made while the ends of other runs delete its empty base', async () => {
  const runs = path.join(base, 'runs');
  // Ends by itself, also if this process is killed.
  const deleting = `for (const end = Date.now() + 60_000; Date.now() < end; )
    try { fs.rmdirSync(${JSON.stringify(runs)}); } catch {}`;
  const ends = [1, 2].map(() => spawn(process.execPath, ['-e', deleting], { stdio: 'ignore' }));
  let made = 0;
  try {
    for (let run = 1; run <= 200; run += 1) {
      const { folder } = await createRunFolder({ base: runs, runId: `run_${run}` });
      rmSync(folder, { recursive: true });
      made += 1;
    }
  } finally {
    for (const end of ends) end.kill('SIGKILL');
  }
  expect(made).toBe(200);
});

test.each([
  '777',
  '720',
  '702',
])('no run is stored in a folder of mode %s that another user can write to', async (mode) => {
  const runs = path.join(base, 'runs');
  mkdirSync(runs);
  chmodSync(runs, Number.parseInt(mode, 8));
  await expect(createRunFolder({ base: runs, runId: 'run_1' })).rejects.toMatchObject({
    message: `${runs} can be written to by another user, who could read or forge what runs keep there. Remove it, or set TMPDIR to a folder of your own.`,
    key: 'TMPDIR',
  });
});

test.runIf(process.getuid?.() === 0)('no run is stored in a folder of another user', async () => {
  const runs = path.join(base, 'runs');
  mkdirSync(runs, { mode: 0o755 });
  chownSync(runs, 1234, 1234);
  await expect(createRunFolder({ base: runs, runId: 'run_1' })).rejects.toThrow(
    'can be written to by another user',
  );
});

test('a folder for runs that cannot be made is reported with the reason and the remedy', async () => {
  writeFileSync(path.join(base, 'file'), '');
  const runs = path.join(base, 'file/runs');
  await expect(createRunFolder({ base: runs, runId: 'run_1' })).rejects.toMatchObject({
    message: `${runs}, where runs keep their records, cannot be made: a part of its path is no folder. Set TMPDIR to a folder that this user can write.`,
    key: 'TMPDIR',
    cause: { code: 'ENOTDIR' },
  });
});
