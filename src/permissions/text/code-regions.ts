import { append } from '../../contract/append.ts';

/** A part of a text, `end` excluded. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** HTML that a blank line does not end (CommonMark, "HTML blocks", kinds 1 to 5), with what ends it. */
const lasting =
  /<!--|<!\[CDATA\[|<\?|<![a-z]|<(script|style|textarea|pre|template|title|noscript|iframe|math|svg)\b/gi;

/**
 * The code in Markdown that is code to GitHub beyond doubt: what a fence holds, and spans on one line. Where HTML, a table or
 * an earlier backtick could make GitHub read it otherwise, it does not count. With `html: false` the text is known to
 * have no HTML outside code. Fences begin at the start of a line; with `html: true` behind a blank one.
 */
export function codeRegions(text: string, { html }: { readonly html: boolean }): Region[] {
  const regions: Region[] = [];
  let fence: { mark: string; indent: number; start: number; doubtful: boolean } | null = null;
  let closing: string | null = null;
  let blankBefore = true;
  let plain = true;
  let at = 0;
  for (const line of text.split('\n')) {
    const start = at;
    at += line.length + 1;
    if (fence !== null) {
      const closes = new RegExp(`^ {0,3}${fence.mark[0]}{${fence.mark.length},}[ \\t]*\\r?$`).test(line);
      if (closes) {
        if (!fence.doubtful && start > fence.start) regions.push({ start: fence.start, end: start });
        fence = null;
        blankBefore = !html;
        plain = true;
      } else if (line.trim() !== '' && line.search(/\S/) < fence.indent) fence.doubtful = true;
      continue;
    }
    if (closing !== null) {
      if (line.toLowerCase().includes(closing)) closing = null;
      blankBefore = false;
      plain = false;
      continue;
    }
    if (line.trim() === '') {
      blankBefore = true;
      plain = true;
      continue;
    }
    const opened = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/.exec(line);
    if (opened !== null && (html ? blankBefore && opened[1] === '' : true)) {
      fence = { mark: opened[2] ?? '', indent: opened[1]?.length ?? 0, start: at, doubtful: false };
      continue;
    }
    const spans = plain && !/^[ \t>]*\[[^\]]*\]:|\\`|\|/.test(line) ? codeSpans(line) : null;
    const outside = withoutSpans(line, spans ?? []);
    if (spans === null || outside.includes('`')) plain = false;
    if (html) {
      closing = openedHtml(outside);
      // A tag before a span on the same line is enough to doubt it.
      if (/<[a-z/!?]/i.test(outside)) plain = false;
    }
    if (plain)
      append(
        regions,
        (spans ?? []).map((span) => ({ start: start + span.start, end: start + span.end })),
      );
    blankBefore = false;
  }
  // What no fence closes is code to the end.
  if (fence !== null && !fence.doubtful && !html && fence.indent === 0 && fence.start < text.length) {
    regions.push({ start: fence.start, end: text.length });
  }
  return regions;
}

/** The spans of code on a line, backticks included (CommonMark, "Code spans"). */
function codeSpans(line: string): Region[] {
  const runs = [...line.matchAll(/`+/g)].map(({ index, 0: run }) => ({ start: index, length: run.length }));
  // The next run of the same length for each run. Found from the end, so that each is looked at once.
  const nextOf = new Map<number, number>();
  const closes = runs.map(() => -1);
  for (const [index, { length }] of [...runs.entries()].reverse()) {
    closes[index] = nextOf.get(length) ?? -1;
    nextOf.set(length, index);
  }
  const spans: Region[] = [];
  for (let index = 0; index < runs.length && spans.length <= 200; index++) {
    const [open, end] = [runs[index], runs[closes[index] ?? -1]];
    if (open === undefined || end === undefined) continue;
    spans.push({ start: open.start, end: end.start + end.length });
    index = closes[index] ?? index;
  }
  return spans;
}

function withoutSpans(line: string, spans: readonly Region[]): string {
  let rest = '';
  let last = 0;
  for (const { start, end } of spans) {
    rest += `${line.slice(last, start)} `;
    last = end;
  }
  return rest + line.slice(last);
}

/** What ends the HTML that a line leaves open; null where it leaves none. */
function openedHtml(line: string): string | null {
  let closing: string | null = null;
  const lower = line.toLowerCase();
  // The last place of each end of HTML on the line: looked for once, however often HTML begins.
  const lastOf = new Map<string, number>();
  for (const match of line.matchAll(lasting)) {
    const name = match[1]?.toLowerCase();
    const ends =
      name !== undefined ? `</${name}` : match[0] === '<!--' ? '--' : match[0].startsWith('<?') ? '?>' : '>';
    const last = lastOf.get(ends) ?? lower.lastIndexOf(ends);
    lastOf.set(ends, last);
    if (last < match.index + match[0].length) closing = ends;
  }
  return closing;
}
