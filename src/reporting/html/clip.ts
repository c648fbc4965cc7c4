/** A text as far as a report may show it: its start, its end where the middle was left out, and how long it was. */
export interface Clip {
  readonly head: string;
  /** '' where nothing was left out. */
  readonly tail: string;
  /** UTF-16 units of the whole. */
  readonly length: number;
}

/** More of one text is never shown, whatever room there is, in UTF-16 units. */
const headLength = 24_000;
const tailLength = 8_000;

/** Keeps of a text what could be shown of it, as strings of their own: a part would hold the whole in memory. */
export function clipText(text: string): Clip {
  const { length } = text;
  if (length <= headLength + tailLength) return { head: text, tail: '', length };
  return { head: own(text.slice(0, headLength)), tail: own(text.slice(-tailLength)), length };
}

function own(part: string): string {
  // JSON keeps halves of pairs, which a change of encoding would lose.
  return JSON.parse(JSON.stringify(part)) as string;
}

/** How many characters of a clip are in neither part. */
export function missingIn({ head, tail, length }: Clip): number {
  return length - head.length - tail.length;
}
