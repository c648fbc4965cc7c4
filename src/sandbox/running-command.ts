import type { ChildProcess } from 'node:child_process';
import { setImmediate as nextEvents } from 'node:timers/promises';
import { monotonicMs } from '../contract/monotonic-ms.ts';
import type { CommandRequest, CommandResult, OpenProcess, ProcessRequest } from './command-runner.ts';

/** Time for remaining output after all known processes of a command have ended. */
const closingMs = 1_000;

/** All processes of a command. `kill` ends them; `gone` resolves when none is left. */
export interface ProcessTree {
  readonly kill: () => void;
  /** Returns true if the last `kill` found a running process. Absent where no search is made. */
  readonly found?: () => boolean;
  /** Sends SIGTERM. */
  readonly terminate: () => void;
  readonly gone: () => Promise<void>;
}

/**
 * Follows a started command to its end: passes its output on, feeds its input, and kills it at the
 * time-out or abort. An abort rejects with the signal's reason once all processes have ended.
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
    return timedOut || tree.found?.() !== true
      ? { ...result, timedOut }
      : { ...result, timedOut, endedMore: true };
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', onAbort);
  }
}

/** Follows a started interactive program. Its input stays open until it ends. */
export function followProcess(
  child: ChildProcess,
  request: Pick<ProcessRequest, 'onOutput' | 'onError'>,
  tree: ProcessTree,
): OpenProcess {
  let killed = false;
  // Bubblewrap may outlive its command and then reports the signal as 128 plus its number.
  const ended = endOf(child, request, tree).then((end) =>
    killed && end.exitCode === 137 ? { ...end, exitCode: null, signal: 'SIGKILL' } : end,
  );
  // The opener may never await its end.
  const ending = ended.then(
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
      return ending;
    },
  };
}

/** Passes output on until a program has ended, then kills what it left behind. */
async function endOf(
  child: ChildProcess,
  { onOutput, onError = onOutput }: Pick<ProcessRequest, 'onOutput' | 'onError'>,
  tree: ProcessTree,
): Promise<Omit<CommandResult, 'timedOut'>> {
  const startedAt = monotonicMs();
  child.stdout?.on('data', onOutput);
  child.stderr?.on('data', onError);
  // A command may end without reading its input.
  child.stdin?.on('error', () => {});
  // A leftover process must not keep the pipes open: it ends with the command.
  const ended = await exitOf(child);
  // The end of the output may be in the same batch of events, and searching for its holders is
  // slow.
  await nextEvents();
  tree.kill();
  await tree.gone();
  await closeOf(child);
  return { ...ended, durationMs: monotonicMs() - startedAt };
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve({ exitCode: child.exitCode, signal: child.signalCode });
  return new Promise((resolve, fail) => {
    child.once('error', fail);
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

/**
 * Waits for the last output. A process that escaped the kill may keep the pipes open; they are then
 * closed here.
 */
async function closeOf(child: ChildProcess): Promise<void> {
  const open = [child.stdout, child.stderr].filter((stream) => stream !== null && !stream.closed);
  const timer = setTimeout(() => {
    for (const stream of open) stream?.destroy();
  }, closingMs);
  await Promise.all(open.map((stream) => new Promise<void>((resolve) => stream?.once('close', resolve))));
  clearTimeout(timer);
}
