import type { IncomingMessage } from 'node:http';

/** What came of reading a body: it whole, or that it is too large, or that its sender was cut off or went away. */
export type Body =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'too large' }
  | { readonly kind: 'gone' };

/** GitHub's own bound on a payload. GitHub docs: "Webhook events and payloads", "Payload cap". */
export const mostOfOne = 25 * 1024 * 1024;

/** Of all bodies that are not whole yet, in bytes. */
const mostOfAll = 4 * mostOfOne;

/**
 * Makes the reader of a server's bodies, which nobody's signature vouches for yet. A length declared above `mostOfOne` is not
 * read at all. Where the unfinished ones together come to more than `most` bytes, the oldest is cut off: GitHub's own are whole within
 * moments.
 */
export function createBodyReader(most = mostOfAll): (request: IncomingMessage) => Promise<Body> {
  const unfinished = new Map<IncomingMessage, number>();
  let held = 0;
  const release = (request: IncomingMessage): void => {
    held -= unfinished.get(request) ?? 0;
    unfinished.delete(request);
  };
  const hold = (request: IncomingMessage, bytes: number): void => {
    unfinished.set(request, (unfinished.get(request) ?? 0) + bytes);
    held += bytes;
    for (const oldest of unfinished.keys()) {
      if (held <= most) break;
      release(oldest);
      oldest.destroy();
    }
  };
  return async (request) => {
    if (Number(request.headers['content-length'] ?? 0) > mostOfOne) return { kind: 'too large' };
    const chunks: Buffer[] = [];
    let size = 0;
    hold(request, 0);
    try {
      for await (const chunk of request) {
        size += chunk.length;
        // The rest is read and not kept, so that the answer can be sent.
        if (size > mostOfOne) chunks.length = 0;
        else chunks.push(chunk);
        if (size <= mostOfOne) hold(request, chunk.length);
        else release(request);
      }
    } catch {
      return { kind: 'gone' };
    } finally {
      release(request);
    }
    return size > mostOfOne
      ? { kind: 'too large' }
      : { kind: 'whole', text: Buffer.concat(chunks).toString('utf8') };
  };
}
