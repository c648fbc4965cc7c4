import { ToolError } from '../../contract/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import { settledWithin } from '../../tools/registry/promise-limits.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import { answerServer, initializeParams, type ServerNotices } from './client-side.ts';
import { ServerEnded } from './server-ended.ts';
import { openServerProcess, type ServerCommand, type ServerProcess } from './server-process.ts';
import { pendingRequests, type ServerRequests, serverRequests } from './server-requests.ts';

/** Milliseconds for the answer to a shutdown, and again for the end. */
const stopMs = 1_000;

/** Settings of a start. */
export interface ServerStart extends ServerCommand {
  readonly name: string;
  readonly settings: JsonObject;
  readonly initializationOptions: Json | undefined;
  /** Time-out of the first request in milliseconds. */
  readonly startMs: number;
}

/** A language server that runs. */
export interface LanguageServer
  extends Pick<ServerNotices, 'published' | 'messages' | 'busy'>,
    Pick<ServerRequests, 'request'> {
  readonly name: string;
  /** True if it declared a capability at first, or registered its method later. */
  can(capability: string, method: string): boolean;
  /** The reason it ended, a clause; null while it runs. */
  readonly ended: string | null;
  /** Resolves when it is idle, when it has ended, or after a time-out. */
  ready(milliseconds: number, signal: AbortSignal): Promise<void>;
  notify(method: string, params: Json): void;
  /** Asks it to end, and sees to it. */
  stop(): Promise<void>;
}

/**
 * Starts and initialises a server. Throws `ServerEnded`, with nothing left running, if it does not
 * come up.
 */
export async function startLanguageServer(start: ServerStart, signal: AbortSignal): Promise<LanguageServer> {
  signal.throwIfAborted();
  const pending = pendingRequests(start.name);
  const serverProcess = await openServerProcess(start, pending.tooLarge);
  const notices = answerServer(serverProcess.connection, start);
  serverProcess.gone.catch(notices.endWaits);
  serverProcess.connection.listen();
  const requests = serverRequests(start.name, serverProcess, pending);
  try {
    const limits = { signal, timeoutMs: start.startMs };
    const answer = await requests.once('initialize', initializeParams(start), limits);
    const capabilities = isJsonObject(answer) ? answer.capabilities : undefined;
    if (!isJsonObject(capabilities)) throw new ServerEnded('did not say what it can do');
    const server = serverOf(start.name, capabilities, { serverProcess, notices, requests });
    server.notify('initialized', {});
    server.notify('workspace/didChangeConfiguration', { settings: start.settings });
    return server;
  } catch (error) {
    serverProcess.end('did not come up');
    await serverProcess.kill();
    if (signal.aborted || error instanceof ServerEnded) throw error;
    if (error instanceof ToolError && error.kind === 'timeout')
      throw new ServerEnded(`did not answer within ${start.startMs / 1_000} seconds of its start`, {
        silent: true,
      });
    const why = error instanceof Error ? visibleText(error.message) : String(error);
    throw new ServerEnded(`could not be spoken to: ${why}`);
  }
}

/** Creates the interface of a running server with its declared capabilities. */
function serverOf(
  name: string,
  capabilities: JsonObject,
  {
    serverProcess,
    notices,
    requests,
  }: {
    readonly serverProcess: ServerProcess;
    readonly notices: ServerNotices;
    readonly requests: ServerRequests;
  },
): LanguageServer {
  const notify: LanguageServer['notify'] = (method, params) => {
    if (serverProcess.ended === null)
      void serverProcess.connection.sendNotification(method, params).catch(() => undefined);
  };
  return {
    name,
    published: notices.published,
    messages: notices.messages,
    get ended() {
      return serverProcess.ended;
    },
    get busy() {
      return notices.busy;
    },
    can: (capability, method) => (capabilities[capability] ?? false) !== false || notices.registers(method),
    async ready(milliseconds, signal) {
      if (serverProcess.ended === null) await notices.waitUntilIdle(milliseconds, signal);
    },
    request: requests.request,
    notify,
    async stop() {
      if (serverProcess.ended === null) {
        const limits = { signal: AbortSignal.timeout(stopMs), timeoutMs: stopMs };
        await requests.once('shutdown', null, limits).catch(() => undefined);
        notify('exit', null);
        await settledWithin(serverProcess.finished, stopMs);
        serverProcess.end('was stopped');
      }
      await serverProcess.kill();
    },
  };
}
