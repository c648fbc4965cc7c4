import * as z from 'zod';
import { isJsonObject, type Json, parseJson } from '../../contract/json.ts';
import { visibleStart } from '../../tools/text/visible-text.ts';
import { answeredId, isBoundedJson, messageLines } from '../protocol/message-lines.ts';

/** Bytes of one message, and what may come between two answers before that is a flood. */
const mostOfMessage = 8 * 2 ** 20;
const mostBetween = { bytes: 64 * 2 ** 20, messages: 20_000 };

/** Deeper values would overflow the stack of whatever walks over them. */
const deepest = 100;

const methodNotFound = -32_601;
const RpcError = z.object({ code: z.number().optional(), message: z.string() });

/** Who is told of what a plug-in says unasked. */
export interface ConnectionEvents {
  readonly notified: (method: string, params: Json) => void;
  /** A clause with the plug-in as its subject: it does not keep to the protocol. */
  readonly broke: (problem: string) => void;
  /** It says so much that it has to be ended. */
  readonly flooded: (problem: string) => void;
}

/** A conversation with a plug-in by JSON-RPC 2.0, each message a line. */
export interface LineConnection {
  /** Takes a piece of what the plug-in says. */
  readonly push: (chunk: Buffer) => void;
  /** Rejects with `PluginFailure`; at an abort, after the plug-in was told, with the signal's reason. */
  request(method: string, params: Json, limits: RequestLimits): Promise<Json>;
  /** True while a question that was given up is unanswered and nothing else came since: it may be stuck. */
  stuck(): boolean;
  /** Rejects whatever is unanswered: the process is gone. */
  end(failure: PluginFailure): void;
}

export interface RequestLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface Pending {
  readonly settle: (result: Json) => void;
  readonly fail: (failure: PluginFailure) => void;
  /** What was last said of its progress. */
  progress: string | null;
}

/**
 * A connection that sends by `write`. Nothing that comes can hold it up or fill the memory. `hide` takes out what the plug-in was
 * given, before its words are cut.
 */
