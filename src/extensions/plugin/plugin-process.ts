import type { Json } from '../../contract/json.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import { settledWithin } from '../../tools/registry/promise-limits.ts';
import { lastBytes } from '../../tools/shell/output-capture.ts';
import { describeEnd } from '../../tools/shell/render-exit.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import { type ConnectionEvents, LineConnection, PluginFailure } from './line-connection.ts';

/** The protocol's version. */
const protocolVersion = 1;

/**
 * Reported characters of standard error, the last ones. More are stored, so that no secret is cut
 * before redaction.
 */
const mostErrorCharacters = 4_096;
const storedErrorBytes = 32 * 1024;

/** Milliseconds for a simple answer, for ending when asked, and for ending after a signal. */
const gracePeriods = { answer: 1_500, end: 500, signal: 1_000 };

/** Settings of a start. */
export interface PluginEnvironment {
  /** Its command. */
  readonly argv: readonly string[];
  readonly folder: string;
  readonly runner: CommandRunner;
  readonly workspaceRoot: string;
  readonly readOnly: boolean;
  /** Variables from `env.pass`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Removes their values from its output. */
  readonly hide: (text: string) => string;
  /** Time-out of the start. */
  readonly timeoutMs: number;
  /** Grace periods at its end. Default: a few seconds in all. */
  readonly gracePeriods?: typeof gracePeriods;
}

/** An initialised plug-in. */
export interface PluginProcess extends Pick<LineConnection, 'request'> {
  /** False if it hangs after a cancellation. */
  answers(): Promise<boolean>;
  /** The reason its process ended; null while it runs. */
  ended(): PluginFailure | null;
  /** Ends it by a message, a signal, then a kill. Nothing of it is left when this resolves. */
  stop(): Promise<void>;
}

/**
 * Starts a plug-in and waits for its answer to `initialize`. Rejects with `PluginFailure` or an
 * abort's reason, with nothing left running.
 */
export async function startPlugin(
  place: PluginEnvironment,
  events: Pick<ConnectionEvents, 'notified' | 'broke'>,
  signal: AbortSignal,
): Promise<PluginProcess> {
  signal.throwIfAborted();
  const { opened, connection, gone, ended } = await openConnection(place, events);
  const { workspaceRoot: workspace, readOnly, gracePeriods: periods = gracePeriods } = place;
  const request = (method: string, params: Json, timeoutMs: number, by: AbortSignal) =>
    connection.request(method, params, { timeoutMs, signal: by });
  const isAnswered = async (method: string): Promise<boolean> => {
    try {
      await request(method, {}, periods.answer, new AbortController().signal);
      return true;
    } catch (error) {
      if (!(error instanceof PluginFailure)) throw error;
      // Any answer will do.
      return error.kind === 'answered' || error.kind === 'unknown';
    }
  };
  const stop = async () => {
    if (ended() === null) {
      await isAnswered('shutdown');
      opened.closeInput();
      if (!(await settledWithin(gone, periods.end))) {
        opened.terminate();
        await settledWithin(gone, periods.signal);
      }
    }
    await opened.kill();
    await gone;
  };
  try {
    await request('initialize', { protocolVersion, workspace, readOnly }, place.timeoutMs, signal);
  } catch (error) {
    await opened.kill();
    throw error;
  }
  const answers = async () => !connection.stuck() || isAnswered('ping');
  return { request: connection.request, answers, ended, stop };
}

/** Starts the process and connects to it. `gone` resolves when the process has ended. */
async function openConnection(
  place: PluginEnvironment,
  events: Pick<ConnectionEvents, 'notified' | 'broke'>,
) {
  const errorOutput = lastBytes(storedErrorBytes);
  let ended: PluginFailure | null = null;
  const end = (failure: PluginFailure) => {
    ended ??= failure;
    connection.end(ended);
  };
  const connection = new LineConnection(
    (text) => opened.write(text),
    {
      ...events,
      flooded(problem) {
        end(new PluginFailure('ended', `${problem}, so it was ended`));
        void opened.kill();
      },
    },
    place.hide,
  );
  const opened = await place.runner.open({
    command: `exec ${place.argv.map(quotedWord).join(' ')}`,
    cwd: place.folder,
    env: { ...place.variables, PLUGIN_WORKSPACE: place.workspaceRoot, AGENT: 'anode' },
    onOutput: connection.push,
    onError: errorOutput.push,
  });
  const gone = opened.ended.then(
    (how) => {
      const stderr = place.hide(visibleText(errorOutput.text())).trim().slice(-mostErrorCharacters);
      end(new PluginFailure('ended', describeEnd(how), stderr));
    },
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      end(new PluginFailure('ended', `could not be run (${why})`));
    },
  );
  return { opened, connection, gone, ended: () => ended };
}

/** Maximum starts. */
const mostStarts = 2;

/** The current process of a plug-in. */
export interface SupervisedPlugin {
  /**
   * The running process, started on demand. Rejects with `PluginFailure`: `over` after too many
   * starts.
   */
  running(signal: AbortSignal): Promise<PluginProcess>;
  /** The running process; null if there is none. */
  current(): Promise<PluginProcess | null>;
  /** False after the last start. */
  mayStart(): boolean;
  /** Ends it. No process is left when this resolves. */
  close(): Promise<void>;
}

/** Supervises a process; `restarted` is called after a restart. */
export function supervisePlugin(
  start: (signal: AbortSignal) => Promise<PluginProcess>,
  restarted: (process: PluginProcess) => void,
): SupervisedPlugin {
  const closing = new AbortController();
  let latest: Promise<PluginProcess> | null = null;
  let starts = 0;
  let turn: Promise<unknown> = Promise.resolve();
  /** The latest process or its end; null before the first. */
  const latestState = async (): Promise<PluginProcess | PluginFailure | null> => {
    const process = await latest?.catch((error: unknown) =>
      // The abort of the first caller does not concern the process.
      error instanceof PluginFailure ? error : new PluginFailure('ended', 'was not started to its end'),
    );
    if (process === undefined || process instanceof PluginFailure) return process ?? null;
    // Later calls would wait for a hanging process in vain.
    if (!(await process.answers())) await process.stop();
    return process.ended() ?? process;
  };
  const running = async (signal: AbortSignal): Promise<PluginProcess> => {
    const found = await latestState();
    if (found !== null && !(found instanceof PluginFailure)) return found;
    if (closing.signal.aborted) throw new PluginFailure('over', 'has ended with its run');
    if (starts >= mostStarts) throw new PluginFailure('over', found?.message ?? 'has ended', found?.stderr);
    starts += 1;
    latest = start(AbortSignal.any([signal, closing.signal]));
    latest.catch(() => undefined);
    const process = await latest;
    if (starts > 1) restarted(process);
    return process;
  };
  return {
    // One at a time, so that calls that come together start one process.
    running(signal) {
      const next = turn.then(() => running(signal));
      turn = next.catch(() => undefined);
      return next;
    },
    async current() {
      const process = await latest?.catch(() => null);
      return process?.ended() === null ? process : null;
    },
    mayStart: () => starts < mostStarts && !closing.signal.aborted,
    async close() {
      closing.abort(new PluginFailure('over', 'has ended with its run'));
      await turn;
      await (await latest?.catch(() => null))?.stop();
    },
  };
}
