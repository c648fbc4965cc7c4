import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { Message, Task } from './messages.ts';

/** Runs tests in a separate process, which starts when needed and again after it was ended. */
export interface TestRunner {
  /**
   * The first failed test as text; null if all passed; `timeout` when nothing was heard for too
   * long.
   */
  run(task: Task): Promise<{ failed: string | null } | 'timeout'>;
  close(): Promise<void>;
}

/**
 * @param silence milliseconds without a finished test after which the code counts as an endless
 * loop; must be longer than any one test or hook
 */
export function createTestRunner(silence: number): TestRunner {
  let child: ChildProcess | null = null;
  const close = async (): Promise<void> => {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    ending.once('exit', () => resolve());
    // It ends itself, with all that its tests started.
    ending.disconnect();
    await promise;
  };
  return {
    async run(task) {
      if (child === null) {
        child = start();
        await converse(child, null, null);
      }
      const message = await converse(child, task, silence);
      if (message !== 'timeout' && 'failed' in message) return message;
      await close();
      return 'timeout';
    },
    close,
  };
}

/** In its own process group, so an endless loop in a test's process ends with it. */
function start(): ChildProcess {
  const script = path.join(import.meta.dirname, 'mutant-process.ts');
  return fork(script, [], { detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/**
 * Waits for the last message of a task, or the first without one; `timeout` after no message for
 * `limit` milliseconds, null for never.
 */
async function converse(
  child: ChildProcess,
  task: Task | null,
  limit: number | null,
): Promise<Message | 'timeout'> {
  const { promise, resolve, reject } = Promise.withResolvers<Message | 'timeout'>();
  const timer = limit === null ? undefined : setTimeout(() => resolve('timeout'), limit);
  const hear = (message: Message): void => {
    timer?.refresh();
    if (task === null || 'failed' in message) resolve(message);
  };
  const end = (code: number | null) =>
    reject(new Error(`The process that runs the tests ended with ${code}.`));
  child.on('message', hear);
  child.once('exit', end);
  if (task !== null) child.send(task);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off('message', hear);
    child.off('exit', end);
  }
}
