/**
 * A process that keeps vitest warm and runs tests with one file's code swapped in memory. It is
 * started with an IPC channel, receives a {@link Task} as a message and answers with a {@link
 * Verdict}. Each finished test sends a sign of life.
 */
import path from 'node:path';
import type { Plugin } from 'vite';
import { createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node';
import type { Message, Task } from './messages.ts';

const root = path.resolve(import.meta.dirname, '..', '..');

/** Milliseconds for vitest to take away what it keeps for a run. */
const longestGoodbye = 3_000;

/** The replaced code; null while the original sources run. */
const swapped: { now: { file: string; code: string } | null } = { now: null };

const swap: Plugin = {
  name: 'swap-one-file',
  enforce: 'pre',
  transform: (_, id) => {
    const { now } = swapped;
    return now !== null && id.split('?')[0] === now.file ? now.code : null;
  },
};

function send(message: Message): void {
  if (process.connected) process.send?.(message);
}

async function startVitest(): Promise<Vitest> {
  const sign = () => send({ alive: true });
  const vitest = await createVitest(
    'test',
    {
      root,
      watch: false,
      bail: 1,
      update: false,
      reporters: [{ onTestCaseResult: sign, onTestModuleEnd: sign }],
      // A loaded machine is no fault.
      testTimeout: 90_000,
      hookTimeout: 120_000,
      // A cache on disk would hand out code without the fault, and keep code with it.
      fsModuleCache: false,
    },
    { plugins: [swap] },
  );
  await vitest.standalone();
  return vitest;
}

/** Returns the first failure as text; null when all tests passed. */
function failureOf(modules: readonly TestModule[], errors: readonly unknown[]): string | null {
  for (const module of modules) {
    if (module.state() !== 'failed') continue;
    for (const test of module.children.allTests('failed'))
      return `${module.relativeModuleId}: ${test.fullName}`;
    return `${module.relativeModuleId}: ${module.errors()[0]?.message ?? 'could not be loaded'}`;
  }
  return errors.length === 0 ? null : `outside of a test: ${String(errors[0])}`;
}

async function runTask(
  vitest: Vitest,
  all: readonly TestSpecification[],
  { file, code, tests }: Task,
): Promise<string | null> {
  const absolute = path.join(root, file);
  swapped.now = code === null ? null : { file: absolute, code };
  vitest.invalidateFile(absolute);
  const chosen = new Set(tests.map((test) => path.join(root, test)));
  const specifications = all.filter(({ moduleId }) => chosen.has(moduleId));
  try {
    // Vitest keeps and returns what earlier runs came to as well.
    for (const { project, moduleId } of specifications) vitest.state.clearFiles(project, [moduleId]);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    return failureOf(
      testModules.filter(({ moduleId }) => chosen.has(moduleId)),
      unhandledErrors,
    );
  } finally {
    swapped.now = null;
    vitest.invalidateFile(absolute);
  }
}

const starting = startVitest();
process.on('disconnect', () => {
  // Ends processes that tests started, and a worker in an endless loop, together with this one.
  const endAll = () => process.kill(-process.pid, 'SIGKILL');
  setTimeout(endAll, longestGoodbye);
  starting.then((vitest) => vitest.close()).then(endAll, endAll);
});
const vitest = await starting;
const all = await vitest.globTestSpecifications();
process.on('message', (task: Task) => {
  runTask(vitest, all, task).then(
    (failed) => send({ failed }),
    (error: unknown) => send({ failed: `outside of a test: ${String(error)}` }),
  );
});
send({ alive: true });
