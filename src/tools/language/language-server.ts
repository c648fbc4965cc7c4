import { CancellationTokenSource, createMessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { ToolError } from '../../contract/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import type { CommandRunner, OpenProcess } from '../../permissions/sandbox/command-runner.ts';
import { quotedWord } from '../../permissions/shell/quoted-word.ts';
import { settledWithin } from '../external/settled-within.ts';
import { describeEnd } from '../shell/describe-end.ts';
import { lastBytes } from '../shell/last-bytes.ts';
import { visibleText } from '../text/visible-text.ts';
import { answerServer } from './answer-server.ts';
import { introduction } from './client-side.ts';
import { messageSource, messageWriter } from './message-stream.ts';
import { type Published, publishedDiagnostics } from './published-diagnostics.ts';
import { ServerEnded } from './server-ended.ts';
import { wakeAll, woken } from './woken.ts';

/** What a server may send that nobody asked for, in bytes since the last request of ours. */
const mostUnasked = 64 * 1024 * 1024;
/** Of what it said last on standard error so many bytes are kept. */
const lastWords = 2_048;
/** Of what it has for people so many lines are kept. */
const mostSaid = 5;
/** A server that answers "not now" is asked again so often, after so many milliseconds each. */
const retries = 5;
const retryMs = 300;

/** What a server is started with. */
export interface ServerStart {
  readonly name: string;
  readonly runner: CommandRunner;
  /** The program, as it is called, and its arguments. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The absolute path of the folder that it works on. */
  readonly folder: string;
  readonly settings: JsonObject;
  readonly initializationOptions: Json | undefined;
  /** How long it has to answer the first request, in milliseconds. */
  readonly startMs: number;
}

/** A language server that runs. */
export interface LanguageServer {
  readonly name: string;
  /** What it can do: what it said at first, and what it registered later, by method. */
  can(capability: string, method: string): boolean;
  readonly capabilities: JsonObject;
  readonly published: Published;
  /** Null while it runs; then a clause that says why it ended. */
  readonly ended: string | null;
  /** The last errors and warnings that it had for people, a line each. */
  readonly said: readonly string[];
  /** True while it says that it still loads. */
  readonly busy: boolean;
  /** Settles when it has said that it is ready, when it has ended, or after so many milliseconds. */
  ready(milliseconds: number, signal: AbortSignal): Promise<void>;
  /**
   * Asks it. Throws `ServerEnded` where it ends before it has answered, `ToolError` where it refuses or takes too long; an abort
   * rejects with the signal's reason.
   */
  request(
    method: string,
    params: Json,
    asked: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<Json>;
  notify(method: string, params: Json): void;
  /** Asks it to end, and sees to it. */
  stop(): Promise<void>;
}

/** Starts a server and introduces ourselves. Throws `ServerEnded`, with nothing left running, where it does not come up. */
export async function startLanguageServer(start: ServerStart, signal: AbortSignal): Promise<LanguageServer> {
  const { name, runner, words, folder } = start;
  signal.throwIfAborted();
  const lastSaid = lastBytes(lastWords);
  let unasked = 0;
  let ended: string | null = null;
  const waiting = new Set<() => void>();
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => undefined);
  const end = (why: string) => {
    if (ended !== null) return;
    ended = why;
    gone.reject(new ServerEnded(why));
    wakeAll(waiting);
    connection.dispose();
    void child?.kill();
  };
  let child: OpenProcess | null = null;
  const source = messageSource({
    broken: end,
    tooLarge(id, bytes) {
      reject(id, `sent an answer of ${bytes} bytes, which is too large to read`);
    },
  });
  const rejections = new Map<number, (error: Error) => void>();
  const reject = (id: number | null, why: string) => {
    const error = new ToolError('too_large', `${name} ${why}. Ask for less: a narrower query, another file.`);
    if (id !== null) rejections.get(id)?.(error);
    // Whose answer it was cannot be known.
    else for (const one of rejections.values()) one(error);
  };
  const connection = createMessageConnection(
    source.reader,
    messageWriter((text) => child?.write(text)),
  );
  connection.onError(() => undefined);
  const opened = await runner.open({
    command: `exec ${words.map(quotedWord).join(' ')}`,
    cwd: folder,
    env: start.env,
    onOutput(chunk) {
      if (ended !== null) return;
      unasked += chunk.length;
      if (unasked > mostUnasked) end(`sent more than ${mostUnasked / 1024 / 1024} MiB that nobody asked for`);
      else source.push(chunk);
    },
    onError: lastSaid.push,
  });
  child = opened;
  const finished = opened.ended.then(
    (result) => {
      const last = visibleText(lastSaid.text()).trim();
      const how = describeEnd(result);
      end(last === '' ? how : `${how} and said: ${last.slice(-600)}`);
    },
    (error: unknown) => end(error instanceof Error ? error.message : String(error)),
  );
  let capabilities: JsonObject = {};
  const published = publishedDiagnostics();
  const said: string[] = [];
  const log = (line: string) => {
    said.push(line);
    if (said.length > mostSaid) said.shift();
  };
  const registered = new Map<string, string>();
  const loading = new Set<string>();
  answerServer(connection, {
    folder,
    settings: start.settings,
    log,
    published,
    registered,
    loading,
    settled: () => wakeAll(waiting),
  });
  connection.listen();
  let sequence = 0;

  /** One try: sequence numbers are those of the connection, which counts from 0 and in order. */
  const once = async (method: string, params: Json, timeoutMs: number, abort: AbortSignal): Promise<Json> => {
    abort.throwIfAborted();
    if (ended !== null) throw new ServerEnded(ended);
    unasked = 0;
    const cancel = new CancellationTokenSource();
    const stopped = Promise.withResolvers<never>();
    const late = new ToolError(
      'timeout',
      `${name} did not answer ${method} within ${timeoutMs / 1_000} seconds. Try again, or use code_search or grep.`,
    );
    const timer = setTimeout(() => stopped.reject(late), timeoutMs);
    const onAbort = () => stopped.reject(abort.reason);
    abort.addEventListener('abort', onAbort, { once: true });
    const id = sequence++;
    rejections.set(id, stopped.reject);
    const answer = connection.sendRequest(method, params, cancel.token) as Promise<Json>;
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, stopped.promise, gone.promise]);
    } catch (error) {
      if (ended === null && !(error instanceof ResponseError)) cancel.cancel();
      // A connection that is closed rejects in its own words.
      if (ended !== null && !abort.aborted) throw new ServerEnded(ended);
      throw error;
    } finally {
      rejections.delete(id);
      clearTimeout(timer);
      abort.removeEventListener('abort', onAbort);
    }
  };
  const server: LanguageServer = {
    name,
    published,
    said,
    get capabilities() {
      return capabilities;
    },
    get ended() {
      return ended;
    },
    get busy() {
      return loading.size > 0;
    },
    can: (capability, method) =>
      (capabilities[capability] ?? false) !== false || [...registered.values()].includes(method),
    async ready(milliseconds, abort) {
      if (loading.size > 0 && ended === null) await woken(waiting, milliseconds, abort);
    },
    async request(method, params, { signal: abort, timeoutMs }) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(method, params, timeoutMs, abort);
        } catch (error) {
          if (!(error instanceof ResponseError)) throw error;
          if (!notNow.includes(error.code) || attempt > retries)
            throw new ToolError(
              'failed',
              `${name} answered ${method} with an error: ${visibleText(error.message).slice(0, 500)}`,
            );
          await woken(new Set(), retryMs, abort);
        }
      }
    },
    notify(method, params) {
      if (ended === null) void connection.sendNotification(method, params).catch(() => undefined);
    },
    async stop() {
      if (ended === null) {
        const asked = AbortSignal.timeout(1_000);
        await once('shutdown', null, 1_000, asked).catch(() => undefined);
        server.notify('exit', null);
        await settledWithin(finished, 1_000);
        end('was stopped');
      }
      await opened.kill();
      await finished;
    },
  };
  try {
    const answer = await once('initialize', introduction(start), start.startMs, signal);
    const able = isJsonObject(answer) ? answer.capabilities : undefined;
    if (!isJsonObject(able)) throw new ServerEnded('did not say what it can do');
    capabilities = able;
    server.notify('initialized', {});
    server.notify('workspace/didChangeConfiguration', { settings: start.settings });
    return server;
  } catch (error) {
    end('did not come up');
    await opened.kill();
    await finished;
    if (signal.aborted || error instanceof ServerEnded) throw error;
    if (error instanceof ToolError && error.kind === 'timeout')
      throw new ServerEnded(`did not answer within ${start.startMs / 1_000} seconds of its start`, {
        silent: true,
      });
    const why = error instanceof Error ? visibleText(error.message) : String(error);
    throw new ServerEnded(`could not be spoken to: ${why}`);
  }
}

/** What servers say when a file changed under the request, or they still load. */
const notNow: readonly number[] = [-32801, -32802];
