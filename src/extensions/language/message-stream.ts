import type { Message, MessageReader, MessageWriter } from 'vscode-jsonrpc/node';
import { AbstractMessageReader, AbstractMessageWriter, Disposable } from 'vscode-jsonrpc/node';
import { isJsonObject, type Json } from '../../contract/json.ts';

/** What one message may have, in bytes: more is no answer that anybody reads. */
const mostOfOne = 16 * 1024 * 1024;
/** What may come that is no message, in all: servers print a line or two by mistake. */
const mostGarbage = 256 * 1024;
/** The head of a message: its length and perhaps its type. */
const longestHead = 4 * 1024;

/** What comes out of a server, put together into messages. */
export interface MessageSource {
  readonly reader: MessageReader;
  /** Takes what the server printed. */
  push(chunk: Buffer): void;
}

/**
 * Reads messages of the base protocol (Language Server Protocol 3.17, "Base Protocol") out of what a program prints. Nothing it
 * prints can take more memory than one message may have: a longer one is skipped and told by the id of its request, as far as
 * that stands in its first bytes. Lines that are no head are skipped; too many of them, or a head that cannot be read, are a `broken`
 * server, told once in a clause.
 */
export function messageSource(tell: {
  readonly tooLarge: (id: number | null, bytes: number) => void;
  readonly broken: (why: string) => void;
}): MessageSource {
  const reader = new PushedReader();
  let head: Buffer = Buffer.alloc(0);
  let body: { readonly length: number; got: number; parts: Buffer[] } | null = null;
  let garbage = 0;
  let stopped = false;
  const stop = (why: string) => {
    stopped = true;
    head = Buffer.alloc(0);
    tell.broken(why);
  };
  /** Takes what belongs to the message under way; what is left is returned. */
  const fill = (chunk: Buffer, into: NonNullable<typeof body>): Buffer => {
    const part = chunk.subarray(0, into.length - into.got);
    // Of one that is too long the beginning is enough.
    if (into.length <= mostOfOne || into.got === 0) into.parts.push(part);
    into.got += part.length;
    if (into.got === into.length) {
      body = null;
      finish(into);
    }
    return chunk.subarray(part.length);
  };
  const finish = ({ length, parts }: NonNullable<typeof body>) => {
    if (length > mostOfOne) {
      const begun = parts[0]?.subarray(0, 200).toString('latin1') ?? '';
      const id = /"id"\s*:\s*(\d{1,15})/.exec(begun)?.[1];
      tell.tooLarge(id === undefined ? null : Number(id), length);
      return;
    }
    const message = parsed(Buffer.concat(parts).toString('utf8'));
    if (message === null) stop('sent a message that is no JSON');
    else reader.deliver(message);
  };
  const readHead = (chunk: Buffer): Buffer => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const start = head.indexOf('Content-Length:');
    const skipped = start < 0 ? Math.max(0, head.length - longestHead) : start;
    garbage += skipped;
    if (skipped > 0) head = head.subarray(skipped);
    if (garbage > mostGarbage) {
      stop('prints what is no message of the Language Server Protocol');
      return Buffer.alloc(0);
    }
    const end = head.indexOf('\r\n\r\n');
    if (start < 0 || end < 0) {
      if (start >= 0 && head.length > longestHead) stop('sent a message whose head does not end');
      return Buffer.alloc(0);
    }
    const length = /^Content-Length: *(\d{1,12})\r\n/i.exec(`${head.toString('latin1', 0, end)}\r\n`)?.[1];
    const rest = head.subarray(end + 4);
    head = Buffer.alloc(0);
    if (length === undefined) stop('sent a message whose head has no length');
    else if (Number(length) > 0) body = { length: Number(length), got: 0, parts: [] };
    return rest;
  };
  return {
    reader,
    push(chunk) {
      let rest = chunk;
      while (rest.length > 0 && !stopped) rest = body === null ? readHead(rest) : fill(rest, body);
    },
  };
}

/** A writer that hands whole messages to `write`, which is the input of a program. */
export function messageWriter(write: (text: string) => void): MessageWriter {
  return new TextWriter(write);
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

class TextWriter extends AbstractMessageWriter implements MessageWriter {
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
