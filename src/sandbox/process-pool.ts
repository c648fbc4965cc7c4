import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { ShellScript } from './waiting-shell.ts';

/** A started shell that waits for its command. */
export interface PoolMember {
  readonly child: ChildProcess;
  /** Hands over the one script it will run (`scriptFor`). */
  start(script: ShellScript): void;
  /** Ends one that still waits; settles when nothing of it is left. */
  dismiss(): Promise<void>;
}

/** Shells started ahead, so that a command need not wait for one. */
export interface ProcessPool<Member extends PoolMember> {
  /** A member that waits, from the pool or new. */
  take(): Member;
  /** Starts members until the pool is full, or the system gives no more: whoever takes one then is told why. Never throws. */
  fill(): void;
  /** Ends and awaits the members that wait. */
  close(): Promise<void>;
}

/** Keeps `size` members waiting, made by `start`. A member that died while it waited is never given out. */
export function createPool<Member extends PoolMember>(
  size: number,
  start: () => Member,
): ProcessPool<Member> {
  const waiting: Member[] = [];
  let closed = false;
  const isAlive = ({ child }: Member) =>
    child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    take() {
      for (let member = waiting.shift(); member !== undefined; member = waiting.shift())
        if (isAlive(member)) return member;
      return start();
    },
    fill() {
      try {
        while (!closed && waiting.length < size) waiting.push(start());
      } catch {
        // Nobody waits for these: a run must not end because there is no room for one to spare.
      }
    },
    async close() {
      closed = true;
      await Promise.all(waiting.splice(0).map((member) => (isAlive(member) ? member.dismiss() : undefined)));
    },
  };
}

/** Whether a process and its pipes keep the program alive: those of members that wait must not. */
export function holdProgram(child: ChildProcess, holding: boolean): void {
  const handles = [child, ...child.stdio] as readonly ({ ref?(): void; unref?(): void } | null | undefined)[];
  for (const handle of handles) {
    if (holding) handle?.ref?.();
    else handle?.unref?.();
  }
}

/**
 * The descriptor over which a member is told its script. Throws where the system would give no pipes: then Node leaves a child without
 * any. That it could not be started, or was killed as it waited, fails nobody yet: whoever starts a command on it is told.
 */
export function controlOf(child: ChildProcess): Duplex {
  child.on('error', () => {});
  const control = (child.stdio as readonly unknown[] | undefined)?.[3];
  if (!(control instanceof Duplex))
    throw new Error('A shell could not be started: this program has too many files open.');
  control.on('error', () => {});
  return control;
}
