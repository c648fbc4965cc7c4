import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import { type Connection, connect, describeFailure, failureOf } from './connect.ts';
import { tooLarge } from './too-large.ts';

/** A way to a server, and what is known of it by itself. */
export interface ServerTransport extends Transport {
  /** A clause with the server as its subject that says how it ended; null while it runs, or where nothing can be known. */
  ended(): string | null;
  /** What it printed that was no message; null where there was nothing. */
  garbage(): string | null;
}

/** What one server of a run is made from. */
export interface ServerSpec {
  /** As tools are called after it. */
  readonly name: string;
  /** The workspace, where the server may know of it. */
  readonly root: string | null;
  /** Starts it, or opens a way to it. Rejects in words: a clause with the server as its subject. */
  readonly open: () => Promise<ServerTransport>;
  /** For each call, in seconds. */
  readonly timeoutSeconds: number;
  /** To say what it can do; left out, as for a call. In seconds. */
  readonly startSeconds?: number;
  /** Takes out what it was given. */
  readonly hide: (text: string) => string;
  /** Tells the operator, in a sentence. */
  readonly warn: (message: string) => void;
}

/** A server of a run: started when it is first asked for something, and once more where it dies. */
export interface McpServer {
  readonly name: string;
  /** Joins it, for its capabilities; the same connection until it ends. Rejects with an `Error` that is a clause with it as the subject. */
  connection(signal: AbortSignal): Promise<Connection>;
  /** Makes a request on behalf of a call. Throws `ToolError` in words for the model. */
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Called with the kind of list (`tools`, `prompts`, `resources`) that may be another now. */
  onChange: (list: string) => void;
  close(): Promise<void>;
}

/** A server that ends is started again so often. */
const mostRestarts = 1;