export function lineConnection(
  write: (text: string) => void,
  events: ConnectionEvents,
  hide: (text: string) => string,
): LineConnection {
  const pending = new Map<string, Pending>();
  const givenUp = new Set<string>();
  let stuck = false;
  let ended: PluginFailure | null = null;
  let between = { bytes: 0, messages: 0 };
  let last = 0;
  const send = (message: { readonly [key: string]: Json }) =>
    write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  /** The question that an answer is for; null for an answer that nobody waits for. */
  const take = (id: Json | undefined): Pending | null => {
    const key = String(id);
    const found = pending.get(key) ?? null;
    if (found === null) {
      if (!givenUp.delete(key))
        events.broke(`answers what was not asked, or twice (id ${JSON.stringify(id ?? null).slice(0, 40)})`);
      return null;
    }
    pending.delete(key);
    between = { bytes: 0, messages: 0 };
    return found;
  };
  const receive = (text: string) => {
    // Too deep a message is answered for by whom it is for.
    const message = parseJson(text, Number.POSITIVE_INFINITY) as Json | undefined;
    if (!isJsonObject(message) || (message.method === undefined && message.id === undefined)) {
      events.broke(
        `prints what is no message: ${JSON.stringify(visibleStart(text, 80, hide))}; its standard output is for messages alone, and standard error for the rest`,
      );
      return;
    }
    stuck = false;
    const { id, method, params = null } = message;
    if (!isBoundedJson(message, { parts: Number.POSITIVE_INFINITY, depth: deepest })) {
      const problem = `sent a message that is nested more than ${deepest} deep`;
      if (id === undefined || method !== undefined) events.broke(problem);
      else take(id)?.fail(new PluginFailure('unusable', problem));
      return;
    }
    if (typeof method === 'string') {
      if (id === undefined) hear(method, params);
      else send({ id, error: { code: methodNotFound, message: 'Anode CI answers no questions.' } });
      return;
    }
    const asked = take(id);
    if (asked === null) return;
    if (message.error !== undefined && message.error !== null) asked.fail(failureOf(message.error, hide));
    else if (message.result === undefined)
      asked.fail(new PluginFailure('unusable', 'answered with neither a result nor an error'));
    else asked.settle(message.result);
  };
  const hear = (method: string, params: Json) => {
    if (method !== '$/progress') return events.notified(method, params);
    const { id, message } = isJsonObject(params) ? params : {};
    const asked = pending.get(String(id));
    if (asked !== undefined && typeof message === 'string') asked.progress = visibleStart(message, 200, hide);
  };
  const most = { message: mostOfMessage, line: Number.POSITIVE_INFINITY };
  const lines = messageLines(most, {
    line(text) {
      if (ended !== null || text.trim() === '') return;
      between.messages += 1;
      if (between.messages > mostBetween.messages) return flood(`${mostBetween.messages} messages`);
      receive(text);
    },
    tooLong(line) {
      const id = answeredId(line);
      const problem = `sent a message of more than ${mostOfMessage} bytes`;
      const asked = id === null ? null : take(JSON.parse(id) as Json);
      if (asked !== null) asked.fail(new PluginFailure('unusable', problem));
      else if (id === null) events.flooded(problem);
    },
    // What is between two answers is counted below.
    endless: () => undefined,
  });
  const flood = (what: string) => {
    if (ended === null) events.flooded(`sent more than ${what} without an answer`);
  };
  return {
    push(chunk) {
      if (ended !== null) return;
      between.bytes += chunk.length;
      if (between.bytes > mostBetween.bytes) flood(`${mostBetween.bytes} bytes`);
      else lines(chunk);
    },
    async request(method, params, { timeoutMs, signal }) {
      signal.throwIfAborted();
      if (ended !== null) throw ended;
      last += 1;
      const id = String(last);
      const { promise, resolve, reject } = Promise.withResolvers<Json>();
      const asked: Pending = { settle: resolve, fail: reject, progress: null };
      const giveUp = (reason: unknown) => {
        if (!pending.delete(id)) return;
        givenUp.add(id);
        stuck = true;
        send({ method: '$/cancel', params: { id: Number(id) } });
        reject(reason);
      };
      const abort = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(late(timeoutMs, asked.progress)), timeoutMs);
      signal.addEventListener('abort', abort, { once: true });
      pending.set(id, asked);
      between = { bytes: 0, messages: 0 };
      send({ id: Number(id), method, params });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      }
    },
    stuck: () => stuck && givenUp.size > 0,
    end(failure) {
      ended ??= failure;
      for (const { fail } of pending.values()) fail(failure);
      pending.clear();
    },
  };
}

function late(timeoutMs: number, progress: string | null): PluginFailure {
  const said = progress === null ? '' : ` (the last it said of its progress: ${progress})`;
  return new PluginFailure('timeout', `did not answer within ${timeoutMs / 1_000} s${said}`);
}

function failureOf(error: Json, hide: (text: string) => string): PluginFailure {
  const { data } = RpcError.safeParse(error);
  if (data === undefined) return new PluginFailure('answered', 'answered with an error without words');
  const words = visibleStart(data.message, 4_000, hide).trim();
  return new PluginFailure(data.code === methodNotFound ? 'unknown' : 'answered', words);
}

/** What became of a question to a plug-in that was not answered as it should be. */
type PluginFailureKind =
  /** It answered with an error of its own. */
  | 'answered'
  /** It does not know the method or the tool. */
  | 'unknown'
  /** Its answer is too large, or none that is understood. */
  | 'unusable'
  | 'timeout'
  /** Its process is gone, or never was; the next call starts it again. */
  | 'ended'
  /** Its process is gone for good. */
  | 'over';

/** Why a plug-in did not do what it was asked. The message is a clause with the plug-in as its subject, without an end. */
export class PluginFailure extends Error {
  override readonly name = 'PluginFailure';
  readonly kind: PluginFailureKind;
  /** The last it had printed to standard error; empty where there was nothing. */
  readonly said: string;

  constructor(kind: PluginFailureKind, message: string, said = '') {
    super(message);
    this.kind = kind;
    this.said = said;
  }
}
