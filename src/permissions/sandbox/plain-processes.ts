import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandRunner, ProcessRequest } from './command-runner.ts';
import { requireRunnable } from './require-runnable.ts';
import { followCommand, followProcess } from './running-command.ts';

/** The variable by which the processes of a command are known again, wherever they hide. */
const mark = 'ANODE_COMMAND';

/**
 * A runner without a sandbox: every command in a process group of its own, with the environment given and
 * an empty home that lasts as long as the runner. Processes that left the group are found by a mark in their
 * environment, or by the command's output that they hold open, and killed as well.
 */
export function plainRunner(environment: Readonly<Record<string, string>>): CommandRunner {
  const running = new Map<Promise<unknown>, () => void>();
  let home: string | null = null;
  let closed = false;
  const start = (request: ProcessRequest) => {
    if (closed) throw new Error('a command was to be started when its run had ended');
    home ??= mkdtempSync(join(tmpdir(), 'anode-home-'));
    return startMarked(request, { ...environment, HOME: home, ...request.env });
  };
  return {
    sandboxed: false,
    async run(request) {
      request.signal.throwIfAborted();
      const { child, tree } = start(request);
      const done = followCommand(child, request, tree);
      running.set(done, tree.kill);
      try {
        return await done;
      } finally {
        running.delete(done);
      }
    },
    async open(request) {
      // On a terminal the output is the terminal's: what knows the tree again is kept open beside it.
      const { child, tree } = start({ ...request, command: `exec 9>&1; ${request.command}` });
      const process = followProcess(child, request, tree);
      const { ended } = process;
      running.set(ended, tree.kill);
      const forget = () => void running.delete(ended);
      ended.then(forget, forget);
      return process;
    },
    async close() {
      closed = true;
      for (const kill of running.values()) kill();
      await Promise.allSettled(running.keys());
      if (home !== null) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Starts a command in a group of its own, with the mark; `tree` finds whatever comes of it. */
function startMarked({ command, cwd }: ProcessRequest, environment: Readonly<Record<string, string>>) {
  requireRunnable(command);
  const id = randomUUID();
  const child = spawn('bash', ['-c', `read -ru3; exec 3<&-; ${command}`], {
    cwd,
    env: { ...environment, [mark]: id },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  }) as ChildProcessWithoutNullStreams;
  const pid = child.pid;
  const trace = { id, output: pid === undefined ? null : linkOf(`/proc/${pid}/fd/1`) };
  // Bash waits for this: of a command that has ended already, nobody could tell which output it held.
  const start = child.stdio[3];
  if (start instanceof Writable) start.on('error', () => {}).end('\n');
  let left = true;
  const kill = () => {
    // Output that has ended is held by nobody.
    const ended = child.stdout.readableEnded && child.stderr.readableEnded;
    if (pid !== undefined) left = killTree(pid, ended ? { id, output: null } : trace);
  };
  const gone = () => (left ? treeGone(pid, trace) : Promise.resolve());
  const terminate = () => {
    if (pid !== undefined) signal(-pid, 'SIGTERM');
  };
  return { child, tree: { kill, terminate, gone } };
}

/** What the processes of a command are known by: the mark's value, and the socket that its output goes to. */
interface Trace {
  readonly id: string;
  readonly output: string | null;
}

/** Kills whatever can be found of a command. False when nothing was: then nothing is left to fork either. */
function killTree(pid: number, trace: Trace): boolean {
  const hadGroup = signal(-pid);
  const survivors = marked(pid, trace);
  for (const survivor of survivors) signal(survivor);
  return hadGroup || survivors.length > 0;
}

/** Kills until a look finds nothing: a process may fork between the look and the kill. */
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
  // Zombies that wait for their parent still count as members of the group.
  return processes().some((one) => statOf(one)?.group === pid && statOf(one)?.state !== 'Z');
}

/** Kills a process, or with a negative number its group; false when there is none. */
function signal(pid: number, name: NodeJS.Signals = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Living processes whose environment bears the mark, or that could still write to the output. */
function marked(pid: number, { id, output }: Trace): number[] {
  const needle = `${mark}=${id}`;
  return candidates(pid).filter((one) => {
    try {
      const ours = readFileSync(`/proc/${one}/environ`, 'latin1').includes(needle) || holds(one, output);
      return ours && statOf(one)?.state !== 'Z';
    } catch {
      return false;
    }
  });
}

/** True for a process with a descriptor of the socket. Ours has the other end, which is another socket. */
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

/** Below this it costs less to ask for each number than to list all processes. */
const fewNumbers = 32;

/** Processes that can be as young as `pid`: those from it on, or all once the kernel's count has wrapped. */
function candidates(pid: number): number[] {
  const newest = Number(readText('/proc/loadavg')?.trim().split(' ').at(-1) ?? 0);
  if (newest < pid) return processes();
  if (newest - pid >= fewNumbers) return processes().filter((one) => one >= pid);
  const numbers = Array.from({ length: newest - pid + 1 }, (_, index) => pid + index);
  return numbers.filter((one) => existsSync(`/proc/${one}`));
}

function processes(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function statOf(pid: number): { state: string; group: number } | null {
  // proc_pid_stat(5): the name in parentheses may hold anything, so count from the last one.
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
