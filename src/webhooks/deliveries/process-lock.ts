import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { ConfigError } from '../../contract/errors.ts';

/**
 * Locks a folder for this process with a file that names it; an embedded database must not be
 * opened twice. Takes over the lock of a dead process. Throws `ConfigError` if a living process
 * holds it. Returns the function that unlocks it.
 */
export async function lockForProcess(file: string): Promise<() => Promise<void>> {
  const mine = await describeProcess(process.pid);
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, mine);
  try {
    while (!(await linkIfFree(temporary, file))) await removeIfDead(file);
  } finally {
    await unlink(temporary);
  }
  return () => rm(file, { force: true });
}

async function removeIfDead(file: string): Promise<void> {
  const holder = await readFile(file, 'utf8').catch(() => '');
  const pid = Number(holder.split(' ')[0]);
  if (Number.isSafeInteger(pid) && pid > 0 && (await describeProcess(pid)) === holder) {
    throw new ConfigError(
      `The process ${pid} uses this data folder already (${file}). Stop it, or set ANODE_DATA_DIR to another folder.`,
      { key: 'ANODE_DATA_DIR' },
    );
  }
  // Rename first: of two processes that find a dead lock, only one may proceed.
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => {});
  const moved = await readFile(aside, 'utf8').catch(() => holder);
  if (moved !== holder) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

/**
 * Returns a process's id and start time; a later process with the same id starts at another time.
 */
async function describeProcess(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name in parentheses may contain anything. The start time is the 20th field after it
  // (proc_pid_stat(5)).
  const start = stat?.slice(stat.lastIndexOf(')')).split(' ')[20];
  return start === undefined ? `${pid} gone` : `${pid} ${start}`;
}

async function linkIfFree(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
