import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { Message, Task } from './messages.ts';

/** Runs tests in a process of its own, which is started when first needed and again after it was ended. */
export interface TestRunner {
  /** The first test that failed, in words; null when all passed; `timeout` when nothing was heard for too long. */
  run(task: Task): Promise<{ failed: string | null } | 'timeout'>;
  close(): Promise<void>;
}

/**
 * @param silence milliseconds without any test ending after which the code counts as an endless loop; must be longer than any
 *   one test or hook may take
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
  const start = (): ChildProcess => {
    const script = path.join(import.meta.dirname, 'mutant-process.ts');
    // A group of its own, so that an endless loop in a process of a test ends with it.
    return fork(script, [], { detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  };
  return {
    async run(task) {
      child ??= start();
      const result = await converse(child, task, silence);
      if (result === 'timeout') await close();
      return result;
    },
    close,
  };
}

function converse(child: ChildProcess, task: Task, silence: number): ReturnType<TestRunner['run']> {
  const { promise, resolve, reject } = Promise.withResolvers<{ failed: string | null } | 'timeout'>();
  const timer = setTimeout(() => resolve('timeout'), silence);
  const hear = (message: Message): void => {
    timer.refresh();
    if ('failed' in message) resolve(message);
  };
  const end = (code: number | null) =>
    reject(new Error(`The process that runs the tests ended with ${code}.`));
  child.on('message', hear);
  child.once('exit', end);
  child.send(task);
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('message', hear);
    child.off('exit', end);
  });
}
