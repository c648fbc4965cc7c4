import * as z from 'zod';
import { Requester } from './plan.ts';

/**
 * What lets our own label on the issue of a handoff start the next run: kept by us when the issue was made.
 * `depth` counts the runs that handed over one after another without a person in between.
 */
export const Autorun = z.object({
  run_id: z.string(),
  requester: Requester.pick({ login: true, id: true, type: true }),
  depth: z.int().positive(),
});
export type Autorun = z.infer<typeof Autorun>;

/** Runs that may start one another before a person has to. */
export const deepestAutorun = 3;

/** Where it is kept. */
export function autorunKey(issue: number): string {
  return `autorun/${issue}`;
}
