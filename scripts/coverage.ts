import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

/**
 * The named functions of source files, as the worker of one test file saw them
 * (`test/support/coverage`).
 */
const Calls = z.array(
  z.object({
    /** Path below `src`. */
    file: z.string(),
    functions: z.array(z.object({ name: z.string(), start: z.number(), called: z.boolean() })),
  }),
);
export type Calls = z.infer<typeof Calls>;

/** Reads what the workers of a run left in a folder. */
export function readCalls(folder: string): Calls {
  return readdirSync(folder).flatMap((name) =>
    Calls.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8'))),
  );
}

/**
 * A table in Markdown: for each folder of `src`, how many of the named functions that a worker
 * loaded were called. Programs that tests start are not counted.
 */
export function coverageTable(calls: Calls): string {
  const folders = new Map<string, Map<string, boolean>>();
  for (const { file, functions } of calls) {
    const folder = file.includes('/') ? file.slice(0, file.indexOf('/')) : 'entry points';
    const known = folders.get(folder) ?? new Map<string, boolean>();
    folders.set(folder, known);
    for (const { name, start, called } of functions) {
      const key = `${file}:${start}:${name}`;
      known.set(key, called || known.get(key) === true);
    }
  }
  const rows = [...folders]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, known]) => row(folder, [...known.values()]));
  const all = [...folders.values()].flatMap((known) => [...known.values()]);
  return ['| folder | called | functions | |', '|---|--:|--:|--:|', ...rows, row('all', all)].join('\n');
}

function row(name: string, called: readonly boolean[]): string {
  const count = called.filter(Boolean).length;
  const percent = called.length === 0 ? 100 : (100 * count) / called.length;
  return `| ${name} | ${count} | ${called.length} | ${percent.toFixed(1)} % |`;
}
