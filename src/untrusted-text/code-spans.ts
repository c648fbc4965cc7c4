/** The effect of a paragraph so far on code in its next line. */
export interface Inline {
  /** False if an earlier mark may reach into the line. */
  readonly plain: boolean;
  /** True if a dollar sign stood outside of code. */
  readonly dollar: boolean;
  readonly tags: boolean;
}

/** The start of a paragraph. */
export const noInline: Inline = { plain: true, dollar: false, tags: false };

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Reading {
  readonly html: boolean;
  /** True if the caller escapes all marks outside of the spans. */
  readonly escaping: boolean;
  /** True if the line may belong to a table, whose cells end at each bar. */
  readonly tables: boolean;
}

const mostSpans = 200;

/**
 * Returns the certain code spans of a line, backticks included (CommonMark, "Code spans"). Also
 * returns the text outside all spans and the state for the next line.
 */
export function readInline(
  line: string,
  before: Inline,
  { html, escaping, tables }: Reading,
): { spans: readonly Span[]; outside: string; after: Inline } {
  const spans = spansOn(line);
  let outside = '';
  let last = 0;
  let odd = !escaping && /\\`|\]:/.test(line);
  for (const { start, end } of spans) {
    const between = line.slice(last, start);
    const word = between.slice(Math.max(between.lastIndexOf(' '), between.lastIndexOf('\t')) + 1);
    // Escaped, in a formula, or part of an address that continues.
    odd ||=
      /[\\$]$|\/\/|www\./i.test(word) ||
      word.lastIndexOf('<') > word.lastIndexOf('>') ||
      line.charAt(end) === '$';
    outside += `${between} `;
    last = end;
  }
  outside += line.slice(last);
  const dollar = before.dollar || outside.includes('$');
  const tags = html && /<[a-z/!?]/i.test(outside);
  odd ||= spans.some(({ start, end }) => {
    const code = line.slice(start, end);
    return (dollar && code.includes('$')) || (tables && code.includes('|'));
  });
  const plain = !odd && !tags && (escaping || (before.plain && !outside.includes('`')));
  return { spans: plain ? spans : [], outside, after: { plain, dollar, tags: before.tags || tags } };
}

/** Pairs each run of backticks with the next of the same length, from the left. */
function spansOn(line: string): Span[] {
  // From the end, each run with the end of the next one of its length.
  const nextEnds = new Map<number, number>();
  const candidates: Span[] = [];
  for (const { index, 0: run } of [...line.matchAll(/`+/g)].reverse()) {
    const end = nextEnds.get(run.length);
    if (end !== undefined) candidates.push({ start: index, end });
    nextEnds.set(run.length, index + run.length);
  }
  const spans: Span[] = [];
  for (const candidate of candidates.reverse()) {
    if (candidate.start < (spans.at(-1)?.end ?? 0)) continue;
    if (spans.push(candidate) === mostSpans) break;
  }
  return spans;
}
