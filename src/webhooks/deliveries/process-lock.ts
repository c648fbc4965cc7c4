import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { ConfigError } from '../../contract/errors.ts';

/**
 * Holds a folder for this process by a file that names it; an embedded database must not be opened twice. A lock whose
 * process is gone is taken over. Throws `ConfigError` when a living process holds it. The result lets go.
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
  // Renaming first: of two that find the lock dead, only one may go on from what it read.
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => {});
  const moved = await readFile(aside, 'utf8').catch(() => holder);
  if (moved !== holder) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

/** A process's number and start time, which a later process with the same number does not share. */
async function describeProcess(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name in parentheses may hold anything; the start time is the 20th field behind it. See proc_pid_stat(5).
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
