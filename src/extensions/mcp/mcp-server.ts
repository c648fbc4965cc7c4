import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import { type Connection, connect, describeMcpFailure, failureOf } from './connect.ts';
import { tooLarge } from './too-large.ts';

/** A transport to a server, with its state. */
export interface ServerTransport extends Transport {
  /** The way it ended, a clause; null while it runs or if unknown. */
  ended(): string | null;
  /** The start of output that was no message; null if there was none. */
  garbage(): string | null;
}

/** Settings and services of one server. */
export interface ServerSpec {
  /** The name in its tools' names. */
  readonly name: string;
  /** The workspace; null if the server must not know it. */
  readonly root: string | null;
  /** Opens a transport. Rejects with a clause about the server. */
  readonly open: () => Promise<ServerTransport>;
  /** Time-out of a call in seconds. */
  readonly timeoutSeconds: number;
  /** Time-out of the start in seconds. Default: as for a call. */
  readonly startSeconds?: number;
  /** Removes its secrets. */
  readonly hide: (text: string) => string;
  /** Warns the operator; a sentence. */
  readonly warn: (message: string) => void;
}

/** Maximum restarts. */
const mostRestarts = 1;

/** A server of a run: started on demand, and once more if it ends. */
export class McpServer {
  readonly name: string;
  /** Called with a list that may have changed: `tools`, `prompts` or `resources`. */
  onChange: (list: string) => void = () => undefined;
  readonly #spec: ServerSpec;
  readonly #startSeconds: number;
  #current: Promise<Connection> | null = null;
  #transport: ServerTransport | null = null;
  #deaths = 0;
  #lastDeath = '';
  #everUp = false;
  #closed = false;
  #warnedOfGarbage = false;

  constructor(spec: ServerSpec) {
    this.name = spec.name;
    this.#spec = spec;
    this.#startSeconds = spec.startSeconds ?? spec.timeoutSeconds;
  }

  /** Connects on demand. Rejects with an `Error` that is a clause about the server. */
  async connection(signal: AbortSignal): Promise<Connection> {
    if (this.#closed) throw new Error('is closed, as its run has ended');
    if (this.#current === null && this.#isOver)
      throw new Error(
        `has ended ${this.#deaths} times in this run (the last time it ${this.#lastDeath}), and is not started again`,
      );
    this.#current ??= this.#start(signal);
    const current = this.#current;
    try {
      return await current;
    } catch (error) {
      if (this.#current === current) {
        this.#current = null;
        // A server that does not come up again has died again.
        if (this.#everUp && !signal.aborted) {
          this.#deaths += 1;
          this.#lastDeath = messageOf(error);
        }
      }
      throw error;
    }
  }

  /** Sends the request of a call. Throws `ToolError` with a text for the model. */
  async ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    for (let attempt = 1; ; attempt += 1) {
      const connection = await this.#connectionForCall(signal);
      const transport = this.#transport;
      try {
        return await connection.request(method, params, {
          signal,
          timeoutMs: this.#spec.timeoutSeconds * 1_000,
        });
      } catch (error) {
        signal.throwIfAborted();
        // A forgotten session did nothing for this request, which is the first of the next session.
        if (transport === null || !this.#endForgotten(transport, error) || attempt > 1 || this.#isOver)
          throw this.#errorFor(error, transport);
      } finally {
        this.#warnOfGarbage(transport?.garbage() ?? null);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const open = this.#transport;
    this.#transport = null;
    const pending = await this.#current?.catch(() => null);
    await pending?.close().catch(() => undefined);
    await open?.close();
  }

  get #isOver(): boolean {
    return this.#deaths > mostRestarts;
  }

  #warn(message: string): void {
    this.#spec.warn(this.#spec.hide(message));
  }

  #warnOfGarbage(garbage: string | null): void {
    if (garbage === null || this.#warnedOfGarbage) return;
    this.#warnedOfGarbage = true;
    this.#warn(
      `The MCP server ${this.name} prints text that is no protocol message and is ignored: ${JSON.stringify(garbage)}.`,
    );
  }

  async #start(signal: AbortSignal): Promise<Connection> {
    const transport = await this.#spec.open();
    this.#transport = transport;
    let isUp = false;
    try {
      const connection = await connect(transport, {
        root: this.#spec.root,
        signal,
        timeoutMs: this.#startSeconds * 1_000,
        onNotification: (method) => {
          const list = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
          if (list !== undefined) this.onChange(list);
        },
        onClose: () => {
          if (isUp) this.#died(transport);
        },
      });
      isUp = true;
      this.#cameUp(transport);
      return connection;
    } catch (error) {
      throw await this.#startError(error, transport, signal);
    }
  }

