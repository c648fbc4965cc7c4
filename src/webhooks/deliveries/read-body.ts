import type { IncomingMessage } from 'node:http';

/** Result of reading a body: complete, too large, or cut off by either side. */
export type Body =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'too large' }
  | { readonly kind: 'gone' };

/**
 * GitHub's limit for a payload, in bytes (GitHub docs, "Webhook events and payloads", "Payload
 * cap").
 */
export const mostOfOne = 25 * 1024 * 1024;

/** Maximum bytes of all incomplete bodies. */
const mostOfAll = 4 * mostOfOne;

/**
 * Creates a reader for unverified request bodies. A declared length above `mostOfOne` is rejected
 * unread. If incomplete bodies exceed `most` bytes together, the oldest is cut off; GitHub's own
 * complete within moments.
 */
export function createBodyReader(most = mostOfAll): (request: IncomingMessage) => Promise<Body> {
  const unfinished = new Map<IncomingMessage, number>();
  let buffered = 0;
  /** Records the buffered bytes of a body, and cuts off the oldest beyond the limit. */
  const track = (request: IncomingMessage, bytes: number): void => {
    buffered += bytes - (unfinished.get(request) ?? 0);
    if (bytes === 0) unfinished.delete(request);
    else unfinished.set(request, bytes);
    for (const oldest of unfinished.keys()) {
      if (buffered <= most) break;
      track(oldest, 0);
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
        // Read and discard the rest, so that the response can be sent.
        if (size > mostOfOne) chunks = null;
        chunks?.push(chunk);
        track(request, chunks === null ? 0 : size);
      }
    } catch {
      return { kind: 'gone' };
    } finally {
      track(request, 0);
    }
    if (chunks === null) return { kind: 'too large' };
    return { kind: 'whole', text: Buffer.concat(chunks).toString('utf8') };
  };
}
