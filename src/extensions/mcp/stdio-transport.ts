import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../contract/json.ts';
import type { OpenProcess, ProcessRequest } from '../../sandbox/command-runner.ts';
import { settledWithin } from '../../tools/registry/promise-limits.ts';
import { lastBytes } from '../../tools/shell/output-capture.ts';
import { describeEnd } from '../../tools/shell/render-exit.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import { answeredId, messageLines } from '../protocol/message-lines.ts';
import type { ServerTransport } from './mcp-server.ts';
import { mostMessageBytes, tooLarge } from './too-large.ts';

/** Bytes after which a line counts as endless. */
const mostLineBytes = 256 * 1024 * 1024;

/** Maximum bytes between two answers: logs, and output that is no message. */
const mostUnrequested = 8 * 1024 * 1024;

/** The cost of a line in bytes, whatever its length, as late answers are harmless. */
const lineCost = { least: 64, most: mostUnrequested / 4 };

/**
 * Reported characters of standard error, the last ones. More are stored, so that no secret is cut
 * before redaction.
 */
const reportedCharacters = 1_000;
const storedBytes = 32 * 1024;

/** Grace period in milliseconds: after its input ends, and again after TERM. */
const graceMs = 500;

type ProcessOpener = (
  handlers: Required<Pick<ProcessRequest, 'onOutput' | 'onError'>>,
) => Promise<OpenProcess>;

/**
 * Starts a server that is a program; each message is a line. Rejects if it cannot be started.
 * `close` resolves when nothing of it is left. `hide` removes its secrets before texts are cut.
 */
export async function openProcessTransport(
  open: ProcessOpener,
  hide: (text: string) => string,
): Promise<ServerTransport> {
  const transport = new ProcessTransport(hide);
  await transport.open(open);
  return transport;
}

class ProcessTransport implements ServerTransport {
  onmessage?: NonNullable<ServerTransport['onmessage']>;
  onclose?: NonNullable<ServerTransport['onclose']>;
  onerror?: NonNullable<ServerTransport['onerror']>;
  readonly #hide: (text: string) => string;
  readonly #error = lastBytes(storedBytes);
  /** Ids of requests without an answer, as JSON. */
  readonly #waiting = new Set<string>();
  /** Messages from before someone listened. */
  readonly #early: JsonObject[] = [];
  #process: OpenProcess | null = null;
  #garbage: string | null = null;
  #unrequested = 0;
  /** The reason we end it. */
  #ending: string | null = null;
  /** The reason it ended; null while it runs. */
  #over: string | null = null;

  constructor(hide: (text: string) => string) {
    this.#hide = hide;
  }

  async open(open: ProcessOpener): Promise<void> {
    const read = messageLines(
      { message: mostMessageBytes, line: mostLineBytes },
      {
        line: (text) => this.#takeLine(text),
        tooLong: (line) => this.#dropLong(line.bytes, answeredId(line)),
        endless: () => this.#stop('printed a line that does not end, and was ended'),
      },
    );
    const process = await open({
      onOutput: (chunk) => {
        if (this.#ending !== null) return;
        try {
          read(chunk);
        } catch (failure) {
          // For instance, nested too deep to be passed on.
          if (!(failure instanceof Error)) throw failure;
          this.#stop('sent what cannot be read, and was ended');
        }
      },
      onError: this.#error.push,
    });
    this.#process = process;
    if (this.#ending !== null) void process.kill();
    process.ended.then(
      (result) => this.#end(describeEnd(result)),
      (failure: unknown) =>
        this.#end(`could not be run (${failure instanceof Error ? failure.message : ''})`),
    );
  }

  async start(): Promise<void> {
    if (this.#over !== null) throw new Error(`it ${this.#over}`);
    for (const message of this.#early.splice(0)) this.#pass(message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#over !== null) throw new Error(`it ${this.#over}`);
    if ('id' in message && 'method' in message) this.#waiting.add(JSON.stringify(message.id));
    this.#process?.write(`${JSON.stringify(message)}\n`);
  }

  ended(): string | null {
    return this.#over;
  }

  garbage(): string | null {
    return this.#garbage;
  }

  async close(): Promise<void> {
    const process = this.#process;
    if (process === null || this.#over !== null) return;
    this.#ending ??= 'was ended with the run';
    process.closeInput();
    if (!(await settledWithin(process.ended, graceMs))) process.terminate();
    if (!(await settledWithin(process.ended, graceMs))) await process.kill();
  }

  #stop(why: string): void {
    this.#ending ??= why;
    void this.#process?.kill();
  }

  #end(how: string): void {
    const last = this.#hide(visibleText(this.#error.text()))
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(-reportedCharacters);
    this.#over = `${this.#ending ?? how}${last === '' ? '' : `; it had said: ${last}`}`;
    this.onclose?.();
  }

  #countUnrequested(bytes: number): void {
    this.#unrequested += Math.min(Math.max(bytes, lineCost.least), lineCost.most);
    if (this.#unrequested > mostUnrequested)
      this.#stop(`printed more than ${mostUnrequested} bytes without a request and was ended`);
  }

  #pass(message: JsonObject): void {
    if (this.onmessage === undefined) this.#early.push(message);
    else this.onmessage(message as unknown as JSONRPCMessage);
  }

  #takeLine(text: string): void {
    if (this.#ending !== null) return;
    const parsed = text.trim() === '' ? null : parseJson(text, Number.POSITIVE_INFINITY);
    if (parsed === undefined) this.#recordGarbage(text);
    const batch = (Array.isArray(parsed) ? parsed : [parsed ?? null]) as Json[];
    if (parsed == null || batch.length === 0) return void this.#countUnrequested(text.length);
    for (const message of batch) this.#take(message, text.length / batch.length, text);
  }

  #take(message: Json, bytes: number, line: string): void {
    if (!isMessage(message)) {
      this.#recordGarbage(line);
      return void this.#countUnrequested(bytes);
    }
    const isAnswer = !('method' in message) && this.#waiting.delete(JSON.stringify(message.id));
    if (isAnswer) this.#unrequested = 0;
    else this.#countUnrequested(bytes);
    // An answer that no one waits for is dropped.
    if (isAnswer || 'method' in message) this.#pass(message);
  }

  /** Fails the request that a message too long to read answers, or all if it does not say which. */
  #dropLong(bytes: number, id: string | null): void {
    if (this.#waiting.size === 0) return void this.#countUnrequested(bytes);
    const message = `it answered with ${bytes} bytes, and ${mostMessageBytes} are the most`;
    for (const one of id !== null && this.#waiting.has(id) ? [id] : [...this.#waiting]) {
      this.#waiting.delete(one);
      this.#pass({ jsonrpc: '2.0', id: JSON.parse(one) as Json, error: { code: tooLarge, message } });
    }
    this.#unrequested = 0;
  }

  #recordGarbage(text: string): void {
    this.#garbage ??= this.#hide(visibleText(text)).trim().slice(0, 200);
  }
}

/** True if a value has the form of a message. */
function isMessage(value: Json): value is JsonObject {
  if (!isJsonObject(value) || value.jsonrpc !== '2.0') return false;
  const { id } = value;
  return id === undefined || typeof id === 'string' || typeof id === 'number';
}