  #cameUp(transport: ServerTransport): void {
    if (transport.ended() !== null) this.#died(transport);
    const isRestart = this.#everUp;
    this.#everUp = true;
    this.#warnOfGarbage(transport.garbage());
    // After a restart its lists may have changed.
    if (isRestart) for (const list of ['tools', 'prompts', 'resources']) this.onChange(list);
  }

  async #startError(error: unknown, transport: ServerTransport, signal: AbortSignal): Promise<Error> {
    const { hide } = this.#spec;
    const garbage = transport.garbage();
    // After a time-out we end it ourselves, so its end explains nothing.
    const ended = failureOf(error).kind === 'late' ? null : transport.ended();
    await transport.close();
    signal.throwIfAborted();
    const printed =
      garbage === null ? '' : `; it printed text that is no message: ${JSON.stringify(garbage)}`;
    const clause = ended ?? describeMcpFailure(error, this.#startSeconds, hide);
    return new Error(hide(`${clause}${printed}`), { cause: error });
  }

  #died(transport: ServerTransport, how = transport.ended() ?? 'closed the connection'): void {
    if (this.#closed || this.#transport !== transport) return;
    this.#transport = null;
    this.#current = null;
    this.#deaths += 1;
    this.#lastDeath = how;
    const next = this.#isOver
      ? 'It is not started again, so its tools fail from now on'
      : 'The next call restarts it';
    this.#warn(`The MCP server ${this.name} ${how}. ${next}.`);
  }

  /**
   * Ends a connection whose session the server has forgotten. False if that is not what an error
   * says.
   */
  #endForgotten(transport: ServerTransport, error: unknown): boolean {
    if (!isForgotten(error)) return false;
    this.#died(transport, 'has forgotten its session');
    void transport.close();
    return true;
  }

  async #connectionForCall(signal: AbortSignal): Promise<Connection> {
    try {
      return await this.connection(signal);
    } catch (error) {
      signal.throwIfAborted();
      const text = `The MCP server ${this.name} ${messageOf(error)}. Go on without its tools.`;
      throw new ToolError('unavailable', text, { cause: error });
    }
  }

  #errorFor(error: unknown, transport: ServerTransport | null): ToolError {
    const { hide, timeoutSeconds } = this.#spec;
    const failure = failureOf(error);
    const fail = (kind: string, text: string) => new ToolError(kind, hide(text), { cause: error });
    const subject = `The MCP server ${this.name}`;
    if (failure.kind === 'late')
      return fail(
        'timeout',
        `${subject} did not answer within ${timeoutSeconds} s and was told to stop. Its effects until then may remain: check before you retry, with less in one call.`,
      );
    const ended = transport?.ended() ?? null;
    if (failure.kind === 'closed' || ended !== null) {
      const next = this.#isOver
        ? 'It is not started again. Go on without its tools.'
        : 'Its effects until then may remain: check before you retry. The next call restarts it.';
      return fail(
        'unavailable',
        `During this call the MCP server ${this.name} ${ended ?? 'closed the connection'}. ${next}`,
      );
    }
    const text = hide(visibleText(failure.message)).slice(0, 2_000);
    if (failure.kind === 'broken') return fail('unavailable', `${subject} could not be asked: ${text}.`);
    if (failure.code === tooLarge)
      return fail(
        'too_large',
        `${subject} gave no usable answer: ${text}. Ask for less: a narrower query, a page, a smaller image.`,
      );
    const kind = errorKinds.get(failure.code) ?? 'failed';
    return fail(kind, `${subject} refused this with an error (${failure.code}): ${text}`);
  }
}

/** Codes of JSON-RPC 2.0: invalid parameters, and no such method. */
const errorKinds = new Map([
  [-32_602, 'invalid_input'],
  [-32_601, 'not_found'],
]);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** True if the session is over, reported by 404 (Streamable HTTP, "Session Management"). */
function isForgotten(error: unknown): boolean {
  const failure = failureOf(error);
  return failure.kind === 'broken' && failure.code === 404;
}
