import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fromPglite, PgBoss } from 'pg-boss';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { lockForProcess } from './process-lock.ts';

export interface DatabaseLocation {
  /** A PostgreSQL URL; null for the embedded database. */
  readonly url: string | null;
  /** Folder of the embedded database; created if missing. */
  readonly directory: string;
  /** Program of the embedded database. */
  readonly program: string;
}

/** A started pg-boss. `embedded` means that no other process uses the database. */
export interface OpenBoss {
  readonly boss: PgBoss;
  readonly embedded: boolean;
  /** Closes the database; stop the boss first. */
  readonly closeDatabase: () => Promise<void>;
}

/** Features that we do not use. */
const disabled = { schedule: false, reindex: false, monitorVacuum: false } as const;

/**
 * Opens PostgreSQL, or an embedded PGlite for this App only. Throws `ConfigError` if it is in use.
 */
export async function openBoss(
  location: DatabaseLocation,
  onError: (error: unknown) => void,
): Promise<OpenBoss> {
  if (location.url !== null) {
    const boss = new PgBoss({ connectionString: location.url, useListenNotify: true, ...disabled });
    boss.on('error', onError);
    await boss.start();
    return { boss, embedded: false, closeDatabase: async () => {} };
  }
  await mkdir(location.directory, { recursive: true });
  const unlock = await lockForProcess(join(location.directory, 'database.lock'));
  try {
    const database = await openEmbeddedDatabase(location.program, location.directory);
    const boss = new PgBoss({ db: fromPglite(database), backend: 'pglite', ...disabled });
    boss.on('error', onError);
    const closeDatabase = async (): Promise<void> => {
      await database.close();
      await unlock();
    };
    await boss.start().catch(async (error: unknown) => {
      await closeDatabase();
      throw error;
    });
    return { boss, embedded: true, closeDatabase };
  } catch (error) {
    await unlock();
    throw error;
  }
}
