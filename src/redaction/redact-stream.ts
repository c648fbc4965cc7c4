/**
 * Redacts text that arrives in pieces, so that no secret of at most `margin` characters passes
 * split over two of them. Exception: a secret partly covered by a redaction at the end of a full
 * buffer.
 */
interface RedactStream {
  /** Takes the next piece. Returns what is safe to pass on so far, which may be ''. */
  push(piece: string): string;
  /** Returns the rest of the buffer. Nothing may be pushed after it. */
  end(): string;
}

/**
 * Characters at which a buffer without a safe cut is passed on, redacted. Only its unredacted end
 * stays, in which a secret may have begun.
 */
const maxBuffered = 4 * 1024 * 1024;

/**
 * Buffers at least the last `margin` characters, in which a secret may have begun. Cuts only where
 * the two parts, redacted separately, equal the redacted whole.
 */
export function createRedactStream(redact: (text: string) => string, margin: number): RedactStream {
  let waiting = '';
  /** Length to reach before the next attempt to cut. Each attempt reads the whole buffer. */
  let nextAttemptLength = margin;
  return {
    push(piece) {
      waiting += piece;
      if (waiting.length <= nextAttemptLength) return '';
      const whole = redact(waiting);
      const latestCut = waiting.length - margin;
      for (const cut of cutsIn(waiting, latestCut, margin)) {
        const head = redact(waiting.slice(0, cut));
        if (head + redact(waiting.slice(cut)) !== whole) continue;
        waiting = waiting.slice(cut);
        nextAttemptLength = margin;
        return head;
      }
      nextAttemptLength = waiting.length * 1.5;
      if (waiting.length < maxBuffered) return '';
      const tail = commonEnd(waiting, whole, margin);
      waiting = waiting.slice(waiting.length - tail);
      nextAttemptLength = margin;
      return whole.slice(0, whole.length - tail);
    },
    end() {
      const rest = redact(waiting);
      waiting = '';
      return rest;
    },
  };
}

/**
 * Returns up to four positions to cut at, best first: after the last line that ends before
 * `latestCut`, `latestCut` itself, and two earlier ones. None splits a surrogate pair.
 */
function cutsIn(text: string, latestCut: number, margin: number): number[] {
  const line = text.lastIndexOf('\n', latestCut - 1) + 1;
  const cuts = [line, latestCut, latestCut - margin, latestCut - 3 * margin].filter((cut) => cut > 0);
  return [...new Set(cuts)].map((cut) => {
    const before = text.charCodeAt(cut - 1);
    return before >= 0xd800 && before <= 0xdbff ? cut - 1 : cut;
  });
}

/** Returns the length of the end that both texts share, at most `limit`, in whole characters. */
function commonEnd(text: string, other: string, limit: number): number {
  let length = 0;
  while (length < limit && length < text.length && text.at(-1 - length) === other.at(-1 - length))
    length += 1;
  const first = text.charCodeAt(text.length - length);
  return first >= 0xdc00 && first <= 0xdfff ? length - 1 : length;
}
