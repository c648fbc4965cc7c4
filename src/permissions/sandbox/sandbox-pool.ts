import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** A started sandbox whose shell waits for its command. */
export interface SandboxMember {
  readonly child: ChildProcess;
  /** Hands over the one script it will run. */
  start(script: string): void;
  /** Tells one that waits that nothing will come, so that it ends. */
  dismiss(): void;
  /** Ends every process in it. */
  kill(): void;
  /** Settles when no process of it is left. */
  gone(): Promise<void>;
  /** Whether, now that it has ended, its shell had ever come up. */
  cameUp(): Promise<boolean>;
}

/**
 * No core dumps, and an end to fork bombs: as many processes as any build has. Where the kernel does not hold
 * root to it (getrlimit(2), RLIMIT_NPROC), the time-out has to do.
 */
const limits = 'ulimit -Sc 0; ulimit -Su 4096';

/** Says that it is ready, reads one script from descriptor 3, up to a NUL, and becomes it. */
const waitingShell = `{ ${limits}; } 2>/dev/null; echo >&3; IFS= read -r -d "" script <&3 || exit 125; exec 3<&-; eval "$script"`;

/**
 * Starts a sandbox that waits for a script on descriptor 3. `args` are bubblewrap's, up to the command. When
 * this program dies, the descriptor ends and the shell with it, at whatever point it was.
 */
export function startMember(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  identity: { uid?: number; gid?: number },
): SandboxMember {
  const child = spawn('bwrap', [...args, '--', '/bin/bash', '-c', waitingShell], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: { ...environment },
    ...identity,
  });
  const control = child.stdio[3] as Duplex;
  // The process with which everything in the sandbox lives and dies: the kernel ends all others before it.
  let init: number | null = null;
  let ready = false;
  let ending = false;
  const end = () => {
    // Once bwrap has ended, so has everything below it, and the number may be another's.
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (init !== null) signal(init);
    child.kill('SIGKILL');
  };
  control.once('data', () => {
    ready = true;
    init = onlyChildOf(child.pid);
    if (ending) end();
  });
  // A sandbox that failed to start closes its pipes; what it said is on its standard error.
  control.on('error', () => {});
  child.on('error', () => {});
  idle(child, true);
  return {
    child,
    start(script) {
      idle(child, false);
      control.end(`${script}\0`);
    },
    dismiss() {
      idle(child, false);
      control.end();
    },
    kill() {
      // One killed while bwrap sets it up would leave an orphan behind; it is ready within milliseconds.
      ending = true;
      if (ready) end();
    },
    async cameUp() {
      if (!ready && !control.closed) await new Promise((settle) => control.once('close', settle));
      return ready;
    },
    async gone() {
      while (init !== null && !['Z', 'X', null].includes(stateOf(init))) await pause(1);
    },
  };
}

/** Members that wait must not keep the program alive. */
function idle(child: ChildProcess, waiting: boolean): void {
  const handles = [child, ...child.stdio] as readonly ({ ref?(): void; unref?(): void } | null | undefined)[];
  for (const handle of handles) {
    if (waiting) handle?.unref?.();
    else handle?.ref?.();
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

function onlyChildOf(pid: number | undefined): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()) || null;
  } catch {
    return null;
  }
}

function stateOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0] ?? null;
  } catch {
    return null;
  }
}

/** Sandboxes started ahead, so that a command need not wait for one. */
export interface SandboxPool {
  /** A member that waits, from the pool or new. */
  take(): SandboxMember;
  /** Starts members until the pool is full. */
  fill(): void;
  /** Ends and awaits the members that wait. */
  close(): Promise<void>;
}

/** Keeps `size` members waiting, made by `start`. A member that died while it waited is never given out. */
export function createPool(size: number, start: () => SandboxMember): SandboxPool {
  const waiting: SandboxMember[] = [];
  let closed = false;
  const isAlive = (member: SandboxMember) =>
    member.child.exitCode === null && member.child.signalCode === null;
  return {
    take() {
      for (let member = waiting.shift(); member !== undefined; member = waiting.shift())
        if (isAlive(member)) return member;
      return start();
    },
    fill() {
      while (!closed && waiting.length < size) waiting.push(start());
    },
    async close() {
      closed = true;
      await Promise.all(
        waiting.splice(0).map(async (member) => {
          if (!isAlive(member)) return;
          const exited = new Promise((settle) => member.child.once('exit', settle));
          member.dismiss();
          await exited;
          await member.gone();
        }),
      );
    },
  };
}
