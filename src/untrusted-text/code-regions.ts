import { append } from '../contract/lists.ts';
import { type Inline, noInline, readInline } from './code-spans.ts';

/** A part of a text; `end` is exclusive. */
interface Region {
  readonly start: number;
  readonly end: number;
}

/** The content of a fence, or a span with its backticks. */
export interface CodeRegion extends Region {
  /** The same with the marks of the fence. */
  readonly whole: Region;
  /** The mark of an unclosed fence; null for a closed one and for a span. */
  readonly open: string | null;
}

interface Reading {
  /** True if HTML may occur outside of code. */
  readonly html: boolean;
  /**
   * True if the caller escapes every mark outside of the regions, so that doubtful marks open
   * nothing.
   */
  readonly escaping?: boolean;
}

/** A line with its start, its number, and the start of the next line. */
interface Line {
  readonly text: string;
  readonly start: number;
  readonly next: number;
  readonly number: number;
}

interface Fence {
  readonly mark: string;
  /** Columns before the mark. */
  readonly column: number;
  /** Line number, position of the mark, and position after its line. */
  readonly line: number;
  readonly from: number;
  readonly start: number;
}

/** The effect of the lines so far on the next. */
interface State {
  readonly fence: Fence | null;
  /** The text that ends the open HTML. */
  readonly closing: string | null;
  readonly inline: Inline;
  readonly items: readonly number[];
  readonly afterBlank: boolean;
}

/** The regions of a line and the state after it. Null state: nothing after it is certain. */
interface Step {
  readonly regions: readonly CodeRegion[];
  readonly state: State | null;
}

/**
 * A doubtful fence is read again as text. After this many nothing counts as code, to keep the time
 * linear.
 */
const mostDoubts = 20;

/**
 * Returns the code in Markdown that GitHub certainly renders as code: fences, also in lists, and
 * spans on one line.
 *
 * Anything that HTML, a table, a link, a formula or an earlier mark could turn into text is
 * excluded. Unless marks are escaped, so is everything after a doubtful fence.
 *
 * CommonMark, "Fenced code blocks", "Code spans".
 */
export function codeRegions(text: string, { html, escaping = false }: Reading): CodeRegion[] {
  const lines = linesOf(text);
  const reading = { html, escaping, tables: html || lines.some((line) => isDelimiterRow(line.text)) };
  const regions: CodeRegion[] = [];
  let state: State = { fence: null, closing: null, inline: noInline, items: [], afterBlank: true };
  let doubts = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line === undefined) break;
    const { fence } = state;
    const step: Step =
      fence === null
        ? readOutside(line, state, reading)
        : readInside(line, state, fence, at === lines.length - 1 && !html);
    append(regions, step.regions);
    if (step.state !== null) state = step.state;
    else if (fence === null || !escaping || doubts === mostDoubts) break;
    else {
      doubts += 1;
      state = { ...state, fence: null, items: [], afterBlank: false };
      at = fence.line;
    }
  }
  return regions;
}

/** Splits a text into lines; the last is empty. */
function linesOf(text: string): Line[] {
  return [...text.matchAll(/([^\r\n]*)(?:\r\n|[\r\n]|$)/g)].map(
    ({ 0: whole, 1: line = '', index }, number) => {
      return { text: line, start: index, next: index + whole.length, number };
    },
  );
}

/**
 * Returns true if a line may turn its neighbours into a table (GFM, "Tables"). In tables each bar
 * ends a cell, even in code.
 */
function isDelimiterRow(line: string): boolean {
  return /^[\s>*+\d.)|:-]+$/.test(line) && line.includes('-') && /[|:]/.test(line);
}

/**
 * Reads a line within a fence. If the line would end the list around the fence, nothing is certain.
 */
