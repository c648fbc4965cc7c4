import type { Worked } from './delivery-methods.ts';
import type { DeliveryProcess } from './start-delivery-process.ts';

/** Processes that wait for work are kept so long, in milliseconds, and no more of them than this. */
const idleMs = 60_000;
const mostIdle = 4;

export interface DeliveryPool {
  /**
   * Has one process work, which nobody else uses meanwhile: another where one does not take what it is given. It ends where that rejects,
   * or says that it is not reusable.
   */
  use(act: (process: DeliveryProcess) => Promise<Worked>): Promise<void>;
  /** Ends all of them. */
  close(): Promise<void>;
}

/** Starts processes as they are needed, and keeps a few that are done for what comes next. */
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
