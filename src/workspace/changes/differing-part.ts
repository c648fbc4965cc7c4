/**
 * Lines kept around the difference: more than any context, so that a diff can still move its hunks.
 */
const MARGIN = 64;
const NEWLINE = 10;

/** Two texts without the lines that both begin and end with, except for a margin. */
interface DifferingPart {
  readonly before: Buffer;
  readonly after: Buffer;
  /** Number of lines removed at the beginning. */
  readonly linesBefore: number;
}

/**
 * Returns the part of two texts that a diff must compare. A small change in a large file is found
 * at the speed of comparing bytes. Cuts at line ends only.
 */
export function differingPart(before: Buffer, after: Buffer): DifferingPart {
  const alike = commonStart(before, after);
  const start = marginBefore(before, alike);
  const common = commonEnd(before, after, Math.min(before.length, after.length) - alike);
  const end = marginAfter(before, before.length - common);
  return {
    before: before.subarray(start, end),
    after: after.subarray(start, after.length - (before.length - end)),
    linesBefore: newlinesIn(before, start),
  };
}

function commonStart(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}

/** Counts the bytes that both end with, at most `most`. */
function commonEnd(a: Buffer, b: Buffer, most: number): number {
  let count = 0;
  while (count < most && a[a.length - count - 1] === b[b.length - count - 1]) count += 1;
  return count;
}

/** Start of the line at `from`, `MARGIN` lines earlier. */
function marginBefore(text: Buffer, from: number): number {
  let at = from;
  for (let line = 0; line <= MARGIN; line += 1) {
    // From the second round on, `at` is behind a newline that ends the previous line.
    const last = line === 0 ? at - 1 : at - 2;
    if (last < 0) return 0;
    at = text.lastIndexOf(NEWLINE, last) + 1;
  }
  return at;
}

/** End of the line at `from`, `MARGIN` lines later. */
function marginAfter(text: Buffer, from: number): number {
  let at = from;
  for (let line = 0; line <= MARGIN; line += 1) {
    const newline = text.indexOf(NEWLINE, at);
    if (newline === -1) return text.length;
    at = newline + 1;
  }
  return at;
}

function newlinesIn(text: Buffer, end: number): number {
  let count = 0;
  for (let at = text.indexOf(NEWLINE); at !== -1 && at < end; at = text.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
