import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { ShellScript } from './waiting-shell.ts';

/** A started shell that waits for its command. */
export interface PoolMember {
  readonly child: ChildProcess;
  /** Hands over the one script it will run (`scriptFor`). */
  start(script: ShellScript): void;
  /** Ends a waiting member. Resolves when nothing of it remains. */
  dismiss(): Promise<void>;
}

/** Shells started ahead, so that commands need not wait for one. */
export interface ProcessPool<Member extends PoolMember> {
  /** Returns a waiting member, or starts one. */
  take(): Member;
  /**
   * Starts members until the pool is full. Never throws: a shortage is reported to the next `take`.
   */
  fill(): void;
  /** Ends and awaits the waiting members. */
  close(): Promise<void>;
}

/**
 * Keeps `size` members waiting, created by `start`. A member that died while waiting is never
 * returned.
 */
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
        // Spare members: a shortage must not end the run.
      }
    },
    async close() {
      closed = true;
      await Promise.all(waiting.splice(0).map((member) => (isAlive(member) ? member.dismiss() : undefined)));
    },
  };
}

/**
 * Sets whether a process and its pipes keep this program alive. Those of waiting members must not.
 */
export function setKeepAlive(child: ChildProcess, keepAlive: boolean): void {
  const handles = [child, ...child.stdio] as readonly ({ ref?(): void; unref?(): void } | null | undefined)[];
  for (const handle of handles) {
    if (keepAlive) handle?.ref?.();
    else handle?.unref?.();
  }
}

/**
 * Returns the descriptor for a member's script. Throws if the system gave no pipes: Node then
 * leaves a child without any. A failed start or a kill while waiting is reported only when a
 * command starts on it.
 */
export function controlOf(child: ChildProcess): Duplex {
  child.on('error', () => {});
  const control = (child.stdio as readonly unknown[] | undefined)?.[3];
  if (!(control instanceof Duplex))
    throw new Error('A shell could not be started: this program has too many files open.');
  control.on('error', () => {});
  return control;
}
