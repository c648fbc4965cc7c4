/** What a line of Markdown begins with. */
interface LineStart {
  /** The columns at which the text of the list items begins that are open now, from the outside. */
  readonly items: readonly number[];
  /** The mark of a fence, the column and the place on the line where it stands; null where there is none. */
  readonly mark: string | null;
  readonly column: number;
  readonly at: number;
  /** Whether the mark may be none. */
  readonly doubtful: boolean;
}

const fence = /(?:`{3,}(?=[^`]*$)|~{3,})/y;
const item = /(?:[-*+]|(\d{1,9})[.)]) {1,4}(?=[^ \t])/y;
const thematicBreak = /([-*_])[ \t]*(?:\1[ \t]*){2,}$/y;

/** Items in items beyond so many are not followed: nothing in them is sure. */
const deepest = 20;

/** Marks behind which a fence may stand. One in a quote ends with the quote, whatever it holds. */
const possibleFence = /^(?:[\s*+-]|\d{1,9}[.)]|\[\^[^\]]*\]:)*(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Reads the start of a line outside of code (CommonMark, "List items", "Fenced code blocks"). Only items that are open beyond doubt
 * are kept: a list with another number than 1 cannot interrupt a paragraph, and four more columns may be code.
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

/** How many columns of white space a line begins with (CommonMark, "Tabs"). */
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
