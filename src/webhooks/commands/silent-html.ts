import { htmlTagEnd } from '../../contract/untrusted.ts';

/**
 * Elements whose inside nobody says to the reader of a comment: quotes and code, as the Markdown forms of them, what a page does not
 * show, and what it shows folded.
 */
const silentElements = new Set(
  (
    'code pre kbd samp tt blockquote q template noscript iframe object svg math title textarea select datalist option ' +
    'audio video canvas details dialog rp listing xmp noframes noembed'
  ).split(' '),
);

/** Of these an end tag ends the innermost alone; all others end what was left open in them, too (HTML Standard, "in body"). */
const inline = new Set(['code', 'kbd', 'samp', 'tt', 'q']);

/** Follows the raw HTML of a comment, piece by piece in its order. */
export interface SilentHtml {
  /** Reads the HTML of one token of Markdown. Takes time that grows with its length. */
  read(html: string): void;
  /** True where what follows stands in a silent element, or in a comment or tag that the HTML before it left unfinished. */
  isSilent(): boolean;
}

/** Nothing is silent yet. */
export function createSilentHtml(): SilentHtml {
  const open: string[] = [];
  let unfinished = false;
  const close = (name: string): void => {
    const at = open.lastIndexOf(name);
    if (at === open.length - 1 || (at !== -1 && !inline.has(name))) open.length = Math.max(at, 0);
  };
  return {
    read(html) {
      for (let at = html.indexOf('<'); at !== -1 && !unfinished; ) {
        const name = /^<(\/?)([a-z][^\s/>]*)/i.exec(html.slice(at, at + 40));
        const end = name === null ? endOfComment(html, at) : htmlTagEnd(html, at + name[0].length);
        unfinished = typeof end !== 'number';
        const element = name?.[2]?.toLowerCase() ?? '';
        if (silentElements.has(element)) {
          if (name?.[1] === '/') close(element);
          else open.push(element);
        }
        at = typeof end === 'number' ? html.indexOf('<', end) : -1;
      }
    },
    isSilent: () => unfinished || open.length > 0,
  };
}

/** The end of a comment, a declaration or an instruction at a `<`; of a `<` that begins none of them, what follows it. Null without end. */
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
