import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Channel, ChannelClosed, createChannel, type Handlers } from '../../channel/create-channel.ts';
import type { StopReason } from '../../contract/limits.ts';
import { LeaseLost } from '../../contract/state-store.ts';
import { deliveryMethods, frontMethods, type Worked } from './delivery-methods.ts';
import { detectSilence } from './detect-silence.ts';

/** Start options of delivery processes. */
export interface DeliveryProgram {
  /** File of `src/delivery-process.ts`, or its build. */
  readonly file: string;
  /** The whole environment of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes one line to the App's log. */
  readonly writeLine: (line: string) => void;
}

/** Front handlers of one delivery. */
export type FrontHandlers = Omit<Handlers<typeof frontMethods>, 'log'>;

/** Calls `handle` or `actAtOnce` of a process. */
export type Ask = (call: Channel<typeof deliveryMethods>['call']) => Promise<Worked>;

/** A process that handles one delivery at a time. */
export interface DeliveryProcess {
  /**
   * Sends one delivery and serves its handlers until it ends. Rejects with the delivery's error, or
   * if the process ended or was killed. It is killed after `longestSilence` milliseconds without a
   * response.
   */
  work(ports: FrontHandlers, longestSilence: number, ask: Ask): ReturnType<Ask>;
  stopRun(runId: string, reason: StopReason): void;
  /** Kills it; its delivery rejects with the reason. */
  kill(why: Error): void;
  readonly isAlive: () => boolean;
  /** Waits for its end; kills it after some seconds. */
  end(): Promise<void>;
}

/** Milliseconds until the first response. */
const longestStart = 120_000;

/** The process did not respond for too long and was killed. */
export class ProcessUnresponsive extends Error {
  override readonly name = 'ProcessUnresponsive';
}

/** Milliseconds for a process to end; it waits less for its own work. */
const longestEnd = 5_000;

/** Starts a process, which is ready once it answers its first call. */
export function startDeliveryProcess(program: DeliveryProgram): DeliveryProcess {
  const { writeLine } = program;
  const { child, ended, describeEnd } = start(program);
  let why: Error | null = null;
  const kill = (reason: Error): void => {
    why ??= reason;
    child.kill('SIGKILL');
  };
  let ports: FrontHandlers | null = null;
  const channel = createChannel(child, deliveryMethods, frontMethods, {
    ...servedBy(() => ports, kill),
    log: async ({ line }) => writeLine(line),
  });
  // Loading our own code does not count as unresponsive.
  let started = false;
  const overdue = setTimeout(() => kill(new Error('The process of a delivery did not start.')), longestStart);
  overdue.unref();
  void Promise.race([channel.call('alive', undefined), channel.closed])
    .finally(() => clearTimeout(overdue))
    .then(
      () => (started = true),
      () => undefined,
    );
  return {
    async work(given, longestSilence, ask) {
      ports = given;
      const seconds = longestSilence / 1_000;
      const watch = detectSilence(
        async () => (started ? channel.call('alive', undefined) : undefined),
        longestSilence,
        () =>
          kill(
            new ProcessUnresponsive(
              `The process of a delivery did not answer for ${seconds} s and was killed.`,
            ),
          ),
      );
      try {
        return await ask(channel.call);
      } catch (error) {
        if (!(error instanceof ChannelClosed)) throw error;
        await ended;
        throw why ?? new Error(await describeEnd(), { cause: error });
      } finally {
        watch.stop();
        ports = null;
      }
    },
    stopRun: (runId, reason) => void channel.call('runs.stop', { run_id: runId, reason }).catch(() => {}),
    kill,
    isAlive: () => child.connected && why === null,
    async end() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), longestEnd);
      await ended;
      clearTimeout(timer);
    },
  };
}

/**
 * Memory limits of V8 in MiB for new and old objects, so that one process cannot exhaust the
 * machine.
 */
const flags = ['--no-warnings', '--max-semi-space-size=8', '--max-old-space-size=2048'];

/** Limits for the last output of a process: characters, and milliseconds to wait for it. */
const maxOutputLength = 4_000;
const outputWaitMs = 500;

function start({ file, environment }: DeliveryProgram): {
  readonly child: ChildProcess;
  /** Never rejects: a program that cannot start has ended. */
  readonly ended: Promise<void>;
  readonly describeEnd: () => Promise<string>;
} {
  const child = fork(file, [], {
    execArgv: flags,
    env: { ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-maxOutputLength);
  });
  child.on('exit', () => end());
  child.on('error', (error) => {
    output = error.message;
    end();
  });
  const outputEnd = once(child.stderr ?? child, 'end').catch(() => undefined);
  return {
    child,
    ended,
    async describeEnd() {
      // Child processes of the process may keep the pipe open.
      await Promise.race([outputEnd, sleep(outputWaitMs)]);
      const how = child.signalCode ?? `exit code ${child.exitCode}`;
      return `The process of a delivery ended (${how}). ${output}`.trim();
    },
  };
}

/**
 * Forwards calls to the handlers of the current delivery. A process that lost its lease is killed.
 */
function servedBy(current: () => FrontHandlers | null, kill: (why: Error) => void): FrontHandlers {
  const serve =
    (name: keyof FrontHandlers) =>
    async (input: never, signal: AbortSignal): Promise<unknown> => {
      const handler = current()?.[name];
      if (handler === undefined) throw new Error(`${name} was called, but there is no delivery.`);
      try {
        return await handler(input, signal);
      } catch (error) {
        if (error instanceof LeaseLost) kill(error);
        throw error;
      }
    };
  const { log: _, ...ofDeliveries } = frontMethods;
  const names = Object.keys(ofDeliveries) as (keyof FrontHandlers)[];
  return Object.fromEntries(names.map((name) => [name, serve(name)])) as unknown as FrontHandlers;
}
