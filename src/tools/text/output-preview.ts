/** An output that is too long to display. */
interface LongOutput {
  /** Its first and last bytes, which do not overlap. */
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly bytes: number;
  readonly newlines: number;
  /** Returns a clause with the location of the rest. */
  readonly whereaboutsOf: (what: 'lines' | 'long line') => string;
}

/**
 * Renders the beginning and the end of an output by whole lines, with a note on the lines between.
 * Only a line longer than its part of the preview is cut.
 */
export function outputPreview({ head, tail, bytes, newlines, whereaboutsOf }: LongOutput): string {
  const headEnd = head.lastIndexOf(10) + 1;
  const tailStart = tail.indexOf(10) + 1;
  const headWhole = headEnd > 0;
  const tailWhole = tailStart > 0 && tailStart < tail.length;
  const first = headWhole ? head.subarray(0, headEnd) : head;
  const last = tailWhole ? tail.subarray(tailStart) : tail;

  const openEnd = tail.at(-1) === 10 ? 0 : 1;
  const total = newlines + openEnd;
  const from = newlinesIn(first) + 1;
  const to = total - newlinesIn(last) - openEnd + (tailWhole ? 0 : 1);
  const middle = (line: number, whole: boolean) => `${whole ? '' : 'the middle of '}line ${line}`;
  const left = bytes - first.length - last.length;
  const whereabouts = whereaboutsOf(headWhole && tailWhole ? 'lines' : 'long line');
  const note = `[… left out: ${middle(from, headWhole)} to ${middle(to, tailWhole)} of ${total}, ${left} bytes; ${whereabouts} …]`;
  return `${clamped(wholeCharacters(first)).replace(/\n$/, '')}\n${note}\n${clamped(wholeCharacters(last))}`;
}

/** Decodes UTF-8 without the halves of characters at its ends. */
function wholeCharacters(piece: Buffer): string {
  return piece.toString('utf8').replaceAll(/^\ufffd+|\ufffd+$/g, '');
}

/** Cuts lines to 2,000 characters. */
function clamped(text: string): string {
  return text.replaceAll(
    /^(.{2000})(.+)$/gmu,
    (_, part: string, rest: string) => `${part} … [${rest.length} more characters]`,
  );
}

/** Counts the newlines of a text. */
export function newlinesIn(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) count += 1;
  return count;
}
