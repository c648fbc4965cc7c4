import { applyMutant, type Mutant } from './make-mutants.ts';
import type { TestRunner } from './test-runner.ts';

/**
 * `noticed` by the named test, `survived`, `timeout` for an endless loop (also noticed), `untested`
 * if no test loads the file.
 */
export type Verdict =
  | { readonly kind: 'noticed'; readonly by: string }
  | { readonly kind: 'survived' | 'timeout' | 'untested' };

/** Files that are run before all others: those nearest to the code notice most. */
const nearest = 3;

/**
 * Runs the tests with one fault, the nearest first, until one fails. A test that fails without the
 * fault too is no witness.
 *
 * @param tests the related tests, nearest first
 * @param sound tests that passed without any fault; grows
 * @throws {Error} when a test fails without a fault
 */
export async function tryMutant(
  mutant: Mutant,
  source: string,
  tests: readonly string[],
  runner: TestRunner,
  sound: Set<string>,
): Promise<Verdict> {
  if (tests.length === 0) return { kind: 'untested' };
  const code = applyMutant(source, mutant);
  for (const part of [tests.slice(0, nearest), tests.slice(nearest)]) {
    if (part.length === 0) continue;
    const result = await runner.run({ file: mutant.file, code, tests: part });
    if (result === 'timeout') {
      // A machine that is merely slow must not pass for an endless loop.
      await ensureEnds(mutant.file, part, runner);
      return { kind: 'timeout' };
    }
    if (result.failed === null) continue;
    await ensureSound(result.failed, mutant.file, part, runner, sound);
    return { kind: 'noticed', by: result.failed };
  }
  return { kind: 'survived' };
}

/** Runs what noticed a fault once without any. Files of the fault disappear with its process. */
async function ensureSound(
  failed: string,
  file: string,
  tests: readonly string[],
  runner: TestRunner,
  sound: Set<string>,
): Promise<void> {
  const witnesses = tests.filter((test) => failed.startsWith(`${test}: `));
  const unknown = (witnesses.length === 0 ? tests : witnesses).filter((test) => !sound.has(test));
  if (unknown.length === 0) return;
  const run = () => runner.run({ file, code: null, tests: unknown });
  let result = await run();
  if (result === 'timeout' || result.failed !== null) {
    await runner.close();
    result = await run();
  }
  if (result === 'timeout') throw new Error(`Without a fault there is no end of: ${unknown.join(', ')}`);
  if (result.failed !== null) throw new Error(`Fails without a fault, mend it first: ${result.failed}`);
  for (const test of unknown) sound.add(test);
}

async function ensureEnds(file: string, tests: readonly string[], runner: TestRunner): Promise<void> {
  if ((await runner.run({ file, code: null, tests })) === 'timeout')
    throw new Error(`Without a fault there is no end of: ${tests.join(', ')}`);
}
