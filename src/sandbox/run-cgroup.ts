import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A cgroup for all sandboxes of one run. Limits their memory, temporary folders included, and their
 * number of processes.
 */
export interface RunCgroup {
  /** Adds processes; their later children belong to it too. Never rejects. */
  add(pids: readonly number[]): Promise<void>;
  /** Removes the group once nothing runs in it. Never rejects. */
  close(): Promise<void>;
}

/** Memory in bytes: three quarters of the machine. Processes and threads of all commands. */
const bounds = { memory: Math.floor(totalmem() / 4) * 3, processes: 8_192 };

/** Attempts to remove a group whose last process has just ended. */
const closing = { tries: 50, pauseMs: 10 };

/**
 * Creates the group where the machine permits: as root, or in a systemd unit with `Delegate=yes`
 * and `DelegateSubgroup=`. Null elsewhere; limits per process remain.
 *
 * cgroups(7); kernel documentation, "Control Group v2", "Delegation".
 */
export function makeRunCgroup(mount = '/sys/fs/cgroup'): RunCgroup | null {
  const folders = existsSync(join(mount, 'cgroup.controllers')) ? inUnified(mount) : inSeparate(mount);
  if (folders === null) return null;
  return {
    // Asynchronous: four of these take the kernel as long as a command.
    async add(pids) {
      const joining = folders.flatMap((folder) =>
        pids.map((pid) => writeFile(join(folder, 'cgroup.procs'), String(pid))),
      );
      await Promise.allSettled(joining);
    },
    async close() {
      let left = folders;
      for (let tries = 0; tries < closing.tries && left.length > 0; tries += 1) {
        left = left.filter((folder) => existsSync(folder) && !attempt(() => rmdirSync(folder)));
        if (left.length > 0) await pause(closing.pauseMs);
      }
    },
  };
}

/** Version 2: one group has all controllers; only leaf groups have processes. */
function inUnified(mount: string): string[] | null {
  const own = ownGroups().get('');
  if (own === undefined) return null;
  for (const parent of new Set([join(mount, own), join(mount, dirname(own))])) {
    attempt(() => writeFileSync(join(parent, 'cgroup.subtree_control'), '+memory +pids'));
    const folder = makeGroup(parent);
    if (folder === null) continue;
    if (bind(folder, { 'memory.max': bounds.memory, 'pids.max': bounds.processes })) return [folder];
    attempt(() => rmdirSync(folder));
  }
  return null;
}

/** Version 1: each controller has its own groups. One of the two is better than none. */
function inSeparate(mount: string): string[] | null {
  const own = ownGroups();
  const made = Object.entries({
    memory: { 'memory.limit_in_bytes': bounds.memory },
    pids: { 'pids.max': bounds.processes },
  }).flatMap(([controller, files]) => {
    const group = own.get(controller);
    const folder = group === undefined ? null : makeGroup(join(mount, controller, group));
    if (folder === null) return [];
    if (bind(folder, files)) return [folder];
    attempt(() => rmdirSync(folder));
    return [];
  });
  return made.length === 0 ? null : made;
}

/** Returns our groups by controller. Version 2 has the empty name. */
function ownGroups(): Map<string, string> {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trimEnd().split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, controllers = '', ...group] = line.split(':');
      return controllers.split(',').map((name) => [name, group.join(':')] as const);
    }),
  );
}

const named = /^anode-(\d+)-/;

/** Creates a group named after our process, and removes groups of dead processes. */
function makeGroup(parent: string): string | null {
  try {
    for (const name of readdirSync(parent)) {
      const pid = named.exec(name)?.[1];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) attempt(() => rmdirSync(join(parent, name)));
    }
    const folder = join(parent, `anode-${process.pid}-${randomBytes(4).toString('hex')}`);
    mkdirSync(folder);
    return folder;
  } catch {
    return null;
  }
}

/** Sets the limits. Returns false if the group lacks such files or they are not writable. */
function bind(folder: string, files: Readonly<Record<string, number>>): boolean {
  return Object.entries(files).every(
    ([name, value]) =>
      existsSync(join(folder, name)) && attempt(() => writeFileSync(join(folder, name), String(value))),
  );
}

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
