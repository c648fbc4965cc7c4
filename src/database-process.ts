import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createChannel } from './channel/create-channel.ts';
import { ConfigError } from './contract/errors.ts';
import { monotonicMs } from './contract/monotonic-ms.ts';
import { databaseMethods } from './webhooks/deliveries/embedded-database.ts';
import { lockForProcess } from './webhooks/deliveries/process-lock.ts';

/** Milliseconds to wait for the process of a killed App to close the database. */
const longestWait = 10_000;

/**
 * Entry point of the process with the embedded database, in the folder of its first argument. It
 * ends with its App. Started by `openEmbeddedDatabase`.
 */
function serve(directory: string): void {
  const opened = open(directory);
  const { closed } = createChannel(process, {}, databaseMethods, {
    opened: async () => void (await opened),
    async run({ text, parameters }) {
      const { database } = await opened;
      const results =
        parameters === null ? await database.exec(text) : [await database.query(text, [...parameters])];
      return results.map(({ rows }) => ({ rows }));
    },
  });
  // Reported to each caller.
  opened.catch(() => undefined);
  const end = (): void =>
    void opened
      .then(({ database, unlock }) => database.close().finally(unlock))
      .catch(() => undefined)
      .finally(() => process.exit());
  void closed.then(end);
  if (!process.connected) end();
}

async function open(directory: string): Promise<{ database: PGlite; unlock: () => Promise<void> }> {
  const unlock = await lockWhenFree(path.join(directory, 'database-process.lock'));
  return { database: await PGlite.create(path.join(directory, 'database')), unlock };
}

/** Two processes must never open the files of the database at the same time. */
async function lockWhenFree(file: string): Promise<() => Promise<void>> {
  const until = monotonicMs() + longestWait;
  for (;;) {
    try {
      return await lockForProcess(file);
    } catch (error) {
      if (!(error instanceof ConfigError) || monotonicMs() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

// Ctrl-C reaches the whole process group. The App still needs its database to end its runs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
serve(process.argv[2] ?? '');
