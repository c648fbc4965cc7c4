/**
 * Puts small faults into the code and tells which of them the tests notice: `npm run mutate -- PATH
 * …`.
 */

import { randomInt } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type MutateSettings, readArguments, usage } from './mutate/arguments.ts';
import { createCompileCheck } from './mutate/compile-check.ts';
import { applyMutant, type Mutant, makeMutants } from './mutate/make-mutants.ts';
import { seededRandom, shuffledInTurn } from './mutate/pick-sample.ts';
import { readFaults } from './mutate/read-faults.ts';
import { readImports, relatedTests } from './mutate/related-tests.ts';
import { showMutant } from './mutate/show-mutant.ts';
import { createTestRunner } from './mutate/test-runner.ts';
import { tryMutant } from './mutate/try-mutant.ts';

const root = path.resolve(import.meta.dirname, '..');
/**
 * Longer than any test or hook may take by `vitest.config.ts`, with time to load what they need.
 */
const silence = 150_000;

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

function sourcesBelow(at: string): string[] {
  const isFile = statSync(path.join(root, at), { throwIfNoEntry: false })?.isFile() === true;
  const files = isFile ? [at] : globSync(`${at}/**/*.ts`, { cwd: root }).toSorted();
  if (files.length === 0) throw new RangeError(`No TypeScript file at ${at}.`);
  return files;
}

/** A random sample of faults with correct types, drawn in turn from each path. */
function* drawSample({ paths, sample, seed }: MutateSettings): Generator<Mutant> {
  const groups = paths.map((at) => sourcesBelow(at).flatMap((file) => makeMutants(file, read(file))));
  const compiles = createCompileCheck(root, paths.flatMap(sourcesBelow));
  let drawn = 0;
  for (const mutant of shuffledInTurn(groups, seededRandom(seed))) {
    if (drawn === sample) return;
    if (!compiles(mutant.file, applyMutant(read(mutant.file), mutant))) continue;
    drawn++;
    yield mutant;
  }
}

async function mutate(settings: MutateSettings): Promise<boolean> {
  const files = globSync('{src,action,test}/**/*.ts', { cwd: root });
  const graph = readImports(root, files);
  const runner = createTestRunner(silence);
  const counts = { noticed: 0, timeout: 0, survived: 0, untested: 0 };
  const sound = new Set<string>();
  const mutants = settings.faults === null ? drawSample(settings) : readFaults(settings.faults, read);
  if (settings.faults === null) console.log(`seed ${settings.seed}, sample ${settings.sample}`);
  try {
    for (const mutant of mutants) {
      const source = read(mutant.file);
      const verdict = await tryMutant(
        mutant,
        source,
        relatedTests(graph, mutant.file).slice(0, settings.tests),
        runner,
        sound,
      );
      counts[verdict.kind]++;
      console.log(`${verdict.kind} ${showMutant(source, mutant)}`);
      if (verdict.kind === 'noticed') console.log(`    ${verdict.by}`);
    }
  } finally {
    await runner.close();
  }
  return report(counts, settings.least);
}

function report(
  { noticed, timeout, survived, untested }: Record<'noticed' | 'timeout' | 'survived' | 'untested', number>,
  least: number,
): boolean {
  const all = noticed + timeout + survived + untested;
  const share = all === 0 ? 100 : ((noticed + timeout) / all) * 100;
  console.log(
    `${noticed + timeout} of ${all} faults noticed (${share.toFixed(1)} %; ${timeout} by an endless loop); ` +
      `${survived} survived, ${untested} in files that no test loads.`,
  );
  return share >= least;
}

const settings = readArguments(process.argv.slice(2), () => randomInt(2 ** 32 - 1));
if (typeof settings === 'string') {
  console.error(`${settings}\n\n${usage}`);
  process.exitCode = 2;
} else {
  process.exitCode = (await mutate(settings)) ? 0 : 1;
}
