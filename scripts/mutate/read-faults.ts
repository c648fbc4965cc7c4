import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Mutant } from './make-mutants.ts';

const Faults = z.array(z.object({ file: z.string(), old: z.string().min(1), new: z.string() }));

/**
 * Faults that somebody wrote: JSON, `[{ "file": "src/…", "old": "…", "new": "…" }]`, with other
 * fields permitted.
 *
 * @throws {Error} when the file has another shape, or `old` does not stand exactly once in its file
 */
export function readFaults(name: string, read: (file: string) => string): Mutant[] {
  return Faults.parse(JSON.parse(readFileSync(name, 'utf8'))).map(({ file, old, new: text }) => {
    const source = read(file);
    const start = source.indexOf(old);
    if (start === -1 || source.includes(old, start + 1))
      throw new Error(`${file} must have this text exactly once: ${old}`);
    return { file, kind: 'given', start, end: start + old.length, text };
  });
}
