import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../contract/json.ts';
import { visibleStart } from '../../tools/text/visible-text.ts';
import { answeredId, isBoundedJson, messageLines, type RequestLimits } from '../protocol/message-lines.ts';

/** Maximum bytes of a message, and bounds of output between two answers. */
const mostOfMessage = 8 * 2 ** 20;
const mostBetween = { bytes: 64 * 2 ** 20, messages: 20_000 };

/** Maximum nesting; deeper values could overflow the stack. */
const deepest = 100;

const methodNotFound = -32_601;
const RpcError = z.object({ code: z.number().optional(), message: z.string() });

/** Listeners for unrequested messages of a plug-in. */
export interface ConnectionEvents {
  readonly notified: (method: string, params: Json) => void;
  /** It breaks the protocol: a clause with it as the subject. */
  readonly broke: (problem: string) => void;
  /** It sends too much and must be ended. */
  readonly flooded: (problem: string) => void;
}

interface Pending {
  readonly resolve: (result: Json) => void;
  readonly fail: (failure: PluginFailure) => void;
  /** The last progress message. */
  progress: string | null;
}

/**
 * A JSON-RPC 2.0 connection to a plug-in, one message a line, sent by `write`. No message can block
 * it or exhaust the memory. `hide` removes the plug-in's secrets before texts are cut.
 */
export class LineConnection {
  readonly #write: (text: string) => void;
  readonly #events: ConnectionEvents;
  readonly #hide: (text: string) => string;
  readonly #pending = new Map<string, Pending>();
  readonly #givenUp = new Set<string>();
  readonly #lines: (chunk: Buffer) => void;
  #stuck = false;
  #ended: PluginFailure | null = null;
  #sinceAnswer = { bytes: 0, messages: 0 };
  #lastId = 0;

