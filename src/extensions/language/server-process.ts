import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node';
import type { CommandRunner, OpenProcess } from '../../sandbox/command-runner.ts';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import { lastBytes } from '../../tools/shell/output-capture.ts';
import { describeEnd } from '../../tools/shell/render-exit.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import { MessageSource, TextWriter } from './message-stream.ts';
import { ServerEnded } from './server-ended.ts';

/** Maximum unrequested bytes since our last request. */
const mostUnrequested = 64 * 1024 * 1024;
/** Stored bytes of standard error. */
const errorBytes = 2_048;

/** The command of a server. */
export interface ServerCommand {
  readonly runner: CommandRunner;
  /** The program, as it is called, and its arguments. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The absolute path of the folder that it works on. */
  readonly folder: string;
}

/** The process of a server, from its start to its end, and the connection to it. */
export interface ServerProcess {
  /** Not listening yet. */
  readonly connection: MessageConnection;
  /** The reason it ended, a clause; null while it runs. */
  readonly ended: string | null;
  /** Rejects with `ServerEnded` when it ends. */
  readonly gone: Promise<never>;
  /** Resets the count of unrequested bytes. */
  requestSent(): void;
  /** Ends it with a reason, a clause; the first one counts. Does not wait. */
  end(why: string): void;
  /** Resolves when the process has ended; never rejects. */
  readonly finished: Promise<void>;
  kill(): Promise<void>;
}

/**
 * Starts the process of a server. The process is killed if it breaks the protocol or sends too much
 * unasked. `tooLarge` is called for each message too long to read, with the request's id, or null,
 * and the bytes.
 */
export async function openServerProcess(
  { runner, argv, env, folder }: ServerCommand,
  tooLarge: (id: number | null, bytes: number) => void,
): Promise<ServerProcess> {
  const errorOutput = lastBytes(errorBytes);
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => undefined);
  let unrequested = 0;
  let ended: string | null = null;
  let child: OpenProcess | null = null;
  const end = (why: string) => {
    if (ended !== null) return;
    ended = why;
    gone.reject(new ServerEnded(why));
    connection.dispose();
    void child?.kill();
  };
  const source = new MessageSource({ broken: end, tooLarge });
  const connection = createMessageConnection(source.reader, new TextWriter((text) => child?.write(text)));
  connection.onError(() => undefined);
  const opened = await runner.open({
    command: `exec ${argv.map(quotedWord).join(' ')}`,
    cwd: folder,
    env,
    onOutput(chunk) {
      if (ended !== null) return;
      unrequested += chunk.length;
      if (unrequested > mostUnrequested)
        end(`sent more than ${mostUnrequested / 1024 / 1024} MiB without a request`);
      else source.push(chunk);
    },
    onError: errorOutput.push,
  });
  child = opened;
  const finished = opened.ended.then(
    (result) => {
      const last = visibleText(errorOutput.text()).trim();
      const how = describeEnd(result);
      end(last === '' ? how : `${how} and said: ${last.slice(-600)}`);
    },
    (error: unknown) => end(error instanceof Error ? error.message : String(error)),
  );
  return {
    connection,
    get ended() {
      return ended;
    },
    gone: gone.promise,
    requestSent() {
      unrequested = 0;
    },
    end,
    finished,
    async kill() {
      await opened.kill();
      await finished;
    },
  };
}
