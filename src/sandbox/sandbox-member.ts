import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { controlOf, holdProgram, type PoolMember } from './process-pool.ts';
import type { RunCgroup } from './run-cgroup.ts';
import { handOver, shellWords, waitForScript } from './waiting-shell.ts';

/** A started sandbox whose shell waits for its command. */
export interface SandboxMember extends PoolMember {
  /** Ends every process in it. */
  kill(): void;
  /** Asks its command to end. */
  terminate(): void;
  /** Settles when no process of it is left. */
  gone(): Promise<void>;
  /** Whether, now that it has ended, its shell had ever come up. */
  cameUp(): Promise<boolean>;
}

/**
 * What a command starts with, and cannot take back: no core dumps, as many processes as any build has, no file
 * beyond 8 GiB. The kernel does not hold root to the number of processes (fork(2), EAGAIN): there the cgroup or the
 * time-out has to do. When memory runs out, the kernel is to choose what runs here, and not us.
 */
const bounds = 'ulimit -c 0; ulimit -u 4096; ulimit -f 8388608; echo 1000 > /proc/self/oom_score_adj';

/** Descriptors that whoever started us left open may be sockets to anything. */
const closeOthers = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; [[ $fd -gt 3 ]] && eval "exec $fd>&-"; done; unset fd`;

/** Says that it is ready, and waits. */
const shell = `{ ${bounds}; } 2>/dev/null; ${closeOthers}; echo >&3; ${waitForScript}`;

/** What every sandbox of a run is started with, besides what it shows. */
export interface MemberSettings {
  /** The file of bubblewrap, which no checkout decides on. */
  readonly bwrap: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whom it runs as, where that is not us. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** The file of the filter of system calls that bubblewrap's arguments tell of. */
  readonly filterFile: string;
  /** Bounds what runs in it, where the machine can. */
  readonly cgroup: RunCgroup | null;
}

/**
 * Starts a sandbox that waits for a script on descriptor 3. `args` are bubblewrap's, up to the command. When this program dies, the descriptor ends and
 * the shell with it, at whatever point it was.
 */
export function startMember(
  args: readonly string[],
  { bwrap, environment, identity, filterFile, cgroup }: MemberSettings,
): SandboxMember {
  // Opened for each: they would share the place up to which it is read.
  const filter = openedForReading(filterFile);
  const child = spawn(bwrap, [...args, '--', '/bin/bash', ...shellWords(shell)], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', filter ?? 'ignore'],
    argv0: 'bwrap',
    env: { ...environment },
    ...identity,
  });
  if (filter !== null) closeSync(filter);
  const control = controlOf(child);
  // The process with which everything in the sandbox lives and dies: the kernel ends all others before it.
  let init: number | null = null;
  let up = false;
  let ready = false;
  let ending = false;
  let awaited: string | null = null;
  const end = () => {
    // Once bwrap has ended, so has everything below it, and the number may be another's.
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (init !== null) signal(init);
    child.kill('SIGKILL');
  };
  const gone = async () => {
    while (init !== null && !['Z', 'X', null].includes(stateOf(init))) await pause(1);
  };
  control.once('data', async () => {
    up = true;
    init = onlyChildOf(child.pid);
    if (ending) return end();
    // Its shell does nothing until it is told: whatever it starts will be in the group.
    await cgroup?.add([init, onlyChildOf(init)].filter((pid) => pid !== null));
    ready = true;
    if (awaited !== null) control.end(awaited);
  });
  holdProgram(child, false);
  return {
    child,
    start(script) {
      holdProgram(child, true);
      awaited = handOver(script);
      // Not before: bubblewrap that is still setting up would not die with us, and its shell would find the script.
      if (ready) control.end(awaited);
    },
    async dismiss() {
      holdProgram(child, true);
      const exited = new Promise((settle) => child.once('exit', settle));
      control.end();
      await exited;
      await gone();
    },
    kill() {
      // One killed while bwrap sets it up would leave an orphan behind; it is ready within milliseconds.
      ending = true;
      if (up) end();
    },
    terminate() {
      for (const pid of childrenOf(init)) signal(pid, 'SIGTERM');
    },
    async cameUp() {
      if (!up && !control.closed) await new Promise((settle) => control.once('close', settle));
      return up;
    },
    gone,
  };
}

/** Null where that fails: without its filter bubblewrap ends at once, which whoever uses the member is told. */
function openedForReading(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch {
    return null;
  }
}

function signal(pid: number, name: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already.
  }
}

function onlyChildOf(pid: number | undefined | null): number | null {
  const [only = null, ...more] = childrenOf(pid);
  return more.length === 0 ? only : null;
}

function childrenOf(pid: number | undefined | null): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number)
      .filter(Boolean);
  } catch {
    return [];
  }
}

function stateOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0] ?? null;
  } catch {
    return null;
  }
}
