import type { ChildProcess } from 'node:child_process';

/** A started shell that waits for its command. */
export interface PoolMember {
  readonly child: ChildProcess;
  /** Hands over the one script it will run (`scriptFor`). */
  start(script: string): void;
  /** Ends one that still waits; settles when nothing of it is left. */
  dismiss(): Promise<void>;
}

/** Shells started ahead, so that a command need not wait for one. */
export interface ProcessPool<Member extends PoolMember> {
  /** A member that waits, from the pool or new. */
  take(): Member;
  /** Starts members until the pool is full. */
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
  const isAlive = ({ child }: Member) => child.exitCode === null && child.signalCode === null;
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
