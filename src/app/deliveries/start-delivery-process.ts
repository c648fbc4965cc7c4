import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Channel, ChannelClosed, createChannel, type Handlers } from '../../channel/create-channel.ts';
import type { StopReason } from '../../contract/limits.ts';
import { LeaseLost } from '../../contract/state-store.ts';
import { deliveryMethods, frontMethods, type Worked } from './delivery-methods.ts';
import { watchAnswers } from './watch-answers.ts';

/** How delivery processes are started. */
export interface DeliveryProgram {
  /** The file of `src/delivery-process.ts`, or what the build made of it. */
  readonly file: string;
  /** All that the process has of variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes one line to the log of the App. */
  readonly writeLine: (line: string) => void;
}

/** What the front does for one delivery. */
export type DeliveryPorts = Omit<Handlers<typeof frontMethods>, 'log'>;

/** Asks a process for a delivery: by `handle` or `actAtOnce`. */
export type Ask = (call: Channel<typeof deliveryMethods>['call']) => Promise<Worked>;

/** A process that works on one delivery at a time. */
export interface DeliveryProcess {
  /**
   * Asks it for one delivery, and serves it the ports of that one meanwhile. Rejects with the error that it failed by, also where
   * the process ended or had to be killed, as it is when it answers nothing for `longestSilence` milliseconds.
   */
  work(ports: DeliveryPorts, longestSilence: number, ask: Ask): ReturnType<Ask>;
  stopRun(runId: string, reason: StopReason): void;
  /** Kills it; what it works on rejects with the reason. */
  kill(why: Error): void;
  readonly isAlive: () => boolean;
  /** Lets it end by itself, and resolves when it has; after some seconds it is killed. */
  end(): Promise<void>;
}

/** Until the first answer, in milliseconds. */
const longestStart = 120_000;

/** A process answered nothing for too long, and was killed. */
export class ProcessSilent extends Error {
  override readonly name = 'ProcessSilent';
}

/** Of a process that is let end. In milliseconds; the process itself waits less for what it works on. */
const longestEnd = 5_000;

/** Starts a process, which is ready when it answers its first call. */
export function startDeliveryProcess(program: DeliveryProgram): DeliveryProcess {
  const { writeLine } = program;
  const { child, ended, describeEnd } = start(program);
  let why: Error | null = null;
  const kill = (reason: Error): void => {
    why ??= reason;
    child.kill('SIGKILL');
  };
  let ports: DeliveryPorts | null = null;
  const channel = createChannel(child, deliveryMethods, frontMethods, {
    ...servedBy(() => ports, kill),
    log: async ({ line }) => writeLine(line),
  });
  // Loading our own code is no silence of a delivery.
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
      const watch = watchAnswers(
        async () => (started ? channel.call('alive', undefined) : undefined),
        longestSilence,
        () =>
          kill(
            new ProcessSilent(`The process of a delivery did not answer for ${seconds} s and was killed.`),
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
 * MiB that V8 may take for new objects, which it would else let grow, and for old ones: what needs more than that must not take the machine
 * with it.
 */
const flags = ['--no-warnings', '--max-semi-space-size=8', '--max-old-space-size=2048'];

/** How much of what a process said at its end is told, in characters, and how long that is waited for, in milliseconds. */
const mostSaid = 4_000;
const lastWordsMs = 500;

function start({ file, environment }: DeliveryProgram): {
  readonly child: ChildProcess;
  /** Never rejects: a program that cannot be started has ended. */
  readonly ended: Promise<void>;
  readonly describeEnd: () => Promise<string>;
} {
  const child = fork(file, [], {
    execArgv: flags,
    env: { ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-mostSaid);
  });
  child.on('exit', () => end());
  child.on('error', (error) => {
    said = error.message;
    end();
  });
  const allSaid = once(child.stderr ?? child, 'end').catch(() => undefined);
  return {
    child,
    ended,
    async describeEnd() {
      // What it left running may hold the pipe open.
      await Promise.race([allSaid, sleep(lastWordsMs)]);
      const how = child.signalCode ?? `exit code ${child.exitCode}`;
      return `The process of a delivery ended (${how}). ${said}`.trim();
    },
  };
}

/** The ports of the delivery that the process works on at present. One whose lease is lost must do nothing more. */
function servedBy(current: () => DeliveryPorts | null, kill: (why: Error) => void): DeliveryPorts {
  const serve =
    (name: keyof DeliveryPorts) =>
    async (input: never, signal: AbortSignal): Promise<unknown> => {
      const handler = current()?.[name];
      if (handler === undefined) throw new Error(`${name} was asked for, but there is no delivery.`);
      try {
        return await handler(input, signal);
      } catch (error) {
        if (error instanceof LeaseLost) kill(error);
        throw error;
      }
    };
  const { log: _, ...ofDeliveries } = frontMethods;
  const names = Object.keys(ofDeliveries) as (keyof DeliveryPorts)[];
  return Object.fromEntries(names.map((name) => [name, serve(name)])) as unknown as DeliveryPorts;
}
