import type { Message, MessageWriter } from 'vscode-jsonrpc/node';
import { AbstractMessageReader, AbstractMessageWriter, Disposable } from 'vscode-jsonrpc/node';
import { isJsonObject, type Json } from '../../contract/json.ts';

/** Maximum bytes of one message. */
const mostOfOne = 16 * 1024 * 1024;
/** Maximum bytes that are no message; servers print a line or two by mistake. */
const mostGarbage = 256 * 1024;
/** The head of a message: its length and perhaps its type. */
const longestHead = 4 * 1024;

/** Reports about the output of a server. */
export interface StreamEvents {
  /** A message was skipped as too large. `id`: the request it answers, or null if unknown. */
  readonly tooLarge: (id: number | null, bytes: number) => void;
  /** The server breaks the protocol: a clause with it as the subject. Called once. */
  readonly broken: (why: string) => void;
}

/** A message under way. */
interface Body {
  readonly length: number;
  got: number;
  readonly parts: Buffer[];
}

/**
 * Reads messages of the base protocol (Language Server Protocol 3.17, "Base Protocol"). Output
 * takes no more memory than the largest message: longer ones are skipped. Lines that are no head
 * are skipped too, up to a bound.
 */
export class MessageSource {
  readonly reader = new PushedReader();
  readonly #events: StreamEvents;
  #head: Buffer = Buffer.alloc(0);
  #body: Body | null = null;
  #garbage = 0;
  #stopped = false;

  constructor(events: StreamEvents) {
    this.#events = events;
  }

  /** Takes what the server printed. */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0 && !this.#stopped)
      rest = this.#body === null ? this.#readHead(rest) : this.#fill(rest, this.#body);
  }

  #stop(why: string): void {
    this.#stopped = true;
    this.#head = Buffer.alloc(0);
    this.#events.broken(why);
  }

  /** Takes the bytes of the message under way. Returns the rest. */
  #fill(chunk: Buffer, body: Body): Buffer {
    const part = chunk.subarray(0, body.length - body.got);
    // The start of a message that is too long is enough.
    if (body.length <= mostOfOne || body.got === 0) body.parts.push(part);
    body.got += part.length;
    if (body.got === body.length) {
      this.#body = null;
      this.#finish(body);
    }
    return chunk.subarray(part.length);
  }

  #finish({ length, parts }: Body): void {
    if (length > mostOfOne) {
      const start = parts[0]?.subarray(0, 200).toString('latin1') ?? '';
      const id = /"id"\s*:\s*(\d{1,15})/.exec(start)?.[1];
      this.#events.tooLarge(id === undefined ? null : Number(id), length);
      return;
    }
    const message = parsed(Buffer.concat(parts).toString('utf8'));
    if (message === null) this.#stop('sent a message that is no JSON');
    else this.reader.deliver(message);
  }

  /** Looks for the head of a message. Returns the bytes behind it. */
  #readHead(chunk: Buffer): Buffer {
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const start = this.#skipGarbage();
    const end = this.#head.indexOf('\r\n\r\n');
    if (this.#stopped) return Buffer.alloc(0);
    if (start < 0 || end < 0) {
      if (start >= 0 && this.#head.length > longestHead) this.#stop('sent a message whose head does not end');
      return Buffer.alloc(0);
    }
    const text = `${this.#head.toString('latin1', 0, end)}\r\n`;
    const length = /^Content-Length: *(\d{1,12})\r\n/i.exec(text)?.[1];
    const rest = this.#head.subarray(end + 4);
    this.#head = Buffer.alloc(0);
    if (length === undefined) this.#stop('sent a message whose head has no length');
    else if (Number(length) > 0) this.#body = { length: Number(length), got: 0, parts: [] };
    return rest;
  }

  /** Drops bytes before a head. Returns where one was found; -1 for none. */
  #skipGarbage(): number {
    const start = this.#head.indexOf('Content-Length:');
    const skipped = start < 0 ? Math.max(0, this.#head.length - longestHead) : start;
    this.#garbage += skipped;
    if (skipped > 0) this.#head = this.#head.subarray(skipped);
    if (this.#garbage > mostGarbage) this.#stop('prints what is no message of the Language Server Protocol');
    return start;
  }
}

function parsed(text: string): Message | null {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) && value.jsonrpc === '2.0' ? (value as unknown as Message) : null;
  } catch {
    return null;
  }
}

class PushedReader extends AbstractMessageReader {
  #listener: ((message: Message) => void) | null = null;

  listen(callback: (message: Message) => void): Disposable {
    this.#listener = callback;
    return Disposable.create(() => {
      this.#listener = null;
    });
  }

  deliver(message: Message): void {
    this.#listener?.(message);
  }
}

/** A writer that hands whole messages to `write`, which is the input of a program. */
export class TextWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    super();
    this.#write = write;
  }

  async write(message: Message): Promise<void> {
    const text = JSON.stringify(message);
    this.#write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  end(): void {}
}
