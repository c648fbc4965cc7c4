import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessTree } from './running-command.ts';

/** The variable that identifies the processes of a command. */
const variable = 'ANODE_COMMAND';

/** An environment mark by which a process and its descendants can be found. */
export interface Mark {
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Returns the tree of a waiting process that was started with the mark in its own group and has
   * no children yet.
   */
  treeOf(child: ChildProcess): ProcessTree;
}

/**
 * Makes a mark for one process. Processes that left its group are found by the mark in their
 * environment, or because they hold its output open.
 */
export function newMark(): Mark {
  const id = randomUUID();
  return {
    environment: { [variable]: id },
    treeOf(child) {
      const { pid } = child;
      const output = pid === undefined ? null : linkOf(`/proc/${pid}/fd/1`);
      const trace = { id, output, since: newestNumber() };
      let left = true;
      let found = false;
      return {
        kill() {
          // Ended output is open in no process.
          const ended = child.stdout?.readableEnded === true && child.stderr?.readableEnded === true;
          if (pid !== undefined)
            ({ left, found } = killTree(pid, ended ? { ...trace, output: null } : trace));
        },
        found: () => found,
        terminate() {
          if (pid !== undefined) signal(-pid, 'SIGTERM');
        },
        gone: () => (left ? treeGone(pid, trace) : Promise.resolve()),
      };
    },
  };
}

/** Identifies the processes of a command by the mark and by the socket of its output. */
interface Trace {
  readonly id: string;
  readonly output: string | null;
  /** The last process number assigned before the command began. */
  readonly since: number;
}

/**
 * Kills every process of a command that can be found. `left` is false if there was none, so that
 * nothing can fork. A group may consist of zombies; `found` processes were still running.
 */
function killTree(pid: number, trace: Trace): { left: boolean; found: boolean } {
  const survivors = marked(pid, trace);
  const hadGroup = signal(-pid);
  for (const survivor of survivors) signal(survivor);
  return { left: hadGroup || survivors.length > 0, found: survivors.length > 0 };
}

/** Kills until a search finds nothing: a process may fork between search and kill. */
async function treeGone(pid: number | undefined, trace: Trace): Promise<void> {
  if (pid === undefined) return;
  for (;;) {
    const survivors = marked(pid, trace);
    if (survivors.length === 0 && !groupAlive(pid)) return;
    for (const survivor of survivors) signal(survivor);
    signal(-pid);
    await pause(1);
  }
}

function groupAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
  } catch {
    return false;
  }
  // Zombies still count as members of the group.
  return processes().some((one) => statOf(one)?.group === pid && statOf(one)?.state !== 'Z');
}

/** Signals a process, or with a negative number its group. Returns false if there is none. */
function signal(pid: number, name: NodeJS.Signals = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Returns living processes that bear the mark or could still write to the output. */
function marked(pid: number, { id, output, since }: Trace): number[] {
  const needle = `${variable}=${id}`;
  return candidates(pid, since).filter((one) => {
    try {
      const ours = readFileSync(`/proc/${one}/environ`, 'latin1').includes(needle) || holds(one, output);
      return ours && statOf(one)?.state !== 'Z';
    } catch {
      return false;
    }
  });
}

/**
 * Returns true for a process with a descriptor of the socket. Ours holds the other end, a different
 * socket.
 */
function holds(pid: number, output: string | null): boolean {
  if (output === null || pid === process.pid) return false;
  return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === output);
}

function linkOf(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}

/** Up to this count, checking each number is faster than listing all processes. */
const fewNumbers = 32;

/**
 * Returns possible processes of a command: its shell and those numbered since. Returns all once the
 * numbers have wrapped.
 */
function candidates(pid: number, since: number): number[] {
  const newest = newestNumber();
  if (!(newest > 0 && newest >= since)) return processes();
  if (newest - since >= fewNumbers) return processes().filter((one) => one === pid || one > since);
  const numbers = Array.from({ length: newest - since }, (_, index) => since + 1 + index);
  return [pid, ...numbers].filter((one) => existsSync(`/proc/${one}`));
}

/** Returns the last assigned process number (proc(5), `/proc/loadavg`); 0 or NaN if unknown. */
function newestNumber(): number {
  return Number(readText('/proc/loadavg')?.split(' ').at(-1));
}

function processes(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function statOf(pid: number): { state: string; group: number } | null {
  // proc_pid_stat(5): the name in parentheses may contain anything, so count from the last one.
  const fields = readText(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  const [state, , group] = fields ?? [];
  return state === undefined ? null : { state, group: Number(group) };
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
