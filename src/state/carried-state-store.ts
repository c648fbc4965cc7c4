import { stateKeys } from '../contract/state-keys.ts';
import type { StateRoot } from '../contract/state-store.ts';
import { createMemoryStateStore } from './memory-state-store.ts';

/** Values by key; null for a deleted one. */
export type StateChanges = ReadonlyMap<string, string | null>;

/** State that a job takes over from an earlier one and leaves to a later one. */
export interface CarriedStateStore extends StateRoot {
  /** Leaves what has changed since, if anything has. */
  leave(): Promise<void>;
  /** Forgets everything, for the entries of a later job. */
  restart(entries: readonly (readonly [key: string, value: string])[]): Promise<void>;
}

/** Returns the kind of a key: its first part. */
const kindOf = (key: string): string => key.split('/')[0] ?? '';

/**
 * Kinds of keys that no later job reads: state of deliveries and of runs in progress, and caches
 * that may be large.
 */
const ofThisJob = [
  stateKeys.plan(''),
  stateKeys.answered(''),
  stateKeys.finished(''),
  stateKeys.allMaking,
  stateKeys.open(''),
  stateKeys.embeddings(''),
  stateKeys.toolbox(),
].map(kindOf);

/**
 * A session has to be stored before its question is posted. An answer can come at once, and a
 * question without a session cannot be answered.
 */
const atOnce = kindOf(stateKeys.waiting(0, ''));

/**
 * Creates a store in memory with the entries of an earlier job. `save` receives all changes so far:
 * when a session waits, and at `leave`. If it rejects, so does the write of the session.
 */
export async function createCarriedStateStore(
  entries: readonly (readonly [key: string, value: string])[],
  save: (changes: StateChanges) => Promise<void>,
): Promise<CarriedStateStore> {
  const store = createMemoryStateStore();
  for (const [key, value] of entries) await store.set(key, value);
  const changes = new Map<string, string | null>();
  let unsaved = 0;
  const note = (key: string, value: string | null) => {
    if (ofThisJob.includes(kindOf(key))) return;
    changes.delete(key);
    changes.set(key, value);
    unsaved += 1;
  };
  const leave = async () => {
    if (unsaved === 0) return;
    await save(changes);
    unsaved = 0;
  };
  return {
    ...store,
    async set(key, value) {
      await store.set(key, value);
      note(key, value);
      if (kindOf(key) === atOnce) await leave();
    },
    async claim(key, value) {
      const claimed = await store.claim(key, value);
      if (claimed) note(key, value);
      return claimed;
    },
    async delete(key) {
      if ((await store.get(key)) === null) return;
      await store.delete(key);
      note(key, null);
    },
    async deleteTenant(tenant) {
      for (const key of await store.list('')) if (key.split('/')[1] === tenant) note(key, null);
      return store.deleteTenant(tenant);
    },
    leave,
    async restart(later) {
      for (const key of await store.list('')) await store.delete(key);
      for (const [key, value] of later) await store.set(key, value);
      changes.clear();
      unsaved = 0;
    },
  };
}

/** Returns entries with the changes applied; what was written last stands last. */
export function withChanges(
  entries: readonly (readonly [key: string, value: string])[],
  changes: StateChanges,
): [key: string, value: string][] {
  const all = new Map(entries);
  for (const [key, value] of changes) {
    all.delete(key);
    if (value !== null) all.set(key, value);
  }
  return [...all];
}

/** Kinds that may be dropped to make room, in this order. */
const droppable = [
  stateKeys.pastMessages(''),
  stateKeys.pastRun(''),
  stateKeys.applied(''),
  stateKeys.suggestions(''),
  stateKeys.controls(''),
].map(kindOf);

/** Returns the entries without the oldest of lesser use: at most that many bytes in all. */
export function withinBytes(
  entries: readonly (readonly [key: string, value: string])[],
  mostBytes: number,
): [key: string, value: string][] {
  const sizeOf = ([key, value]: readonly [string, string]) =>
    Buffer.byteLength(key) + Buffer.byteLength(value);
  let bytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  const dropped = new Set<string>();
  for (const kind of droppable)
    for (const entry of entries.filter(([key]) => kindOf(key) === kind)) {
      if (bytes <= mostBytes) break;
      bytes -= sizeOf(entry);
      dropped.add(entry[0]);
    }
  return entries.flatMap(([key, value]) => (dropped.has(key) ? [] : [[key, value]]));
}
