/** Redacts text that arrives in pieces, so that no secret passes split over two of them. */
interface RedactStream {
  /** Takes the next piece. Returns what is safe to pass on so far, which may be ''. */
  push(piece: string): string;
  /** Returns the rest of the buffer. Nothing may be pushed after it. */
  end(): string;
}

/** Maximum characters in the buffer. Beyond it the buffer is passed on, redacted. */
const maxBuffered = 4 * 1024 * 1024;

/**
 * Holds back the last `margin` characters, in which a secret may have begun. Cuts only where the
 * two parts, redacted separately, equal the redacted whole.
 */
export function createRedactStream(redact: (text: string) => string, margin: number): RedactStream {
  let waiting = '';
  /** Length to reach before the next attempt to cut. Each attempt reads the whole buffer. */
  let enough = margin;
  return {
    push(piece) {
      waiting += piece;
      if (waiting.length <= enough) return '';
      const whole = redact(waiting);
      const last = waiting.length - margin;
      for (const cut of cutsIn(waiting, last, margin)) {
        const head = redact(waiting.slice(0, cut));
        if (head + redact(waiting.slice(cut)) !== whole) continue;
        waiting = waiting.slice(cut);
        enough = margin;
        return head;
      }
      enough = waiting.length * 1.5;
      if (waiting.length < maxBuffered) return '';
      waiting = '';
      enough = margin;
      return whole;
    },
    end() {
      const rest = redact(waiting);
      waiting = '';
      return rest;
    },
  };
}

/**
 * Returns positions to cut at, best first: after a line, else anywhere outside a surrogate pair.
 */
function cutsIn(text: string, last: number, step: number): number[] {
  const line = text.lastIndexOf('\n', last - 1) + 1;
  const cuts = [line, last, last - step, last - 3 * step].filter((cut) => cut > 0);
  return [...new Set(cuts)].map((cut) => {
    const before = text.charCodeAt(cut - 1);
    return before >= 0xd800 && before <= 0xdbff ? cut - 1 : cut;
  });
}
