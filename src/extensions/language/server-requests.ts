import { CancellationTokenSource, ResponseError } from 'vscode-jsonrpc/node';
import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { pause } from '../../tools/registry/promise-limits.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import type { RequestLimits } from '../protocol/message-lines.ts';
import { ServerEnded } from './server-ended.ts';
import type { ServerProcess } from './server-process.ts';

/** Retries after "not now", and milliseconds between them. */
const retries = 5;
const retryMs = 300;
/** Error codes for a file that changed during the request, and for a server that still loads. */
const notNow: readonly number[] = [-32801, -32802];

/** Pending requests by number, with their rejections. */
export interface PendingRequests {
  readonly rejections: Map<number, (error: Error) => void>;
  /** Rejects the request whose answer was too long; all if `id` is null. */
  tooLarge(id: number | null, bytes: number): void;
}

/** For the server of a name. */
export function pendingRequests(name: string): PendingRequests {
  const rejections: PendingRequests['rejections'] = new Map();
  return {
    rejections,
    tooLarge(id, bytes) {
      const error = new ToolError(
        'too_large',
        `${name} sent an answer of ${bytes} bytes, which is too large to read. Ask for less: a narrower query, another file.`,
      );
      if (id !== null) rejections.get(id)?.(error);
      else for (const reject of rejections.values()) reject(error);
    },
  };
}

/** Asks one server. */
export interface ServerRequests {
  /** Sends once. A server's error is a `ResponseError`; otherwise throws like `request`. */
  once(method: string, params: Json, limits: RequestLimits): Promise<Json>;
  /**
   * Sends again while the server answers "not now". Throws `ServerEnded` if it ends, `ToolError`
   * for an error or a time-out. Rejects with the signal's reason.
   */
  request(method: string, params: Json, limits: RequestLimits): Promise<Json>;
}

/** Sends all requests of a server; it counts them. */
export function serverRequests(
  name: string,
  serverProcess: Pick<ServerProcess, 'connection' | 'ended' | 'gone' | 'requestSent'>,
  { rejections }: Pick<PendingRequests, 'rejections'>,
): ServerRequests {
  // Sequence numbers are those of the connection, which counts from 0 and in order.
  let sequence = 0;

  const once: ServerRequests['once'] = async (method, params, { signal, timeoutMs }) => {
    signal.throwIfAborted();
    if (serverProcess.ended !== null) throw new ServerEnded(serverProcess.ended);
    serverProcess.requestSent();
    const cancel = new CancellationTokenSource();
    const stopped = Promise.withResolvers<never>();
    const late = new ToolError(
      'timeout',
      `${name} did not answer ${method} within ${timeoutMs / 1_000} seconds. Try again, or use code_search or grep.`,
    );
    const timer = setTimeout(() => stopped.reject(late), timeoutMs);
    const onAbort = () => stopped.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const id = sequence++;
    rejections.set(id, stopped.reject);
    const answer = serverProcess.connection.sendRequest(method, params, cancel.token) as Promise<Json>;
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, stopped.promise, serverProcess.gone]);
    } catch (error) {
      if (serverProcess.ended === null && !(error instanceof ResponseError)) cancel.cancel();
      // A closed connection rejects with an error of its own.
      if (serverProcess.ended !== null && !signal.aborted) throw new ServerEnded(serverProcess.ended);
      throw error;
    } finally {
      rejections.delete(id);
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  };

  return {
    once,
    async request(method, params, limits) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(method, params, limits);
        } catch (error) {
          if (!(error instanceof ResponseError)) throw error;
          if (!notNow.includes(error.code) || attempt > retries)
            throw new ToolError(
              'failed',
              `${name} answered ${method} with an error: ${visibleText(error.message).slice(0, 500)}`,
            );
          await pause(retryMs, limits.signal);
        }
      }
    },
  };
}
