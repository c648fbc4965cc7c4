import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRunCgroup } from '../../../src/permissions/sandbox/run-cgroup.ts';
import { available, runnerPlace } from './runner-fixture.ts';

const place = runnerPlace();

const mount = '/sys/fs/cgroup';

/** The groups that this process has made, by their paths. */
function groups(): string[] {
  return readdirSync(mount, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(`anode-${process.pid}-`))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Whether this machine lets us make groups: as root of most machines, hardly ever in a container. */
const possible = await (async () => {
  const made = makeRunCgroup();
  await made?.close();
  return made !== null;
})();

describe.skipIf(!available || !possible)('the cgroup of a run', () => {
  it('bounds what all of its commands take, and goes with the run', async () => {
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
    expect(groups()).toEqual([]);
  });

  it('stops a fork bomb, root`s too, and the next command runs', async () => {
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

it('is none where the machine has no cgroups to give', () => {
  const empty = mkdtempSync(join(tmpdir(), 'anode-cgroup-'));
  try {
    expect(makeRunCgroup(empty)).toBe(null);
    writeFileSync(join(empty, 'cgroup.controllers'), 'memory pids\n');
    expect(makeRunCgroup(empty)).toBe(null);
  } finally {
    rmSync(empty, { recursive: true });
  }
});
