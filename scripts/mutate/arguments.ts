import { parseArgs } from 'node:util';

/** The settings of one run. */
export interface MutateSettings {
  /** Files or folders, relative to the root. */
  readonly paths: readonly string[];
  /** The number of faults to try; they are spread evenly over the paths. */
  readonly sample: number;
  readonly seed: number;
  /** Lowest share of noticed faults for exit code 0, in percent. */
  readonly least: number;
  /** At most so many test files are run for a fault, the nearest first. */
  readonly tests: number;
  /** A JSON file with faults of one's own (`[{ file, old, new }]`), tried instead of a sample. */
  readonly faults: string | null;
}

export const usage = `usage: npm run mutate -- PATH … [--sample N] [--seed S] [--least PERCENT]
       npm run mutate -- --faults FILE.json

Puts small faults into the code below each PATH, in memory, and runs the tests that load it: of its folder first, the nearest first.
  --sample N        number of faults, spread evenly over the paths (default 20)
  --seed S          whole number that decides which; printed by each run (default: random)
  --least PERCENT   exit code 1 when fewer are noticed (default 85)
  --tests N         most test files for one fault, the nearest first (default 16)
  --faults FILE     tries these instead: [{ "file": "src/…", "old": "…", "new": "…" }]`;

/** Reads the arguments; a text says what is wrong with them. */
export function readArguments(args: readonly string[], anySeed: () => number): MutateSettings | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        sample: { type: 'string', default: '20' },
        seed: { type: 'string' },
        least: { type: 'string', default: '85' },
        tests: { type: 'string', default: '16' },
        faults: { type: 'string' },
      },
    });
    const faults = values.faults ?? null;
    if ((faults === null) === (positionals.length === 0)) return 'Give either paths or --faults FILE.';
    return {
      paths: positionals.map((at) => at.replace(/\/+$/, '')),
      sample: wholeNumber('--sample', values.sample, 1, 100_000),
      seed: values.seed === undefined ? anySeed() : wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1),
      least: wholeNumber('--least', values.least, 0, 100),
      tests: wholeNumber('--tests', values.tests, 1, 100_000),
      faults,
    };
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return error.message;
    throw error;
  }
}

function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new RangeError(`${flag} needs a whole number from ${least} to ${most}, not "${text}".`);
}
