import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fromPglite, PgBoss } from 'pg-boss';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { lockForProcess } from './process-lock.ts';

export interface DatabaseLocation {
  /** A PostgreSQL URL; null for the embedded database. */
  readonly url: string | null;
  /** Where the embedded database lies; made where it is missing. */
  readonly directory: string;
  /** The program that holds the embedded database. */
  readonly program: string;
}

/** pg-boss on its database, started. `embedded` means that no other process can be at work on it. */
export interface OpenBoss {
  readonly boss: PgBoss;
  readonly embedded: boolean;
  /** Closes the database; the boss has to be stopped before. */
  readonly closeDatabase: () => Promise<void>;
}

/** Nothing of ours runs by the clock, and the size of the queue's indexes is nobody's concern. */
const quiet = { schedule: false, reindex: false, monitorVacuum: false } as const;

/** Opens PostgreSQL, or an embedded PGlite that this App alone may use. Throws `ConfigError` when it is in use. */
export async function openBoss(
  location: DatabaseLocation,
  onError: (error: unknown) => void,
): Promise<OpenBoss> {
  if (location.url !== null) {
    const boss = new PgBoss({ connectionString: location.url, useListenNotify: true, ...quiet });
    boss.on('error', onError);
    await boss.start();
    return { boss, embedded: false, closeDatabase: async () => {} };
  }
  await mkdir(location.directory, { recursive: true });
  const unlock = await lockForProcess(join(location.directory, 'database.lock'));
  try {
    const database = await openEmbeddedDatabase(location.program, location.directory);
    const boss = new PgBoss({ db: fromPglite(database), backend: 'pglite', ...quiet });
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
