import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { GitHub } from './github/start-github.ts';
import { cliProgram } from './program-files.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The permissions of app.yml. */
export const appPermissions = { contents: 'write', issues: 'write', pull_requests: 'write' } as const;

/** The real App as a process of its own. */
export interface AppProcess {
  readonly pid: number;
  readonly url: string;
  /** Every line it logged, as it stands there. */
  readonly lines: readonly string[];
  /** Its log entries from warning upwards. */
  readonly complaints: readonly string[];
  /** Resolves once what it logged holds. Rejects where it ends before. */
  untilLogged(holds: () => boolean): Promise<void>;
  /** Tells it to stop and waits for its end. */
  stop(): Promise<void>;
  /** Sends it a signal; resolves with its exit code when it has ended. */
  raise(signal: NodeJS.Signals): Promise<number | null>;
  /** Ends it at once, as a crash of the machine would. */
  kill(): Promise<void>;
}

export interface AppProcessOptions {
  readonly github: GitHub;
  readonly app: ReturnType<GitHub['addApp']>;
  /** Its home; the data folder lies in it. */
  readonly folder: string;
  /** Over what the App is given anyway: the model's endpoint and key, mostly. */
  readonly environment: Readonly<Record<string, string>>;
  /** What Node is started with before `serve`: its own options and the program. The program alone where left out. */
  readonly program?: readonly string[];
}

/** Starts the App against GitHub’s stand-in. Throws its output if it does not start. */
export async function startAppProcess({
  github,
  app,
  folder,
  environment,
  program = [path.join(root, cliProgram)],
}: AppProcessOptions): Promise<AppProcess> {
  const server = spawn(process.execPath, [...program, 'serve'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GITHUB_API_URL: github.apiUrl,
      GITHUB_SERVER_URL: github.url,
      APP_ID: String(app.appId),
      PRIVATE_KEY: app.privateKey,
      WEBHOOK_SECRET: app.webhookSecret,
      ANODE_DATA_DIR: path.join(folder, 'data'),
      ANODE_SANDBOX: 'preferred',
      // Tests run in containers that have no other user.
      ANODE_ALLOW_ROOT: '1',
      // A file of tests posts more in a minute than GitHub would take of one installation.
      ANODE_WRITE_LIMITS: 'off',
      PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const complaints: string[] = [];
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  try {
    const { url, untilLogged } = await listeningAt(server, lines, complaints);
    const raise = async (signal: NodeJS.Signals) => {
      const ended = once(server, 'exit');
      server.kill(signal);
      await ended;
      return server.exitCode;
    };
    const pid = server.pid ?? 0;
    const [stop, kill] = [() => end('SIGTERM'), () => end('SIGKILL')];
    return { pid, raise, url, lines, complaints, untilLogged, stop, kill };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
}

/** The address in the App's log, which is read further; without one, an error with the output. */
async function listeningAt(
  server: ChildProcess,
  lines: string[],
  complaints: string[],
): Promise<Pick<AppProcess, 'url' | 'untilLogged'>> {
  if (server.stdout === null) throw new Error('The App has no standard output.');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = createInterface({ input: server.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    const entry = LogLine.safeParse(line.startsWith('{') ? JSON.parse(line) : { level: 50 });
    if (!entry.success || entry.data.level >= 40) complaints.push(line);
    else if (entry.data.url !== undefined) resolve(entry.data.url);
  });
  const gone = () => new Error(`The App ended. It said:\n${lines.join('\n')}`);
  reader.on('close', () => reject(gone()));
  return {
    url: await promise,
    async untilLogged(holds) {
      const seen = Promise.withResolvers<void>();
      const look = () => (holds() ? seen.resolve() : undefined);
      const fail = () => seen.reject(gone());
      reader.on('line', look).on('close', fail);
      look();
      await seen.promise.finally(() => reader.off('line', look).off('close', fail));
    },
  };
}

/** What of a line of the App's log matters here; pino's levels: 40 is a warning. */
const LogLine = z.object({ level: z.number(), url: z.string().optional() });
