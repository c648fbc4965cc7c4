import { type ChildProcess, fork } from 'node:child_process';
import type { PGliteLike } from 'pg-boss';
import * as z from 'zod';
import { type Channel, ChannelClosed, createChannel, noValue } from '../../channel/create-channel.ts';

type Results = Awaited<ReturnType<PGliteLike['exec']>>;

/** Methods of the database process. It is trusted, so its results are not validated. */
export const databaseMethods = {
  /** Resolves when the database is open. */
  opened: { input: noValue, output: noValue },
  /**
   * Runs one statement with `$1` parameters, or several statements if they are null. Returns one
   * result each.
   */
  run: {
    input: z.object({ text: z.string(), parameters: z.custom<readonly unknown[] | null>() }),
    output: z.custom<Results>(),
  },
};

/** PGlite in its own process, with the methods that pg-boss uses. */
export interface EmbeddedDatabase extends Pick<PGliteLike, 'query' | 'exec'> {
  /** Closes the database and waits for the end of its process. */
  close(): Promise<void>;
}

interface Connection {
  readonly child: ChildProcess;
  readonly channel: Channel<typeof databaseMethods>;
  /** Resolves with the exit code or signal. */
  readonly ended: Promise<string>;
}

/**
 * Opens PGlite in a folder, in its own process. `program` is the file of `src/database-process.ts`,
 * or its build.
 *
 * PGlite takes 350 MB, and `fork(2)` copies the page tables of its caller. Inside the App it would
 * delay each start of git by 10 to 60 ms. A process that ended is restarted by the next request;
 * running requests are rejected.
 */
export async function openEmbeddedDatabase(program: string, directory: string): Promise<EmbeddedDatabase> {
  let closed = false;
  let connection: Promise<Connection> = connect(program, directory);
  const connected = async (): Promise<Connection> => {
    const last = connection;
    const found = await last.catch(() => null);
    if (closed) throw new Error('The embedded database is closed.');
    if (found?.child.connected === true) return found;
    // The first caller after its end starts the next one.
    if (connection === last) connection = connect(program, directory);
    return connection;
  };
  const run = async (text: string, parameters: readonly unknown[] | null): Promise<Results> => {
    const { channel, ended } = await connected();
    return withProcessName(channel.call('run', { text, parameters }), ended);
  };
  await connection;
  return {
    async query(text, parameters) {
      const [result] = await run(text, parameters ?? []);
      return result ?? { rows: [] };
    },
    exec: (text) => run(text, null),
    async close() {
      closed = true;
      const last = await connection.catch(() => null);
      if (last?.child.connected === true) last.child.disconnect();
      await last?.ended;
    },
  };
}

/**
 * Starts the process and waits until the database is open. Throws the process's error otherwise.
 */
async function connect(program: string, directory: string): Promise<Connection> {
  const child = fork(program, [directory], {
    // The optimising compiler would take 100 MB more. Unused functions need no validation.
    execArgv: ['--liftoff-only', '--wasm-lazy-validation', '--no-warnings'],
    env: {},
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Dates stay dates.
    serialization: 'advanced',
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  child.on('error', (error) => end(error.message));
  const channel = createChannel(child, databaseMethods, {}, {});
  try {
    await withProcessName(channel.call('opened', undefined), ended);
  } catch (error) {
    if (child.connected) child.disconnect();
    throw error;
  }
  return { child, channel, ended };
}

/** Rejects with an error that names the database process. */
async function withProcessName<Answer>(answer: Promise<Answer>, ended: Promise<string>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ChannelClosed)
      throw new Error(`The process of the embedded database ended (${await ended}).`);
    throw new Error(`The embedded database says: ${error instanceof Error ? error.message : String(error)}`);
  }
}
