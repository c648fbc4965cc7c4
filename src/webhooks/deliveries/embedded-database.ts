import { type ChildProcess, fork } from 'node:child_process';
import type { PGliteLike } from 'pg-boss';
import * as z from 'zod';
import { type Channel, ChannelClosed, createChannel, nothing } from '../../channel/create-channel.ts';

type Results = Awaited<ReturnType<PGliteLike['exec']>>;

/** What the database's process can be asked for. It is trusted, and what it gives is not looked through. */
export const databaseMethods = {
  /** Answered once the database is open. */
  opened: { input: nothing, output: nothing },
  /** One statement with `$1` parameters, or several statements where they are null: one result for each. */
  run: {
    input: z.object({ text: z.string(), parameters: z.custom<readonly unknown[] | null>() }),
    output: z.custom<Results>(),
  },
};

/** PGlite in a process of its own, as far as pg-boss needs it. */
export interface EmbeddedDatabase extends Pick<PGliteLike, 'query' | 'exec'> {
  /** Closes the database and waits for the end of its process. */
  close(): Promise<void>;
}

interface Connection {
  readonly child: ChildProcess;
  readonly channel: Channel<typeof databaseMethods>;
  /** Resolves with how the process ended. */
  readonly ended: Promise<string>;
}

/**
 * Opens PGlite in the folder, in a process of its own: `program` is the file of `src/database-process.ts`, or what the build
 * made of it. PGlite takes 350 MB, and `fork(2)` copies the page tables of its caller: with the database inside, each
 * start of git held the App up for 10 to 60 ms. A process that ended by itself is started again by the next request; those in hand are rejected.
 */
export async function openEmbeddedDatabase(program: string, directory: string): Promise<EmbeddedDatabase> {
  let closed = false;
  let connection: Promise<Connection> = connect(program, directory);
  const connected = async (): Promise<Connection> => {
    const last = connection;
    const found = await last.catch(() => null);
    if (closed) throw new Error('The embedded database is closed.');
    if (found?.child.connected === true) return found;
    // The first of those that find it gone starts the next one.
    if (connection === last) connection = connect(program, directory);
    return connection;
  };
  const run = async (text: string, parameters: readonly unknown[] | null): Promise<Results> => {
    const { channel, ended } = await connected();
    return told(channel.call('run', { text, parameters }), ended);
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

/** Starts the process and waits until the database is open. Throws what the process says where it cannot open it. */
async function connect(program: string, directory: string): Promise<Connection> {
  const child = fork(program, [directory], {
    // V8's optimising compiler takes 100 MB more, for a database that no run waits for; what is never called is not even validated.
    execArgv: ['--liftoff-only', '--wasm-lazy-validation', '--no-warnings'],
    env: {},
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Dates among the parameters and the results stay such.
    serialization: 'advanced',
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  child.on('error', (error) => end(error.message));
  const channel = createChannel(child, databaseMethods, {}, {});
  try {
    await told(channel.call('opened', undefined), ended);
  } catch (error) {
    if (child.connected) child.disconnect();
    throw error;
  }
  return { child, channel, ended };
}

/** The answer of the database's process, or an error that says whose it is. */
async function told<Answer>(answer: Promise<Answer>, ended: Promise<string>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ChannelClosed)
      throw new Error(`The process of the embedded database ended (${await ended}).`);
    throw new Error(`The embedded database says: ${error instanceof Error ? error.message : String(error)}`);
  }
}
