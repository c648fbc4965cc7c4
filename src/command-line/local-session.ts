import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { StateRoot } from '../contract/state-store.ts';
import type { ParsedArguments } from './parse-arguments.ts';

/** The options that say under which rules a run goes on; all else is chosen anew for each call. */
const kept = ['config', 'preset', 'sandbox', 'max-turns', 'profile', 'model'] as const;

const LocalSession = z.object({
  /** SHA-256 (hex) of the session in the checkout, where anything may have been put meanwhile. */
  digest: z.string(),
  options: z.partialRecord(z.enum(kept), z.string()),
});
export type LocalSession = z.infer<typeof LocalSession>;

/** Keeps what a local run that waits was started with in the user's own state, outside the checkout. */
export async function keepLocalSession(
  store: StateRoot,
  runId: string,
  sessionFile: string,
  values: ParsedArguments['values'],
): Promise<void> {
  const options = Object.fromEntries(
    kept.flatMap((name) => {
      const value = values[name];
      if (typeof value !== 'string') return [];
      return [[name, name === 'config' ? path.resolve(value) : value]];
    }),
  );
  const session: LocalSession = { digest: digestOf(await readFile(sessionFile)), options };
  await store.set(keyOf(runId), JSON.stringify(session));
}

/** What was kept of a run that waits; null where no run of this user wrote anything. */
export async function readLocalSession(store: StateRoot, runId: string): Promise<LocalSession | null> {
  const text = await store.get(keyOf(runId));
  return text === null ? null : LocalSession.parse(JSON.parse(text));
}

/** Forgets a run that waits no more. */
export async function forgetLocalSession(store: StateRoot, runId: string): Promise<void> {
  await store.delete(keyOf(runId));
}

const keyOf = (runId: string): string => `waiting-session/${runId}`;

/** The SHA-256 (hex) of the bytes of a session's file. */
export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