/** Opens a server; nothing is started before it is asked for. */
export function openMcpServer(spec: ServerSpec): McpServer {
  const { name, hide } = spec;
  const warn = (message: string) => spec.warn(hide(message));
  const timeoutMs = spec.timeoutSeconds * 1_000;
  const startSeconds = spec.startSeconds ?? spec.timeoutSeconds;
  let current: Promise<Connection> | null = null;
  let transport: ServerTransport | null = null;
  let deaths = 0;
  let lastDeath = '';
  let everUp = false;
  let closed = false;
  let toldGarbage = false;

  const tellGarbage = (said: string | null) => {
    if (said === null || toldGarbage) return;
    toldGarbage = true;
    warn(
      `The MCP server ${name} prints what is no message of the protocol, which is passed over: ${JSON.stringify(said)}.`,
    );
  };

  const start = async (signal: AbortSignal): Promise<Connection> => {
    const opened = await spec.open();
    transport = opened;
    let isUp = false;
    try {
      const connection = await connect(opened, {
        root: spec.root,
        signal,
        timeoutMs: startSeconds * 1_000,
        onNotification: (method) => {
          const list = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
          if (list !== undefined) server.onChange(list);
        },
        onClose: () => {
          if (isUp) died(opened);
        },
      });
      isUp = true;
      if (opened.ended() !== null) died(opened);
      const again = everUp;
      everUp = true;
      tellGarbage(opened.garbage());
      // What it has now may be other than before.
      if (again) for (const list of ['tools', 'prompts', 'resources']) server.onChange(list);
      return connection;
    } catch (error) {
      const said = opened.garbage();
      // Whoever gives up ends it: that is not how it ended.
      const ended = failureOf(error).kind === 'late' ? null : opened.ended();
      await opened.close();
      signal.throwIfAborted();
      const printed = said === null ? '' : `; it printed what is no message: ${JSON.stringify(said)}`;
      throw new Error(hide(`${ended ?? describeFailure(error, startSeconds, hide)}${printed}`), {
        cause: error,
      });
    }
  };

  const died = (one: ServerTransport, how = one.ended() ?? 'closed the connection') => {
    if (closed || transport !== one) return;
    transport = null;
    current = null;
    deaths += 1;
    lastDeath = how;
    const rest =
      deaths > mostRestarts
        ? 'It is not started again, so its tools fail from now on'
        : 'It is started once more when it is next called';
    warn(`The MCP server ${name} ${lastDeath}. ${rest}.`);
  };

  const server: McpServer = {
    name,
    onChange: () => undefined,
    async connection(signal) {
      if (closed) throw new Error('is closed, as its run has ended');
      if (current === null && deaths > mostRestarts)
        throw new Error(
          `has ended ${deaths} times in this run (the last time it ${lastDeath}), and is not started again`,
        );
      current ??= start(signal);
      const asked = current;
      try {
        return await asked;
      } catch (error) {
        if (current === asked) {
          current = null;
          // One that does not come up again has died again.
          if (everUp && !signal.aborted) {
            deaths += 1;
            lastDeath = error instanceof Error ? error.message : String(error);
          }
        }
        throw error;
      }
    },
    async ask(method, params, signal) {
      for (let attempt = 1; ; attempt += 1) {
        let connection: Connection;
        try {
          connection = await server.connection(signal);
        } catch (error) {
          signal.throwIfAborted();
          const why = error instanceof Error ? error.message : String(error);
          throw new ToolError('unavailable', `The MCP server ${name} ${why}. Go on without its tools.`, {
            cause: error,
          });
        }
        const asked = transport;
        try {
          return await connection.request(method, params, { signal, timeoutMs });
        } catch (error) {
          signal.throwIfAborted();
          if (asked !== null && isForgotten(error)) {
            died(asked, 'has forgotten its session');
            void asked.close();
            // It did nothing for this request, which is the first of the next session.
            if (attempt === 1 && deaths <= mostRestarts) continue;
          }
          throw wordsFor(error, asked);
        } finally {
          tellGarbage(asked?.garbage() ?? null);
        }
      }
    },
    async close() {
      closed = true;
      const open = transport;
      transport = null;
      const pending = await current?.catch(() => null);
      await pending?.close().catch(() => undefined);
      await open?.close();
    },
  };

  const wordsFor = (error: unknown, asked: ServerTransport | null): ToolError => {
    const failure = failureOf(error);
    const fail = (kind: string, words: string) => new ToolError(kind, hide(words), { cause: error });
    const subject = `The MCP server ${name}`;
    if (failure.kind === 'late')
      return fail(
        'timeout',
        `${subject} did not answer within ${spec.timeoutSeconds} s and was told to stop. What it did until then may stand: look before you try again, with less in one call.`,
      );
    const ended = asked?.ended() ?? null;
    if (failure.kind === 'closed' || ended !== null) {
      const rest =
        deaths > mostRestarts
          ? 'It is not started again. Go on without its tools.'
          : 'What it did until then may stand: look before you try again. The next call starts it once more.';
      return fail(
        'unavailable',
        `During this call the MCP server ${name} ${ended ?? 'closed the connection'}. ${rest}`,
      );
    }
    const said = hide(visibleText(failure.message)).slice(0, 2_000);
    if (failure.kind === 'broken') return fail('unavailable', `${subject} could not be asked: ${said}.`);
    if (failure.code === tooLarge)
      return fail(
        'too_large',
        `${subject} gave no answer that can be used: ${said}. Ask for less: a narrower query, a page, a smaller image.`,
      );
    // Of JSON-RPC: what was asked is wrong (-32602), or there is no such thing (-32601).
    const kind =
      failure.code === -32_602 ? 'invalid_input' : failure.code === -32_601 ? 'not_found' : 'failed';
    return fail(kind, `${subject} refused this with an error (${failure.code}): ${said}`);
  };

  return server;
}

/** Whether the session is over, which a server says by 404 (Streamable HTTP, "Session Management"). */
function isForgotten(error: unknown): boolean {
  const failure = failureOf(error);
  return failure.kind === 'broken' && failure.code === 404;
}
