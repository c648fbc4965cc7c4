import { type Lease, LeaseLost, type StateRoot } from '../contract/state-store.ts';
import type { SqlDatabase } from './database-state-store.ts';

/**
 * Creates the App's state for one attempt at a delivery. Every write checks in the same statement
 * that the attempt holds its lease, or throws `LeaseLost`. Reading needs no lease.
 */
export function createLeasedStateStore(store: StateRoot, database: SqlDatabase, lease: Lease): StateRoot {
  /** Runs a statement that reads from `lease` and returns a row per write; returns their number. */
  const write = async (statement: string, values: readonly unknown[]): Promise<number> => {
    const { rows } = await database.executeSql(
      `WITH lease AS MATERIALIZED (${lease.query(values.length + 1)}), written AS (${statement})
       SELECT (SELECT count(*) FROM lease)::int AS held, (SELECT count(*) FROM written)::int AS written`,
      [...values, ...lease.values],
    );
    const [held, written] = ['held', 'written'].map((name) => Reflect.get(rows[0] ?? {}, name));
    if (held !== 1) throw new LeaseLost('This attempt at the delivery was superseded by another.');
    return Number(written);
  };
  return {
    ...store,
    async set(key, value) {
      await write(
        `INSERT INTO anode_state (key, value) SELECT $1::text, $2::text FROM lease
         ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now() RETURNING 1`,
        [key, value],
      );
    },
    async claim(key, value) {
      const written = await write(
        `INSERT INTO anode_state (key, value) SELECT $1::text, $2::text FROM lease
         ON CONFLICT (key) DO NOTHING RETURNING 1`,
        [key, value],
      );
      return written === 1;
    },
    async delete(key) {
      await write('DELETE FROM anode_state USING lease WHERE key = $1 RETURNING 1', [key]);
    },
    deleteOld: (prefix, before) =>
      write(
        'DELETE FROM anode_state USING lease WHERE starts_with(key, $1) AND updated_at < $2::timestamptz RETURNING 1',
        [prefix, before.toISOString()],
      ),
  };
}

/** Returns true if an attempt still holds its lease. */
export async function holdsLease(database: SqlDatabase, lease: Lease): Promise<boolean> {
  const { rows } = await database.executeSql(lease.query(1), [...lease.values]);
  return rows.length === 1;
}
