import { type StateRoot, tenantsOf } from '../contract/state-store.ts';

/** The database that the store needs: PostgreSQL's SQL with `$1` parameters. */
export interface SqlDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

const createTable = `CREATE TABLE IF NOT EXISTS anode_state (
  key text COLLATE "C" PRIMARY KEY,
  value text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
)`;

/**
 * Creates a store in a table of the App's database, which is created if missing. The database is
 * trusted, so values are not signed.
 */
export async function createDatabaseStateStore(database: SqlDatabase): Promise<StateRoot> {
  await database.executeSql(createTable);
  return {
    async get(key) {
      const { rows } = await database.executeSql('SELECT value FROM anode_state WHERE key = $1', [key]);
      return rows.length === 0 ? null : column(rows[0], 'value');
    },
    async set(key, value) {
      await database.executeSql(
        `INSERT INTO anode_state (key, value) VALUES ($1, $2)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`,
        [key, value],
      );
    },
    async claim(key, value) {
      const { rows } = await database.executeSql(
        'INSERT INTO anode_state (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING RETURNING key',
        [key, value],
      );
      return rows.length === 1;
    },
    async delete(key) {
      await database.executeSql('DELETE FROM anode_state WHERE key = $1', [key]);
    },
    async list(prefix) {
      const { rows } = await database.executeSql(
        'SELECT key FROM anode_state WHERE starts_with(key, $1) ORDER BY key',
        [prefix],
      );
      return rows.map((row) => column(row, 'key'));
    },
    async deleteOld(prefix, before) {
      const { rows } = await database.executeSql(
        'DELETE FROM anode_state WHERE starts_with(key, $1) AND updated_at < $2 RETURNING key',
        [prefix, before.toISOString()],
      );
      return rows.length;
    },
    async tenants() {
      const { rows } = await database.executeSql(
        "SELECT DISTINCT split_part(key, '/', 2) AS key FROM anode_state",
      );
      return tenantsOf(rows.map((row) => `/${column(row, 'key')}`));
    },
    async deleteTenant(tenant) {
      const { rows } = await database.executeSql(
        "DELETE FROM anode_state WHERE split_part(key, '/', 2) = $1 RETURNING key",
        [tenant],
      );
      return rows.length;
    },
  };
}

function column(row: unknown, name: 'key' | 'value'): string {
  const value = typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined;
  if (typeof value !== 'string') throw new Error(`The table anode_state gave no text for ${name}.`);
  return value;
}
