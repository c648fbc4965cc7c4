import { append } from '../contract/lists.ts';
import { type Inline, noInline, readInline } from './code-spans.ts';
import { htmlLeftOpen } from './html-left-open.ts';
import { columnOf, readLineStart } from './line-start.ts';

/** A part of a text, `end` excluded. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** Code: what a fence holds, or a span with its backticks. */
export interface CodeRegion extends Region {
  /** The same with the marks of the fence. */
  readonly whole: Region;
  /** The mark of a fence that nothing closes; null where something does, and of a span. */
  readonly open: string | null;
}

interface Reading {
  /** Whether HTML may stand outside of code. */
  readonly html: boolean;
  /** Set by who writes every mark outside of the regions as a character reference, so that one in doubt opens nothing. */
  readonly escaping?: boolean;
}

/** A line of a text: the place at which it starts, its own number, and that of characters to the next. */
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
  /** The number of its line, the place of the mark in the text, and of what stands behind its line. */
  readonly line: number;
  readonly from: number;
  readonly start: number;
}

/** What the lines so far mean for the next. */
interface State {
  readonly fence: Fence | null;
  /** What ends the HTML that is open. */
  readonly closing: string | null;
  readonly inline: Inline;
  readonly items: readonly number[];
  readonly afterBlank: boolean;
}

/** What a line holds, and the state behind it; null where nothing behind it can be told. */
interface Step {
  readonly regions: readonly CodeRegion[];
  readonly state: State | null;
}

/** A fence in doubt is read again as text. After so many nothing more counts as code, so that the time stays linear. */
const mostDoubts = 20;

/**
 * The code in Markdown that is code to GitHub beyond doubt: fences, also in lists, and spans on one line (CommonMark, "Fenced code
 * blocks", "Code spans"). What GitHub could read otherwise because of HTML, a table, a link, a formula or an earlier mark does
 * not count, nor does, unless marks are escaped, anything behind what may be a fence and may be none.
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

/** The lines, of which the last is empty. */
function linesOf(text: string): Line[] {
  return [...text.matchAll(/([^\r\n]*)(?:\r\n|[\r\n]|$)/g)].map(
    ({ 0: whole, 1: line = '', index }, number) => {
      return { text: line, start: index, next: index + whole.length, number };
    },
  );
}

/** Whether a line may make a table of its neighbours (GFM, "Tables"), in which each bar ends a cell, code or not. */
function isDelimiterRow(line: string): boolean {
  return /^[\s>*+\d.)|:-]+$/.test(line) && line.includes('-') && /[|:]/.test(line);
}

/** A line behind the beginning of a fence. Where it would end the list that the fence may stand in, nothing is sure. */
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
