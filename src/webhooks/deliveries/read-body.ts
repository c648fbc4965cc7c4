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
  /** Takes note of how many bytes of a body are held now, and cuts off the oldest. */
  const hold = (request: IncomingMessage, bytes: number): void => {
    held += bytes - (unfinished.get(request) ?? 0);
    if (bytes === 0) unfinished.delete(request);
    else unfinished.set(request, bytes);
    for (const oldest of unfinished.keys()) {
      if (held <= most) break;
      hold(oldest, 0);
      oldest.destroy();
    }
  };
  return async (request) => {
    if (Number(request.headers['content-length']) > mostOfOne) return { kind: 'too large' };
    let chunks: Buffer[] | null = [];
    let size = 0;
    try {
      for await (const chunk of request) {
        size += chunk.length;
        // The rest is read and not kept, so that the answer can be sent.
        if (size > mostOfOne) chunks = null;
        chunks?.push(chunk);
        hold(request, chunks === null ? 0 : size);
      }
    } catch {
      return { kind: 'gone' };
    } finally {
      hold(request, 0);
    }
    if (chunks === null) return { kind: 'too large' };
    return { kind: 'whole', text: Buffer.concat(chunks).toString('utf8') };
  };
}
