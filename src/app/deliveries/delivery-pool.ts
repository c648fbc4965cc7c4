import type { Worked } from './delivery-methods.ts';
import type { DeliveryProcess } from './start-delivery-process.ts';

/** Limits of idle processes: milliseconds before they end, and their number. */
const idleMs = 60_000;
const mostIdle = 4;

interface DeliveryPool {
  /**
   * Runs `act` with a process of its own. If the process does not take the work, another is tried.
   * The process ends if `act` rejects or reports that it is not reusable.
   */
  use(act: (process: DeliveryProcess) => Promise<Worked>): Promise<void>;
  /** Ends all processes. */
  close(): Promise<void>;
}

/** Starts processes on demand, and keeps a few idle ones for later deliveries. */
export function createDeliveryPool(start: () => DeliveryProcess): DeliveryPool {
  const all = new Set<DeliveryProcess>();
  const idle: { readonly process: DeliveryProcess; readonly timer: NodeJS.Timeout }[] = [];
  const end = async (process: DeliveryProcess): Promise<void> => {
    await process.end();
    all.delete(process);
  };
  const take = (): DeliveryProcess => {
    for (let last = idle.pop(); last !== undefined; last = idle.pop()) {
      clearTimeout(last.timer);
      if (last.process.isAlive()) return last.process;
      void end(last.process);
    }
    const process = start();
    all.add(process);
    return process;
  };
  const keep = (process: DeliveryProcess): void => {
    const timer = setTimeout(() => {
      const index = idle.findIndex((one) => one.process === process);
      if (index >= 0) idle.splice(index, 1);
      void end(process);
    }, idleMs);
    timer.unref();
    idle.push({ process, timer });
  };
  return {
    async use(act) {
      for (let taken = false; !taken; ) {
        const process = take();
        let reusable = false;
        try {
          ({ taken, reusable } = await act(process));
        } finally {
          if (reusable && process.isAlive() && idle.length < mostIdle) keep(process);
          else void end(process);
        }
      }
    },
    async close() {
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...all].map(end));
    },
  };
}
