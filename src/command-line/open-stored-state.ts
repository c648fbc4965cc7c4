import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RemovalContext } from '../app/removals/remove-state.ts';
import type { Environment } from '../config/environment.ts';
import { processProgram } from '../run/programs/process-program.ts';
import { createDatabaseStateStore } from '../state/database-state-store.ts';
import { createFileStateStore } from '../state/file-state-store.ts';
import { forgetDeliveries } from '../webhooks/deliveries/forget-deliveries.ts';
import { openBoss } from '../webhooks/deliveries/open-boss.ts';
import { queueName } from '../webhooks/deliveries/queue.ts';

/** An opened state location. */
interface StoredState {
  readonly ports: RemovalContext;
  close(): Promise<void>;
}

/**
 * Opens the App's database, if any, and the folder of `anode event`. No App may use an embedded
 * database at the same time.
 */
export async function openStoredState(environment: Environment): Promise<StoredState[]> {
  const dataFolder = path.resolve(environment.dataDirectory);
  const { databaseUrl: url, stateSecret: secret } = environment;
  const places: StoredState[] = [];
  if (url !== null || existsSync(path.join(dataFolder, 'database'))) {
    const location = { url, directory: dataFolder, program: processProgram('database-process') };
    const { boss, closeDatabase } = await openBoss(location, () => {});
    const database = boss.getDb();
    const state = await createDatabaseStateStore(database);
    places.push({
      ports: {
        state,
        dataFolder,
        forgetDeliveries: (removal) => forgetDeliveries(database, queueName, removal),
      },
      async close() {
        await boss.stop({ graceful: false });
        await closeDatabase();
      },
    });
  }
  const folder = path.join(dataFolder, 'state');
  if (existsSync(folder)) {
    const state = createFileStateStore({ folder, secret, onRejected: () => {} });
    places.push({ ports: { state, dataFolder }, close: async () => undefined });
  }
  return places;
}
