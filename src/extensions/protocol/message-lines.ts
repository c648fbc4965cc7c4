import type { Json } from '../../contract/json.ts';

/** Time-out of a request in milliseconds, and its abort signal. */
export interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Bounds of a server's standard output, in bytes. */
export interface LineLimits {
  /** Maximum bytes of one message. */
  readonly message: number;
  /** Maximum bytes of one line, after which it counts as endless. */
  readonly line: number;
}

/** Events in the output of a server. */
export interface LineEvents {
  readonly line: (text: string) => void;
  /** A line too long for a message, at its end: its size and its two ends. */
  readonly tooLong: (line: { readonly bytes: number; readonly head: string; readonly tail: string }) => void;
  /** An endless line; reading stops. */
  readonly endless: () => void;
}

/** Stored bytes of each end of a line that is too long. */
const endBytes = 512;

/**
 * Cuts output into lines. A line that is too long is reduced to its two ends, so memory is bounded
 * by one message.
 */
export function messageLines(limits: LineLimits, events: LineEvents): (chunk: Buffer) => void {
  let pending: Buffer[] = [];
  let size = 0;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let ended = false;
  const add = (part: Buffer) => {
    size += part.length;
    if (size <= limits.message) return void pending.push(part);
    if (pending.length > 0) {
      const before = Buffer.concat(pending);
      pending = [];
      head = Buffer.from(before.subarray(0, endBytes));
      tail = Buffer.from(before.subarray(-endBytes));
    }
    if (head.length < endBytes) head = Buffer.concat([head, part.subarray(0, endBytes - head.length)]);
    tail = Buffer.from(Buffer.concat([tail, part.subarray(-endBytes)]).subarray(-endBytes));
  };
  const finish = () => {
    if (size > limits.message)
      events.tooLong({ bytes: size, head: head.toString('utf8'), tail: tail.toString('utf8') });
    else events.line(Buffer.concat(pending).toString('utf8'));
    [pending, size, head, tail] = [[], 0, Buffer.alloc(0), Buffer.alloc(0)];
  };
  return (chunk) => {
    let at = 0;
    while (!ended && at < chunk.length) {
      const end = chunk.indexOf(10, at);
      add(chunk.subarray(at, end < 0 ? chunk.length : end));
      if (end < 0) break;
      finish();
      at = end + 1;
    }
    if (ended || size <= limits.line) return;
    ended = true;
    pending = [];
    events.endless();
  };
}

/**
 * The id, as JSON, of a JSON-RPC message that was too long to read: it is first or last. Null if it
 * is in neither place.
 */
export function answeredId({ head, tail }: { readonly head: string; readonly tail: string }): string | null {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]{1,100}")/.exec(head)?.[1];
  const last = /"id"\s*:\s*(\d+|"[^"\\]{1,100}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)?.[1];
  return first ?? last ?? null;
}

/** True if a value has at most so many parts and levels, so that walks over it are safe. */
export function isBoundedJson(
  value: Json,
  most: { readonly parts: number; readonly depth: number },
): boolean {
  let level: Json[] = [value];
  let parts = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most.depth) return false;
    const below: Json[] = [];
    for (const one of level) {
      parts += 1;
      if (parts > most.parts) return false;
      if (typeof one !== 'object' || one === null) continue;
      for (const inner of Object.values(one)) below.push(inner);
    }
    level = below;
  }
  return true;
}
