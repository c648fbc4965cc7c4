import { type ChildProcess, fork } from 'node:child_process';
import type { PGliteLike } from 'pg-boss';

/** A question to the database's process: one statement with `$1` parameters, or several statements where they are null. */
export interface DatabaseRequest {
  readonly id: number;
  readonly text: string;
  readonly parameters: readonly unknown[] | null;
}

type Results = Awaited<ReturnType<PGliteLike['exec']>>;

/** One result for each statement of the request with this id. Id 0 tells that the database is open, or why it is not. */
export type DatabaseAnswer =
  | { readonly id: number; readonly results: Results }
  | { readonly id: number; readonly problem: string };

/** PGlite in a process of its own, as far as pg-boss needs it. */
export interface EmbeddedDatabase extends Pick<PGliteLike, 'query' | 'exec'> {
  /** Closes the database and waits for the end of its process. */
  close(): Promise<void>;
}

type Waiting = Pick<PromiseWithResolvers<Results>, 'resolve' | 'reject'>;

/** The process, and who waits for its answers, by the ids of their requests. */
interface Connection {
  readonly child: ChildProcess;
  readonly waiting: Map<number, Waiting>;
  readonly ended: Promise<void>;
}

/**
 * Opens PGlite in the folder, in a process of its own: `program` is the file of `src/database-process.ts`, or what the build
 * made of it. PGlite takes 350 MB, and `fork(2)` copies the page tables of its caller: with the database inside, each
 * start of git held the App up for 10 to 60 ms. A process that ended by itself is started again by the next request; those in hand are rejected.
 */
export async function openEmbeddedDatabase(program: string, directory: string): Promise<EmbeddedDatabase> {
  let lastId = 0;
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
  const ask = async (text: string, parameters: readonly unknown[] | null): Promise<Results> => {
    const { child, waiting } = await connected();
    lastId += 1;
    const id = lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Results>();
    waiting.set(id, { resolve, reject });
    child.send({ id, text, parameters } satisfies DatabaseRequest);
    return promise;
  };
  await connection;
  return {
    async query(text, parameters) {
      const [result] = await ask(text, parameters ?? []);
      return result ?? { rows: [] };
    },
    exec: (text) => ask(text, null),
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
    serialization: 'advanced',
  });
  const waiting = new Map<number, Waiting>();
  const opened = Promise.withResolvers<Results>();
  waiting.set(0, opened);
  const ended = Promise.withResolvers<void>();
  child.on('message', (answer: DatabaseAnswer) => {
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('problem' in answer) one?.reject(new Error(`The embedded database says: ${answer.problem}`));
    else one?.resolve(answer.results);
  });
  const fail = (why: string): void => {
    for (const { reject } of waiting.values())
      reject(new Error(`The process of the embedded database ended (${why}).`));
    waiting.clear();
  };
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => {
    fail(signal ?? `exit code ${code}`);
    ended.resolve();
  });
  await opened.promise;
  return { child, waiting, ended: ended.promise };
}
