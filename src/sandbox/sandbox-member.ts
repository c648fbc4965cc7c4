import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { controlOf, type PoolMember, setKeepAlive } from './process-pool.ts';
import type { RunCgroup } from './run-cgroup.ts';
import { handOver, shellArguments, waitForScript } from './waiting-shell.ts';

/** A started sandbox whose shell waits for its command. */
export interface SandboxMember extends PoolMember {
  /** Kills every process in it. */
  kill(): void;
  /** Sends SIGTERM to its command. */
  terminate(): void;
  /** Resolves when no process of it is left. */
  gone(): Promise<void>;
  /** Resolves after its end to whether its shell had started. */
  cameUp(): Promise<boolean>;
}

/**
 * Irrevocable limits of a command: no core dumps, 4096 processes, files up to 8 GiB. The process
 * limit does not bind root (fork(2), EAGAIN); there the cgroup or the time-out applies. Out of
 * memory, the kernel kills commands first.
 */
const bounds = 'ulimit -c 0; ulimit -u 4096; ulimit -f 8388608; echo 1000 > /proc/self/oom_score_adj';

/** Inherited descriptors may be sockets to anything. */
const closeOthers = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; [[ $fd -gt 3 ]] && eval "exec $fd>&-"; done; unset fd`;

/** Signals that it is ready, and waits. */
const shell = `{ ${bounds}; } 2>/dev/null; ${closeOthers}; echo >&3; ${waitForScript}`;

/** The settings of every sandbox of a run, besides its mounts. */
interface MemberSettings {
  /** The path of bubblewrap, outside of any checkout. */
  readonly bwrap: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The user to run as. Default: ours. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** The file of the system call filter named in bubblewrap's arguments. */
  readonly filterFile: string;
  /** Limits its processes where the machine permits. */
  readonly cgroup: RunCgroup | null;
}

/**
 * Starts a sandbox that waits for a script on descriptor 3. `args` are bubblewrap's, up to the
 * command. If this program dies, the descriptor ends and the shell exits.
 */
export function startMember(args: readonly string[], settings: MemberSettings): SandboxMember {
  const child = spawnSandbox(args, settings);
  const control = controlOf(child);
  // The init process of the sandbox. The kernel kills all others before it.
  let init: number | null = null;
  let up = false;
  let ready = false;
  let ending = false;
  let awaited: string | null = null;
  const end = () => {
    // After bwrap's end everything below it has ended, and the number may be reused.
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
    // The shell waits for its script, so everything it starts will be in the group.
    await settings.cgroup?.add([init, onlyChildOf(init)].filter((pid) => pid !== null));
    ready = true;
    if (awaited !== null) control.end(awaited);
  });
  setKeepAlive(child, false);
  return {
    child,
    start(script) {
      setKeepAlive(child, true);
      awaited = handOver(script);
      // Not earlier: a bubblewrap still setting up would not die with us, and its shell would find
      // the script.
      if (ready) control.end(awaited);
    },
    async dismiss() {
      setKeepAlive(child, true);
      const exited = new Promise((resolve) => child.once('exit', resolve));
      control.end();
      await exited;
      await gone();
    },
    kill() {
      // Killed during bwrap's set-up, it would leave an orphan. It is ready within milliseconds.
      ending = true;
      if (up) end();
    },
    terminate() {
      for (const pid of childrenOf(init)) signal(pid, 'SIGTERM');
    },
    async cameUp() {
      if (!up && !control.closed) await new Promise((resolve) => control.once('close', resolve));
      return up;
    },
    gone,
  };
}

function spawnSandbox(
  args: readonly string[],
  { bwrap, environment, identity, filterFile }: MemberSettings,
): ChildProcess {
  // Opened for each, since they would share the read position.
  const filter = openedForReading(filterFile);
  const child = spawn(bwrap, [...args, '--', '/bin/bash', ...shellArguments(shell)], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', filter ?? 'ignore'],
    argv0: 'bwrap',
    env: { ...environment },
    ...identity,
  });
  if (filter !== null) closeSync(filter);
  return child;
}

/** Null on failure. Bubblewrap then ends at once, which is reported to the member's user. */
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
    // Already ended.
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
