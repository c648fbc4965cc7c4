import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../../../src/contract/errors.ts';
import { lockForProcess } from '../../../src/webhooks/deliveries/process-lock.ts';

let folder = '';
const file = () => join(folder, 'lock');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anode-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The time at which this process started, as the 22nd field of proc_pid_stat(5) says. */
const started = (pid: number | 'self' = 'self'): string => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
};

test.runIf(existsSync('/proc/self/stat'))(
  'a lock names the process and its start, and is removed',
  async () => {
    const unlock = await lockForProcess(file());
    expect([readdirSync(folder), readFileSync(file(), 'utf8')]).toEqual([
      ['lock'],
      `${process.pid} ${started()}`,
    ]);
    await unlock();
    expect(readdirSync(folder)).toEqual([]);
    await unlock();
  },
);

test('a second lock by a living process is refused, and the first stays', async () => {
  await lockForProcess(file());
  const before = readFileSync(file(), 'utf8');
  const refused: unknown = await lockForProcess(file()).catch((error: unknown) => error);
  expect(refused).toEqual(
    new ConfigError(
      `The process ${process.pid} uses this data folder already (${file()}). Stop it, or set ANODE_DATA_DIR to another folder.`,
      { key: 'ANODE_DATA_DIR' },
    ),
  );
  expect([readdirSync(folder), readFileSync(file(), 'utf8')]).toEqual([['lock'], before]);
});

test.runIf(existsSync('/proc/self/stat'))(
  'a lock of another living process, or of one with an unknown start, is never taken over',
  async () => {
    // No process has so high a number (proc(5), pid_max).
    for (const holder of [`1 ${started(1)}`, '4194305 gone']) {
      writeFileSync(file(), holder);
      await expect(lockForProcess(file())).rejects.toBeInstanceOf(ConfigError);
      expect(readFileSync(file(), 'utf8')).toBe(holder);
    }
  },
);

test.each([
  '',
  'x 1',
  '0 gone',
  '-1 gone',
  '1.5 gone',
  `${process.pid} 1`,
  `${process.pid} gone`,
])('a lock with %j belongs to no living process and is taken over', async (holder) => {
  writeFileSync(file(), holder);
  await lockForProcess(file());
  expect(readdirSync(folder)).toEqual(['lock']);
  expect(readFileSync(file(), 'utf8')).toMatch(new RegExp(`^${process.pid} \\d+$`));
});

test('a missing folder is an error', async () => {
  await expect(lockForProcess(join(folder, 'none', 'lock'))).rejects.toThrow('ENOENT');
});
