import { type ChildProcess, fork } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ParseFailure, SyntaxParser } from '../services/run-services.ts';
import type { SyntaxAnswer, SyntaxRequest } from './grammars/syntax-symbol.ts';

/** Timeout for a process that never answers; the process itself gives up earlier. */
const answerMs = 5000;
const startMs = 20_000;

/**
 * Arguments that limit the parser process. V8's optimising compiler took 1.6 GB for one grammar;
 * the plain one takes next to nothing. With it, 256 MiB of WebAssembly memory are a hundred times
 * what a one-megabyte file needs. Only the program and the grammars can be read; nothing can be
 * written or started.
 */
function processArguments(readable: readonly string[]): string[] {
  return [
    '--liftoff-only',
    '--wasm-max-mem-pages=4096',
    '--max-old-space-size=192',
    '--no-warnings',
    '--permission',
    ...readable.map((folder) => `--allow-fs-read=${folder}/*`),
  ];
}

/**
 * Creates the parser of a run without starting its process. `program` is the file of the parser
 * process (`src/syntax-process.ts` or its build). The process is restarted after it had to be
 * ended.
 */
export function createSyntaxParser(
  program: string,
  limits: { readonly answerMs: number } = { answerMs },
): SyntaxParser {
  let running: Promise<ChildProcess | null> | null = null;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  const stop = async (): Promise<void> => {
    const child = await running;
    running = null;
    if (child === null || child === undefined) return;
    await ended(child);
  };
  const analyseOne = async (request: SyntaxRequest, signal: AbortSignal) => {
    signal.throwIfAborted();
    if (closed) return null;
    running ??= start(program);
    let child = await running;
    if (child !== null && hasEnded(child)) {
      running = start(program);
      child = await running;
    }
    if (child === null) return null;
    const answer = await ask(child, request, signal, limits.answerMs);
    if (answer === 'slow' || answer === 'broken' || signal.aborted) await stop();
    signal.throwIfAborted();
    return answer ?? 'slow';
  };
  return {
    analyse(request, signal) {
      // Requests run one after another: the process has one parser, and a limit applies to one
      // file.
      const answer = last.then(() => analyseOne(request, signal));
      last = answer.catch(() => undefined);
      return answer;
    },
    async close() {
      closed = true;
      await stop();
    },
  };
}

/** Returns the process once ready. Null if the grammars are not installed or it cannot run. */
async function start(program: string): Promise<ChildProcess | null> {
  let grammars: string;
  let file: string;
  try {
    file = realpathSync(program);
    grammars = path.dirname(realpathSync(createRequire(file).resolve('@vscode/tree-sitter-wasm')));
  } catch {
    return null;
  }
  const child = fork(file, [grammars], {
    execArgv: processArguments([path.dirname(file), grammars]),
    env: {},
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  const answer = await nextMessage(child, startMs);
  if (answer === 'ready') {
    // An idle parser does not keep the program alive; it ends when its parent does.
    child.unref();
    child.channel?.unref();
    return child;
  }
  await ended(child);
  return null;
}

async function ask(
  child: ChildProcess,
  request: SyntaxRequest,
  signal: AbortSignal,
  limitMs: number,
): Promise<SyntaxAnswer | ParseFailure | null> {
  const answer = nextMessage(child, limitMs, signal);
  child.channel?.ref();
  child.send(request, () => undefined);
  const message = (await answer) as SyntaxAnswer | ParseFailure | null;
  child.channel?.unref();
  return message;
}

/** Returns the next message of a process. `broken`: it ended. `slow`: timeout or abort. */
function nextMessage(child: ChildProcess, limitMs: number, signal?: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const finish = (word: unknown): void => {
      clearTimeout(timer);
      child.off('message', finish).off('exit', broken).off('error', broken);
      signal?.removeEventListener('abort', slow);
      resolve(word);
    };
    const broken = (): void => finish('broken');
    const slow = (): void => finish('slow');
    const timer = setTimeout(slow, limitMs);
    child.on('message', finish).on('exit', broken).on('error', broken);
    signal?.addEventListener('abort', slow, { once: true });
    if (signal?.aborted === true) slow();
    else if (hasEnded(child)) broken();
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Kills a process and waits until it has ended. */
function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (hasEnded(child) || child.pid === undefined) return resolve();
    child.ref();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
