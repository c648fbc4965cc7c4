/** Redacts a text that comes in pieces, so that no secret gets through in two of them. */
export interface RedactStream {
  /** Takes the next piece; returns what is safe to pass on by now, which may be ''. */
  push(piece: string): string;
  /** Returns what was held back. Nothing may be pushed after it. */
  end(): string;
}

/** Beyond this many characters nothing is held back any longer, whatever stands there. */
const mostHeld = 4 * 1024 * 1024;

/**
 * Holds back the last `held` characters, in which a secret may have begun, and cuts only where the parts redacted
 * by themselves say the same as the whole.
 */
export function createRedactStream(redact: (text: string) => string, held: number): RedactStream {
  let waiting = '';
  /** Where nothing could be cut, more has to come before it is tried again: each try reads all that waits. */
  let enough = held;
  return {
    push(piece) {
      waiting += piece;
      if (waiting.length <= enough) return '';
      const whole = redact(waiting);
      const last = waiting.length - held;
      for (const cut of cutsIn(waiting, last, held)) {
        const head = redact(waiting.slice(0, cut));
        if (head + redact(waiting.slice(cut)) !== whole) continue;
        waiting = waiting.slice(cut);
        enough = held;
        return head;
      }
      enough = waiting.length * 1.5;
      if (waiting.length < mostHeld) return '';
      waiting = '';
      enough = held;
      return whole;
    },
    end() {
      const rest = redact(waiting);
      waiting = '';
      return rest;
    },
  };
}

/** Places to cut at, the best first: behind a line, else anywhere but within a surrogate pair. */
function cutsIn(text: string, last: number, step: number): number[] {
  const line = text.lastIndexOf('\n', last - 1) + 1;
  const cuts = [line, last, last - step, last - 3 * step].filter((cut) => cut > 0);
  return [...new Set(cuts)].map((cut) => {
    const before = text.charCodeAt(cut - 1);
    return before >= 0xd800 && before <= 0xdbff ? cut - 1 : cut;
  });
}