function readInside(line: Line, state: State, fence: Fence, isEnd: boolean): Step {
  const end = line.start + line.text.length;
  const region = { start: fence.start, end: line.start, whole: { start: fence.from, end }, open: null };
  if (isEnd)
    return fence.column === 0 && end > fence.start
      ? { regions: [{ ...region, open: fence.mark }], state }
      : { regions: [], state: null };
  const column = columnOf(line.text);
  const mark = /^[ \t]*(`{3,}|~{3,})[ \t]*$/.exec(line.text)?.[1];
  const closes = mark?.startsWith(fence.mark) === true;
  const most = fence.column === 0 ? 3 : fence.column;
  if (closes && column >= fence.column && column <= most)
    return { regions: [region], state: { ...state, fence: null, inline: noInline, afterBlank: true } };
  const stays = fence.column === 0 || (!closes && column >= fence.column) || /^[ \t]*$/.test(line.text);
  return { regions: [], state: stays ? state : null };
}

function readOutside(
  line: Line,
  state: State,
  reading: Required<Reading> & { readonly tables: boolean },
): Step {
  if (state.closing !== null) {
    const closing = line.text.toLowerCase().includes(state.closing) ? null : state.closing;
    const inline = { ...noInline, plain: false, tags: true };
    return { regions: [], state: { ...state, closing, inline, afterBlank: false } };
  }
  if (/^[ \t]*$/.test(line.text))
    return { regions: [], state: { ...state, inline: noInline, afterBlank: true } };
  const { items, mark, column, at, doubtful } = readLineStart(line.text, state.items, state.afterBlank);
  if (mark !== null && !doubtful && !state.inline.tags) {
    const fence = { mark, column, line: line.number, from: line.start + at, start: line.next };
    return { regions: [], state: { ...state, fence, items } };
  }
  if (mark !== null && !reading.escaping) return { regions: [], state: null };
  const { spans, outside, after } = readInline(line.text, state.inline, reading);
  const regions = spans.map((span) => {
    const region = { start: line.start + span.start, end: line.start + span.end };
    return { ...region, whole: region, open: null };
  });
  const closing = reading.html ? htmlLeftOpen(outside) : null;
  return { regions, state: { ...state, closing, inline: after, items, afterBlank: false } };
}

/** HTML that a blank line does not end (CommonMark, "HTML blocks", kinds 1 to 5). */
const lasting =
  /<!--|<!\[CDATA\[|<\?|<![a-z]|<(script|style|textarea|pre|template|title|noscript|iframe|math|svg)\b/gi;

/** Returns what ends the HTML that a line leaves open, or null. */
export function htmlLeftOpen(line: string): string | null {
  let closing: string | null = null;
  const lower = line.toLowerCase();
  // The last position of each HTML end on the line, searched for once.
  const lastOf = new Map<string, number>();
  for (const match of line.matchAll(lasting)) {
    const ends = endOfHtml(match[0], match[1]?.toLowerCase());
    const last = lastOf.get(ends) ?? lower.lastIndexOf(ends);
    lastOf.set(ends, last);
    if (last < match.index + match[0].length) closing = ends;
  }
  return closing;
}

function endOfHtml(opening: string, name: string | undefined): string {
  if (name !== undefined) return `</${name}`;
  if (opening === '<!--') return '--';
  return opening.startsWith('<?') ? '?>' : '>';
}

/** The beginning of a line of Markdown. */
interface LineStart {
  /** Text columns of the open list items, outermost first. */
  readonly items: readonly number[];
  /** Mark of a fence with its column and position on the line, or null. */
  readonly mark: string | null;
  readonly column: number;
  readonly at: number;
  /** True if the mark may not open a fence. */
  readonly doubtful: boolean;
}

const fence = /(?:`{3,}(?=[^`]*$)|~{3,})/y;
const item = /(?:[-*+]|(\d{1,9})[.)]) {1,4}(?=[^ \t])/y;
const thematicBreak = /([-*_])[ \t]*(?:\1[ \t]*){2,}$/y;

/** Maximum depth of list items. Nothing deeper is certain. */
const deepest = 20;

/** Prefixes after which a fence may follow. A fence in a quote ends with the quote. */
const possibleFence = /^(?:[\s*+-]|\d{1,9}[.)]|\[\^[^\]]*\]:)*(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Reads the start of a line outside of code (CommonMark, "List items", "Fenced code blocks"). Keeps
 * only items that are certainly open: a list that starts above 1 cannot interrupt a paragraph, and
 * four more columns may be code.
 */
export function readLineStart(line: string, open: readonly number[], afterBlank: boolean): LineStart {
  let at = line.search(/[^ ]|$/);
  let column = columnOf(line);
  const items = open.filter((start) => start <= column);
  let begins = afterBlank || items.length < open.length;
  while (
    items.length < deepest &&
    column - (items.at(-1) ?? 0) <= 3 &&
    matchAt(thematicBreak, line, at) === null
  ) {
    const found = matchAt(item, line, at);
    if (found === null || !(begins || found[1] === undefined || found[1] === '1')) break;
    at += found[0].length;
    column += found[0].length;
    items.push(column);
    begins = true;
  }
  const sure = column - (items.at(-1) ?? 0) <= 3 ? matchAt(fence, line, at) : null;
  const mark = sure?.[0] ?? possibleFence.exec(line)?.[1] ?? null;
  return { items, mark, column, at, doubtful: sure === null };
}

/** Counts the columns of leading white space (CommonMark, "Tabs"). */
export function columnOf(line: string): number {
  let column = 0;
  for (const character of line) {
    if (character === ' ') column += 1;
    else if (character === '\t') column += 4 - (column % 4);
    else break;
  }
  return column;
}

function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(line);
}
