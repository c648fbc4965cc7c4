import * as z from 'zod';
import { Outcome } from './outcome.ts';
import { SavedSession } from './session.ts';

/** Bytes of a handed-on run as JSON. The patch and a waiting session are most of it. */
export const mostHandedBytes = 24_000_000;

const of = {
  version: z.literal(1),
  /** GitHub's id of the repository. */
  repository: z.int().positive(),
  workflow_run: z.int().positive(),
  /** The attempt at the workflow run whose job left it. */
  attempt: z.int().positive(),
};

/**
 * Result that a job with the agent leaves to the job that publishes. A program that left the
 * sandbox could have written any of it, so it names no target: branch, thread and rights come from
 * a plan that the publishing job makes itself. It holds no secret.
 */
export const HandedRun = z.discriminatedUnion('kind', [
  z.strictObject({
    ...of,
    kind: z.literal('run'),
    /** The commit that the agent worked on. */
    head: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
    /** Files of its changes are made again from its patch. */
    outcome: Outcome,
    /** The conversation of a run that waits for an answer. */
    session: SavedSession.nullable(),
    /** The conversation of a run that was stopped. */
    stopped: SavedSession.nullable(),
  }),
  /** A run that could not be carried out. `message` is a sentence for the thread. */
  z.strictObject({ ...of, kind: z.literal('failure'), message: z.string().min(1).max(2_000) }),
]);
export type HandedRun = z.infer<typeof HandedRun>;
