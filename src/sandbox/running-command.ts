import type { ChildProcess } from 'node:child_process';
import { setImmediate as nextEvents } from 'node:timers/promises';
import { monotonicMs } from '../contract/monotonic-ms.ts';
import type { CommandRequest, CommandResult, OpenProcess, ProcessRequest } from './command-runner.ts';

/** How long output may still come when nothing that can be found is left of a command. */
const closingMs = 1_000;

/** Everything that a command started: `kill` ends it; `gone` settles when nothing of it is left. */
export interface ProcessTree {
  readonly kill: () => void;
  /** True where the last `kill` found something that still ran; left out where nobody looks. */
  readonly found?: () => boolean;
  /** Asks what was started to end. */
  readonly terminate: () => void;
  readonly gone: () => Promise<void>;
}

/**
 * Follows a started command to its end: passes its output on, feeds its input, and ends it at the time-out
 * or abort. An abort rejects with the signal's reason, after all is gone.
 */
export async function followCommand(
  child: ChildProcess,
  request: CommandRequest,
  tree: ProcessTree,
): Promise<CommandResult> {
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    tree.kill();
  }, request.timeoutMs);
  const onAbort = () => tree.kill();
  request.signal.addEventListener('abort', onAbort, { once: true });
  const ended = endOf(child, request, tree);
  child.stdin?.end(request.stdin ?? '');
  try {
    if (request.signal.aborted) tree.kill();
    const result = await ended;
    request.signal.throwIfAborted();
    return { ...result, timedOut, ...(!timedOut && tree.found?.() === true ? { endedMore: true } : {}) };
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', onAbort);
  }
}

/** Follows a started program that is talked to: its input stays open until it ends. */
export function followProcess(
  child: ChildProcess,
  request: Pick<ProcessRequest, 'onOutput' | 'onError'>,
  tree: ProcessTree,
): OpenProcess {
  let killed = false;
  // Bubblewrap may outlive what it ran for a moment, and then passes that end on: 128 and the signal's number.
  const ended = endOf(child, request, tree).then((end) =>
    killed && end.exitCode === 137 ? { ...end, exitCode: null, signal: 'SIGKILL' } : end,
  );
  // Who opened it may never ask how it ended.
  const settled = ended.then(
    () => undefined,
    () => undefined,
  );
  return {
    write: (text) => {
      if (child.stdin?.writable === true) child.stdin.write(text);
    },
    closeInput: () => void child.stdin?.end(),
    terminate: tree.terminate,
    ended,
    kill: () => {
      killed = true;
      tree.kill();
      return settled;
    },
  };
}

/** Passes output on until a program has ended, then ends what it left behind. */
async function endOf(
  child: ChildProcess,
  { onOutput, onError = onOutput }: Pick<ProcessRequest, 'onOutput' | 'onError'>,
  tree: ProcessTree,
): Promise<Omit<CommandResult, 'timedOut'>> {
  const startedAt = monotonicMs();
  child.stdout?.on('data', onOutput);
  child.stderr?.on('data', onError);
  // A command may end without reading what it is given.
  child.stdin?.on('error', () => {});
  // What a command leaves running must not hold its pipes open: it goes when the command goes.
  const ended = await exitOf(child);
  // The end of the output may stand in the same batch of events; to look for who holds it open is dear.
  await nextEvents();
  tree.kill();
  await tree.gone();
  await closeOf(child);
  return { ...ended, durationMs: monotonicMs() - startedAt };
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve({ exitCode: child.exitCode, signal: child.signalCode });
  return new Promise((settle, fail) => {
    child.once('error', fail);
    child.once('exit', (exitCode, signal) => settle({ exitCode, signal }));
  });
}

/**
 * Waits for the last of the output. What hid so well that it could not be killed may hold the pipes open for
 * ever: then they are closed from here.
 */
async function closeOf(child: ChildProcess): Promise<void> {
  const open = [child.stdout, child.stderr].filter((stream) => stream !== null && !stream.closed);
  const timer = setTimeout(() => {
    for (const stream of open) stream?.destroy();
  }, closingMs);
  await Promise.all(open.map((stream) => new Promise<void>((settle) => stream?.once('close', settle))));
  clearTimeout(timer);
}
