import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

/** One run of git, with its arguments. */
export interface GitCall {
  readonly id: number;
  readonly args: readonly string[];
  /** The working directory; the one of the tests where it is undefined. */
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly input: Uint8Array | undefined;
}

export interface GitAnswer {
  readonly id: number;
  /** The exit code; 128 for a signal or a git that does not start. */
  readonly code: number;
  readonly output: Uint8Array;
  readonly errors: Uint8Array;
}

type Waiting = Pick<PromiseWithResolvers<GitAnswer>, 'resolve' | 'reject'>;

interface Starter {
  readonly child: ChildProcess;
  readonly waiting: Map<number, Waiting>;
}

let starter: Starter | null = null;
let lastId = 0;

/**
 * Runs git and gives its exit code and output. A small process starts it: `fork(2)` copies the page
 * tables of the calling process: a worker with 500 MB waits 50 ms for each git, and the small
 * process 5 ms.
 */
export function startGit(call: Omit<GitCall, 'id'>): Promise<GitAnswer> {
  starter ??= openStarter();
  const { child, waiting } = starter;
  const { promise, resolve, reject } = Promise.withResolvers<GitAnswer>();
  lastId += 1;
  waiting.set(lastId, { resolve, reject });
  // The process of the tests may end while nothing is waited for.
  child.channel?.ref();
  child.send({ ...call, id: lastId } satisfies GitCall);
  return promise;
}

function openStarter(): Starter {
  const child = fork(path.join(import.meta.dirname, 'git-starter-process.ts'), [], {
    serialization: 'advanced',
    execArgv: [],
  });
  const opened: Starter = { child, waiting: new Map() };
  child.unref();
  child.on('message', (answer: GitAnswer) => {
    opened.waiting.get(answer.id)?.resolve(answer);
    opened.waiting.delete(answer.id);
    if (opened.waiting.size === 0) child.channel?.unref();
  });
  child.on('exit', (code, signal) => {
    if (starter === opened) starter = null;
    for (const { reject } of opened.waiting.values())
      reject(new Error(`The process that starts git ended (${signal ?? code}).`));
  });
  return opened;
}
