import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { stateKeys } from '../contract/state-keys.ts';
import type { StateRoot } from '../contract/state-store.ts';
import type { ParsedArguments } from './parse-arguments.ts';

/** Options that a resumed run inherits; all others are chosen per call. */
const inherited = ['config', 'preset', 'sandbox', 'max-turns', 'profile', 'model'] as const;

const LocalSession = z.object({
  /**
   * SHA-256 (hex) of the session file in the checkout, which may be replaced before the next run.
   */
  digest: z.string(),
  options: z.partialRecord(z.enum(inherited), z.string()),
});
export type LocalSession = z.infer<typeof LocalSession>;

/** Saves the options of a waiting local run in the user's own state, outside the checkout. */
export async function saveLocalSession(
  store: StateRoot,
  runId: string,
  sessionFile: string,
  values: ParsedArguments['values'],
): Promise<void> {
  const options = Object.fromEntries(
    inherited.flatMap((name) => {
      const value = values[name];
      if (typeof value !== 'string') return [];
      return [[name, name === 'config' ? path.resolve(value) : value]];
    }),
  );
  const session: LocalSession = { digest: digestOf(await readFile(sessionFile)), options };
  await store.set(stateKeys.localSession(runId), JSON.stringify(session));
}

/** Returns the saved options of a waiting run; null if no run of this user wrote any. */
export async function readLocalSession(store: StateRoot, runId: string): Promise<LocalSession | null> {
  const text = await store.get(stateKeys.localSession(runId));
  return text === null ? null : LocalSession.parse(JSON.parse(text));
}

/** Deletes the saved options of a run that no longer waits. */
export async function forgetLocalSession(store: StateRoot, runId: string): Promise<void> {
  await store.delete(stateKeys.localSession(runId));
}

/** Returns the SHA-256 (hex) of a session file's bytes. */
export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
