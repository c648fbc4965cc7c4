import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeRunCgroup } from '../../src/sandbox/run-cgroup.ts';
import { available, runnerPlace } from './runner-fixture.ts';

const place = runnerPlace();

const mount = '/sys/fs/cgroup';

/** The groups that this process has made and that are there still, by their paths. */
function groupsBelow(folder: string): string[] {
  const mine = new RegExp(`^anode-${process.pid}-`);
  return foldersIn(folder).flatMap((name) => [
    ...(mine.test(name) ? [join(folder, name)] : []),
    ...groupsBelow(join(folder, name)),
  ]);
}

/**
 * The subfolders of a folder; none of a folder that disappears at the same time, as those of other
 * programs do.
 */
function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Other files of this worker may have left some. */
let before: readonly string[] = [];
beforeEach(() => {
  before = groupsBelow(mount);
});
const groups = (): string[] => groupsBelow(mount).filter((group) => !before.includes(group));

/** Whether this machine lets us make groups: as root of most machines, hardly ever in a container. */
const possible = await (async () => {
  const made = makeRunCgroup();
  await made?.close();
  return made !== null;
})();

describe.skipIf(!available || !possible)('the cgroup of a run', () => {
  it('limits the usage of all its commands and ends with the run', async () => {
    const run = await place.runnerOf('required');
    await run('true');
    const found = groups();
    const read = (name: string) =>
      found.flatMap((group) =>
        readdirSync(group).includes(name) ? [readFileSync(join(group, name), 'utf8')] : [],
      );
    const memory = Number([...read('memory.max'), ...read('memory.limit_in_bytes')][0]);
    expect({ within: memory > totalmem() / 2 && memory < totalmem(), pids: read('pids.max') }).toEqual({
      within: true,
      pids: ['8192\n'],
    });
    await place.close();
    await expect.poll(groups).toEqual([]);
  });

  it('stops a fork bomb, also of root, and the next command runs', async () => {
    const run = await place.runnerOf('required');
    await run('true');
    const [pids = ''] = groups().filter((group) => readdirSync(group).includes('pids.max'));
    // A smaller bomb shows it as well.
    writeFileSync(join(pids, 'pids.max'), '200');
    const bomb = `perl -e 'my $n = 0; while ($n < 400) { my $p = fork(); if (!defined $p) { print "stopped\\n"; exit } if ($p == 0) { sleep 60; exit } $n++ } print "not stopped\\n"'`;
    expect((await run(bomb)).output).toBe('stopped\n');
    expect(await run('echo next')).toMatchObject({ exitCode: 0, output: 'next\n' });
  });
});

it('a machine without usable cgroups gives none', () => {
  const empty = mkdtempSync(join(tmpdir(), 'anode-cgroup-'));
  try {
    expect(makeRunCgroup(empty)).toBe(null);
    writeFileSync(join(empty, 'cgroup.controllers'), 'memory pids\n');
    expect(makeRunCgroup(empty)).toBe(null);
  } finally {
    rmSync(empty, { recursive: true });
  }
});
