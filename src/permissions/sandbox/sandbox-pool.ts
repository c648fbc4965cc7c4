import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** A started sandbox whose shell waits for its command. */
export interface SandboxMember {
  readonly child: ChildProcess;
  /** Hands over the one script it will run. */
  start(script: string): void;
  /** Ends every process in it. */
  kill(): void;
  /** Settles when no process of it is left. */
  gone(): Promise<void>;
}

/** Reads one script from descriptor 3, up to a NUL, and becomes it. */
const waitingShell = 'IFS= read -r -d "" script <&3 || exit 125; exec 3<&-; eval "$script"';

/**
 * Starts a sandbox that waits: `args` are bubblewrap's, up to the command. Descriptor 3 takes the script,
 * descriptor 4 tells the process id of the sandbox's init, with which everything in it lives and dies.
 */
export function startMember(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  identity: { uid?: number; gid?: number },
): SandboxMember {
  const child = spawn('bwrap', ['--info-fd', '4', ...args, '--', '/bin/bash', '-c', waitingShell], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    env: { ...environment },
    ...identity,
  });
  const control = child.stdio[3] as Duplex;
  const told = child.stdio[4] as Duplex;
  let info = '';
  let init: number | null = null;
  told.on('data', (chunk: Buffer) => {
    info += chunk.toString();
    init = Number(/"child-pid": (\d+)/.exec(info)?.[1] ?? 0) || null;
  });
  // A sandbox that failed to start closes its pipes; what it said is on its standard error.
  for (const stream of [control, told]) stream.on('error', () => {});
  child.on('error', () => {});
  const kill = () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // Through init: the kernel ends all processes of the sandbox before init itself is gone.
    if (init !== null && stateOf(init) !== null) process.kill(init, 'SIGKILL');
    else child.kill('SIGKILL');
  };
  idle(child, true);
  return {
    child,
    start(script) {
      idle(child, false);
      control.end(`${script}\0`);
    },
    kill,
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
  /** Kills and awaits the members that wait. */
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
          member.child.ref();
          member.kill();
          await exited;
          await member.gone();
        }),
      );
    },
  };
}
