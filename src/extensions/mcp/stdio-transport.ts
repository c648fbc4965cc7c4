import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../contract/json.ts';
import type { OpenProcess, ProcessRequest } from '../../sandbox/command-runner.ts';
import { settledWithin } from '../../tools/registry/settled-within.ts';
import { describeEnd } from '../../tools/shell/exit-words.ts';
import { lastBytes } from '../../tools/shell/last-bytes.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import { answeredId, messageLines } from '../protocol/message-lines.ts';
import type { ServerTransport } from './mcp-server.ts';
import { mostMessageBytes, tooLarge } from './too-large.ts';

/** A line that goes on beyond this has no end. */
const mostLineBytes = 256 * 1024 * 1024;

/** What a server may print besides answers, in bytes from one answer to the next: what it logs, and what is no message. */
const mostUnasked = 8 * 1024 * 1024;

/** A line costs as much as so many bytes, however little stands in it, and at most a part of what may be printed: an answer may come too late. */
const lineCost = { least: 64, most: mostUnasked / 4 };

/**
 * Characters of standard error that are told, the last ones: what a program says of its end stands there. More bytes are kept, so that
 * a secret is not cut before it is taken out.
 */
const shownError = 1_000;
const keptError = 32 * 1024;

/** Milliseconds that a server has to end by itself: when its input ends, and again when it is asked to. */
const patienceMs = 500;

/**
 * Starts a server that is a program and joins it, each message one line. Rejects where it cannot be started. `close` settles when
 * nothing of it is left. `hide` takes out what it was given, before its words are cut.
 */
export async function openProcessTransport(
  open: (handlers: Required<Pick<ProcessRequest, 'onOutput' | 'onError'>>) => Promise<OpenProcess>,
  hide: (text: string) => string,
): Promise<ServerTransport> {
  const error = lastBytes(keptError);
  let garbage: string | null = null;
  let unasked = 0;
  let ending: string | null = null;
  let over: string | null = null;
  let process: OpenProcess | null = null;
  /** The beginning of what was printed. */
  const shown = (text: string): string => hide(visibleText(text)).trim().slice(0, 200);
  const waiting = new Set<string>();
  const early: JsonObject[] = [];
  const stop = (why: string) => {
    ending ??= why;
    void process?.kill();
  };
  const countUnasked = (bytes: number) => {
    unasked += Math.min(Math.max(bytes, lineCost.least), lineCost.most);
    if (unasked > mostUnasked)
      stop(`printed more than ${mostUnasked} bytes that nobody had asked for, and was ended`);
  };
  const pass = (message: JsonObject) => {
    if (transport.onmessage === undefined) early.push(message);
    else transport.onmessage(message as unknown as JSONRPCMessage);
  };
  const take = (message: Json, bytes: number, line: string) => {
    if (!isMessage(message)) {
      garbage ??= shown(line);
      return countUnasked(bytes);
    }
    const answers = !('method' in message) && waiting.delete(JSON.stringify(message.id));
    if (answers) unasked = 0;
    else countUnasked(bytes);
    // An answer that nobody waits for is none.
    if (answers || 'method' in message) pass(message);
  };
  const read = messageLines(
    { message: mostMessageBytes, line: mostLineBytes },
    {
      line(text) {
        if (ending !== null) return;
        const parsed = text.trim() === '' ? null : parseJson(text, Number.POSITIVE_INFINITY);
        if (parsed === undefined) garbage ??= shown(text);
        const batch = (Array.isArray(parsed) ? parsed : [parsed ?? null]) as Json[];
        if (parsed == null || batch.length === 0) return countUnasked(text.length);
        for (const message of batch) take(message, text.length / batch.length, text);
      },
      tooLong(line) {
        const message = `it answered with ${line.bytes} bytes, and ${mostMessageBytes} are the most`;
        const named = answeredId(line);
        // Where it does not say which call it answers, it is every one that waits.
        if (waiting.size === 0) return countUnasked(line.bytes);
        for (const id of named !== null && waiting.has(named) ? [named] : [...waiting]) {
          waiting.delete(id);
          pass({ jsonrpc: '2.0', id: JSON.parse(id) as Json, error: { code: tooLarge, message } });
        }
        unasked = 0;
      },
      endless: () => stop('printed a line that does not end, and was ended'),
    },
  );
  const transport: ServerTransport = {
    async start() {
      if (over !== null) throw new Error(`it ${over}`);
      // What came before somebody listened.
      for (const message of early.splice(0)) pass(message);
    },
    async send(message) {
      if (over !== null) throw new Error(`it ${over}`);
      if ('id' in message && 'method' in message) waiting.add(JSON.stringify(message.id));
      process?.write(`${JSON.stringify(message)}\n`);
    },
    ended: () => over,
    garbage: () => garbage,
    async close() {
      if (process === null || over !== null) return;
      ending ??= 'was ended with the run';
      process.closeInput();
      if (!(await settledWithin(process.ended, patienceMs))) process.terminate();
      if (!(await settledWithin(process.ended, patienceMs))) await process.kill();
    },
  };
  const started = await open({
    onOutput(chunk) {
      if (ending !== null) return;
      try {
        read(chunk);
      } catch (failure) {
        // Such as what is nested so deep that it cannot be told of.
        if (!(failure instanceof Error)) throw failure;
        stop('sent what cannot be read, and was ended');
      }
    },
    onError: error.push,
  });
  process = started;
  if (ending !== null) void started.kill();
  const end = (how: string) => {
    const said = hide(visibleText(error.text())).replaceAll(/\s+/g, ' ').trim().slice(-shownError);
    over = `${ending ?? how}${said === '' ? '' : `; it had said: ${said}`}`;
    transport.onclose?.();
  };
  started.ended.then(
    (result) => end(describeEnd(result)),
    (failure: unknown) => end(`could not be run (${failure instanceof Error ? failure.message : ''})`),
  );
  return transport;
}

/** Whether a value is a message, as far as it matters whose it is. */
function isMessage(value: Json): value is JsonObject {
  if (!isJsonObject(value) || value.jsonrpc !== '2.0') return false;
  const { id } = value;
  return id === undefined || typeof id === 'string' || typeof id === 'number';
}
