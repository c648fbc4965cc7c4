import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { ConfigError } from './contract/errors.ts';
import type { DatabaseAnswer, DatabaseRequest } from './webhooks/deliveries/embedded-database.ts';
import { lockForProcess } from './webhooks/deliveries/process-lock.ts';

/** In milliseconds. The process of an App that was killed closes the database before it ends, which takes far less. */
const longestWait = 10_000;

// An App that is gone needs no answer.
const send = (answer: DatabaseAnswer): void => void process.send?.(answer, undefined, {}, () => {});
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * The root of the process that holds the embedded database, in the folder of its first argument. It ends with its App.
 * Started by `openEmbeddedDatabase`.
 */
async function serve(directory: string): Promise<void> {
  const unlock = await lockWhenFree(path.join(directory, 'database-process.lock'));
  const database = await PGlite.create(path.join(directory, 'database'));
  const end = (): void =>
    void database
      .close()
      .finally(unlock)
      .finally(() => process.exit());
  process.on('message', (request: DatabaseRequest) => void answer(database, request).then(send));
  process.on('disconnect', end);
  send({ id: 0, results: [] });
  if (!process.connected) end();
}

async function answer(database: PGlite, { id, text, parameters }: DatabaseRequest): Promise<DatabaseAnswer> {
  try {
    const results =
      parameters === null ? await database.exec(text) : [await database.query(text, [...parameters])];
    return { id, results: results.map(({ rows }) => ({ rows })) };
  } catch (error) {
    return { id, problem: messageOf(error) };
  }
}

/** Two processes must never have the files of the database open at the same time. */
async function lockWhenFree(file: string): Promise<() => Promise<void>> {
  const until = performance.now() + longestWait;
  for (;;) {
    try {
      return await lockForProcess(file);
    } catch (error) {
      if (!(error instanceof ConfigError) || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

// Ctrl-C reaches the whole process group. The App still needs its database then, to let its runs end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
await serve(process.argv[2] ?? '').catch((error: unknown) => {
  send({ id: 0, problem: messageOf(error) });
  process.exitCode = 1;
});
