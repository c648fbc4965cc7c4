import { showDirections } from '../../contract/untrusted.ts';
import { codeRegions } from '../../untrusted-text/code-regions.ts';

/** Maximum characters of a comment, review, issue or pull request on GitHub. */
export const maximumBody = 65_536;

/**
 * Cuts a text to at most `length` UTF-16 units, never through a surrogate pair. Ends it with
 * `note`, which counts towards the length. Shorter texts are returned as they are.
 */
export function cutText(text: string, length: number, note: string): string {
  if (text.length <= length) return text;
  const end = Math.max(0, length - note.length);
  const last = text.charCodeAt(end - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, splitsPair ? end - 1 : end)}${note}`.slice(0, length);
}

/** Cuts a line like `cutText`, but between words if the last one is not most of it. */
export function cutWords(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = cutText(text, length, '');
  const end = cut.lastIndexOf(' ', length - 1);
  return end < length / 2 ? cutText(text, length, '…') : `${cut.slice(0, end).replace(/[\s,;:.–-]+$/u, '')}…`;
}

/** A text on one line: runs of white space, line ends among them, become one space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** The length of the longest run of backticks. */
function longestRun(text: string): number {
  const runs = text.match(/`+/gu) ?? [];
  return runs.reduce((longest, run) => Math.max(longest, run.length), 0);
}

/**
 * Renders inline code on one line, with enough backticks (CommonMark, "Code spans"). Direction
 * characters are escaped.
 */
export function codeSpan(text: string): string {
  const line = showDirections(oneLine(text));
  const ticks = '`'.repeat(longestRun(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return line === '' ? '' : `${ticks}${pad}${line}${pad}${ticks}`;
}

/** Names as code, with commas, as many as fit into `budget` characters: none is cut. */
export function listed(names: readonly string[], budget: number): string {
  let text = '';
  for (const [index, name] of names.entries()) {
    const next = `${index === 0 ? '' : ', '}${codeSpan(name)}`;
    if (text.length + next.length > budget) return `${text}${index === 0 ? '' : ', '}…`;
    text += next;
  }
  return text;
}

/**
 * Renders a fenced block whose fence is longer than any run of backticks inside (CommonMark,
 * "Fenced code blocks"). A final line end belongs to the fence.
 */
export function codeBlock(text: string, info = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const inside = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${fence}${info}\n${inside}${fence}`;
}

/** Renders the first `most` items as lines of a list, then the number of the others. */
export function cutList<Item>(
  items: readonly Item[],
  most: number,
  render: (item: Item) => string,
  where = '',
): string {
  const lines = items.slice(0, most).map((item) => render(item));
  if (items.length > most) lines.push(`- … and ${items.length - most} more${where}`);
  return lines.join('\n');
}

/** A folded section; the blank lines make GitHub read the inside as Markdown. */
export function foldedSection(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** `1 file`, `2 files`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/**
 * Cuts Markdown like `cutText`, but before the first code of the last line. Closes what it leaves
 * open, so the result may be a few characters longer.
 */
export function cutMarkdown(text: string, length: number, note: string): string {
  if (text.length <= length) return text;
  return closedMarkdown(`${uncutCode(cutText(text, length - note.length, ''))}${note}`);
}

/** A text that was cut, without what could be half of a span of code at its end. */
export function uncutCode(cut: string): string {
  const code = cut.indexOf('`', cut.lastIndexOf('\n') + 1);
  return code < 0 ? cut : cut.slice(0, code);
}

/**
 * Closes a fence or folded section that a text leaves open, so that it does not swallow what
 * follows.
 */
export function closedMarkdown(text: string): string {
  // A fence counts from its first line on.
  const code = codeRegions(`${text}\n-`, { html: false });
  let open = 0;
  let last = 0;
  for (const { start, end } of [...code, { start: text.length, end: text.length }]) {
    const prose = text.slice(last, start);
    open += (prose.match(/<details\b/giu) ?? []).length - (prose.match(/<\/details\s*>/giu) ?? []).length;
    last = end;
  }
  const fence = code.at(-1)?.open ?? null;
  return `${text}${fence === null ? '' : `\n${fence}`}${'\n\n</details>'.repeat(Math.max(0, open))}`;
}

/** A text that ends like a sentence. */
export function sentence(text: string): string {
  return text === '' || /[.!?…:]$/u.test(text) ? text : `${text}.`;
}

/**
 * Renders a text as a table cell: one line, bars escaped (GitHub Flavored Markdown Spec, "Tables").
 */
export function tableCell(text: string): string {
  return oneLine(text).replaceAll(/\\*\|/g, (found) => `${'\\'.repeat((found.length - 1) * 2)}\\|`);
}
