import { htmlTagEnd } from '../../contract/untrusted.ts';

/** Elements whose content is not addressed to the reader: quotes, code, hidden and folded parts. */
const silentElements = new Set(
  (
    'code pre kbd samp tt blockquote q template noscript iframe object svg math title textarea select datalist option ' +
    'audio video canvas details dialog rp listing xmp noframes noembed'
  ).split(' '),
);

/**
 * Elements whose end tag closes only the innermost one. Other end tags close everything opened
 * inside (HTML Standard, "in body").
 */
const inline = new Set(['code', 'kbd', 'samp', 'tt', 'q']);

/** Tracks the raw HTML of a comment in order. */
export interface SilentHtml {
  /** Reads the HTML of one Markdown token in linear time. */
  read(html: string): void;
  /**
   * True if the following text is inside a silent element, an unfinished comment or an unfinished
   * tag.
   */
  isSilent(): boolean;
}

/** Creates the tracker at the start of a comment. */
export function createSilentHtml(): SilentHtml {
  const open: string[] = [];
  let unfinished = false;
  const close = (name: string): void => {
    const at = open.lastIndexOf(name);
    if (at === open.length - 1 || (at !== -1 && !inline.has(name))) open.length = Math.max(at, 0);
  };
  const enter = (element: string, isEnd: boolean): void => {
    if (!silentElements.has(element)) return;
    if (isEnd) close(element);
    else open.push(element);
  };
  return {
    read(html) {
      for (let at = html.indexOf('<'); at !== -1 && !unfinished; ) {
        const name = /^<(\/?)([a-z][^\s/>]*)/i.exec(html.slice(at, at + 40));
        const end = name === null ? endOfComment(html, at) : htmlTagEnd(html, at + name[0].length);
        unfinished = typeof end !== 'number';
        enter(name?.[2]?.toLowerCase() ?? '', name?.[1] === '/');
        at = typeof end === 'number' ? html.indexOf('<', end) : -1;
      }
    },
    isSilent: () => unfinished || open.length > 0,
  };
}

/**
 * Returns the end of a comment, declaration or instruction at a `<`, or the next position for any
 * other `<`. Null if it is unfinished.
 */
function endOfComment(html: string, at: number): number | null {
  const rest = html.slice(at, at + 5);
  if (/^<!--/.test(rest)) {
    if (/^<!---?>/.test(html.slice(at, at + 6))) return html.indexOf('>', at) + 1;
    return after(html, /--!?>/g, at + 4);
  }
  return /^<(?:[!?]|\/.)/s.test(rest) ? after(html, />/g, at + 1) : at + 1;
}

function after(html: string, pattern: RegExp, from: number): number | null {
  pattern.lastIndex = from;
  return pattern.exec(html) === null ? null : pattern.lastIndex;
}