  constructor(write: (text: string) => void, events: ConnectionEvents, hide: (text: string) => string) {
    this.#write = write;
    this.#events = events;
    this.#hide = hide;
    this.#lines = messageLines(
      { message: mostOfMessage, line: Number.POSITIVE_INFINITY },
      {
        line: (text) => this.#takeLine(text),
        tooLong: (line) => this.#dropLong(answeredId(line)),
        // Bytes between two answers are counted in `push`.
        endless: () => undefined,
      },
    );
  }

  /** Takes a chunk of output. */
  readonly push = (chunk: Buffer): void => {
    if (this.#ended !== null) return;
    this.#sinceAnswer.bytes += chunk.length;
    if (this.#sinceAnswer.bytes > mostBetween.bytes) this.#flood(`${mostBetween.bytes} bytes`);
    else this.#lines(chunk);
  };

  /** Rejects with `PluginFailure`, or with the reason of an abort after a cancellation. */
  readonly request = async (
    method: string,
    params: Json,
    { timeoutMs, signal }: RequestLimits,
  ): Promise<Json> => {
    signal.throwIfAborted();
    if (this.#ended !== null) throw this.#ended;
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    const request: Pending = { resolve, fail: reject, progress: null };
    const giveUp = (reason: unknown) => {
      if (!this.#pending.delete(String(id))) return;
      this.#givenUp.add(String(id));
      this.#stuck = true;
      this.#send({ method: '$/cancel', params: { id } });
      reject(reason);
    };
    const abort = () => giveUp(signal.reason);
    const timer = setTimeout(() => giveUp(late(timeoutMs, request.progress)), timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    this.#pending.set(String(id), request);
    this.#sinceAnswer = { bytes: 0, messages: 0 };
    this.#send({ id, method, params });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  };

  /** True while a cancelled request is unanswered and nothing else came: it may hang. */
  stuck(): boolean {
    return this.#stuck && this.#givenUp.size > 0;
  }

  /** Rejects all pending requests, as the process has ended. */
  end(failure: PluginFailure): void {
    this.#ended ??= failure;
    for (const { fail } of this.#pending.values()) fail(failure);
    this.#pending.clear();
  }

  #send(message: { readonly [key: string]: Json }): void {
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #flood(what: string): void {
    if (this.#ended === null) this.#events.flooded(`sent more than ${what} without an answer`);
  }

  #takeLine(text: string): void {
    if (this.#ended !== null || text.trim() === '') return;
    this.#sinceAnswer.messages += 1;
    if (this.#sinceAnswer.messages > mostBetween.messages) this.#flood(`${mostBetween.messages} messages`);
    else this.#receive(text);
  }

  /** Fails the request that a message too long to read answers. */
  #dropLong(id: string | null): void {
    const problem = `sent a message of more than ${mostOfMessage} bytes`;
    if (id === null) this.#events.flooded(problem);
    else this.#take(JSON.parse(id) as Json)?.fail(new PluginFailure('unusable', problem));
  }

  /** Removes and returns the request that an answer is for; null if none waits for it. */
  #take(id: Json | undefined): Pending | null {
    const key = String(id);
    const found = this.#pending.get(key) ?? null;
    if (found === null) {
      if (!this.#givenUp.delete(key))
        this.#events.broke(
          `answers an unknown request, or one twice (id ${JSON.stringify(id ?? null).slice(0, 40)})`,
        );
      return null;
    }
    this.#pending.delete(key);
    this.#sinceAnswer = { bytes: 0, messages: 0 };
    return found;
  }

  #receive(text: string): void {
    // Messages that are nested too deep are handled below, by their id.
    const message = parseJson(text, Number.POSITIVE_INFINITY) as Json | undefined;
    if (!isJsonObject(message) || (message.method === undefined && message.id === undefined)) {
      const start = JSON.stringify(visibleStart(text, 80, this.#hide));
      this.#events.broke(
        `prints text that is no message: ${start}; standard output is for messages only, standard error for other text`,
      );
      return;
    }
    this.#stuck = false;
    const { id, method, params = null } = message;
    if (!isBoundedJson(message, { parts: Number.POSITIVE_INFINITY, depth: deepest })) {
      const problem = `sent a message that is nested more than ${deepest} deep`;
      if (id === undefined || method !== undefined) this.#events.broke(problem);
      else this.#take(id)?.fail(new PluginFailure('unusable', problem));
    } else if (typeof method !== 'string') this.#answer(message);
    else if (id === undefined) this.#notify(method, params);
    else this.#send({ id, error: { code: methodNotFound, message: 'Anode CI answers no questions.' } });
  }

  #answer({ id, error, result }: JsonObject): void {
    const request = this.#take(id);
    if (request === null) return;
    if (error !== undefined && error !== null) request.fail(failureOf(error, this.#hide));
    else if (result === undefined)
      request.fail(new PluginFailure('unusable', 'answered with neither a result nor an error'));
    else request.resolve(result);
  }

  #notify(method: string, params: Json): void {
    if (method !== '$/progress') return void this.#events.notified(method, params);
    const { id, message } = isJsonObject(params) ? params : {};
    const request = this.#pending.get(String(id));
    if (request !== undefined && typeof message === 'string')
      request.progress = visibleStart(message, 200, this.#hide);
  }
}

function late(timeoutMs: number, progress: string | null): PluginFailure {
  const last = progress === null ? '' : ` (the last it said of its progress: ${progress})`;
  return new PluginFailure('timeout', `did not answer within ${timeoutMs / 1_000} s${last}`);
}

function failureOf(error: Json, hide: (text: string) => string): PluginFailure {
  const { data } = RpcError.safeParse(error);
  if (data === undefined) return new PluginFailure('answered', 'answered with an error without words');
  const message = visibleStart(data.message, 4_000, hide).trim();
  return new PluginFailure(data.code === methodNotFound ? 'unknown' : 'answered', message);
}

/** Kinds of failed requests to a plug-in. */
type PluginFailureKind =
  /** The plug-in returned an error. */
  | 'answered'
  /** It does not know the method or the tool. */
  | 'unknown'
  /** Its answer is too large, or none that is understood. */
  | 'unusable'
  | 'timeout'
  /** Its process has ended, or was never started; the next call starts it again. */
  | 'ended'
  /** Its process has ended permanently. */
  | 'over';

/** A failed request. The message is a clause with the plug-in as its subject. */
export class PluginFailure extends Error {
  override readonly name = 'PluginFailure';
  readonly kind: PluginFailureKind;
  /** The end of standard error; empty if there was none. */
  readonly stderr: string;

  constructor(kind: PluginFailureKind, message: string, stderr = '') {
    super(message);
    this.kind = kind;
    this.stderr = stderr;
  }
}
