import { createHash } from 'node:crypto';
import type { HiddenText } from '../contract/thread.ts';
import { codeRegions } from './code-regions.ts';
import { decodeEntities } from './decode-entities.ts';
import { stripInvisible } from './invisible.ts';
import {
  hiddenParts,
  stripDefinitions,
  stripHiddenElements,
  stripTags,
  stripTitles,
  stripUnfinishedTags,
  type TakeOut,
} from './strip-markup.ts';

/** Text from GitHub as a person sees it, and what was hidden from them. */
interface Sanitised {
  readonly text: string;
  /** The removed parts, at most 50, for a report to the maintainers. */
  readonly hidden: readonly HiddenText[];
}

/** Maximum characters. Longer text is cut with a note, so that length hides nothing. */
const longestText = 500_000;

/** Maximum nesting of honest text. */
const mostPasses = 12;

/**
 * Removes what a person reading a title, body, comment or name on GitHub would not see. No one can
 * then address the model unseen.
 *
 * Character references are decoded first, even if encoded repeatedly. Code that GitHub certainly
 * shows verbatim loses only invisible characters. Pure and idempotent. The result stays untrusted.
 */
export function sanitise(input: string): Sanitised {
  const hidden: HiddenText[] = [];
  const takeOut: TakeOut = (kind, part, alarming) => {
    const trimmed = part.trim();
    if (trimmed !== '' && hidden.length < 50) hidden.push(describe(kind, trimmed, alarming));
    return '';
  };
  let text = input.length > longestText ? `${input.slice(0, longestText)}\n[cut]` : input;
  // Removing one part may join the ends of another, so repeat until nothing changes.
  for (let pass = 0; ; pass++) {
    const before = text;
    // Thousands of layers would take minutes. Without these characters they hide nothing.
    if (pass === mostPasses) text = text.replace(/[<&]/g, '');
    if (pass === 2 * mostPasses) text = text.replace(/[[\]!$`~]/g, '');
    text = sanitiseOnce(text, takeOut);
    if (text === before || pass > 3 * mostPasses) return { text, hidden };
  }
}

function sanitiseOnce(input: string, takeOut: TakeOut): string {
  const visible = withoutInvisible(input, takeOut);
  const code: string[] = [];
  let text = '';
  let last = 0;
  // No control characters remain, so these marks are unambiguous.
  const prose = (part: string) => withoutInvisible(decodeAll(part), takeOut);
  for (const { start, end } of codeRegions(visible, { html: true })) {
    text += `${prose(visible.slice(last, start))}\u0001${code.length}\u0002`;
    code.push(visible.slice(start, end));
    last = end;
  }
  text += prose(visible.slice(last));
  for (const { kind, pattern, alarming } of hiddenParts) {
    text = text.replace(pattern, (part) => takeOut(kind, restored(part, code), alarming));
  }
  text = stripUnfinishedTags(text, (kind, part, alarming) => takeOut(kind, restored(part, code), alarming));
  text = stripHiddenElements(text, takeOut, (part) => restored(part, code));
  text = stripDefinitions(text, takeOut);
  text = stripTitles(stripTags(text, takeOut), takeOut);
  return restored(text, code);
}

function restored(text: string, code: readonly string[]): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the marks of sanitiseOnce
  return text.replace(/\u0001(\d+)\u0002/g, (_, index: string) => code[Number(index)] ?? '');
}

function withoutInvisible(input: string, takeOut: TakeOut): string {
  const { text, count, tags } = stripInvisible(input);
  if (tags !== '') takeOut('text in invisible tag characters', tags, true);
  // Single ones come with copied text: direction marks, byte order marks, special spaces.
  else if (count > 0)
    takeOut(count === 1 ? 'invisible character' : 'invisible characters', '·'.repeat(count), count > 20);
  return text;
}

function describe(kind: string, part: string, alarming: boolean): HiddenText {
  const line = part.replace(/\s+/g, ' ');
  return {
    kind,
    length: part.length,
    excerpt: line.length > 200 ? `${line.slice(0, 199)}…`.toWellFormed() : line,
    digest: createHash('sha256').update(part).digest('hex').slice(0, 16),
    alarming,
  };
}

/** An `&` encoded any number of times: `&amp;#38;amp;`. */
const layers = /&(?:(?:amp|AMP|#0{0,6}38|#[xX]0{0,6}26);)+(?=#|[A-Za-z])/g;

/** References to code marks stay encoded: GitHub makes no code of them either. */
const ofCode = /&(?:#0{0,6}(?:96|126);?|#[xX]0{0,6}(?:60|7[eE]);?|grave;|DiacriticalGrave;)/g;

/**
 * Decodes character references repeatedly until none is left. Text nested too deeply loses its `&`.
 */
export function decodeAll(text: string): string {
  let done = text;
  for (let pass = 0; pass < 12; pass++) {
    const next = decodeOnce(done);
    if (next === done) return done;
    done = next;
  }
  return done.replaceAll('&', '');
}

function decodeOnce(text: string): string {
  const flat = text.replace(layers, '&');
  let done = '';
  let last = 0;
  for (const match of flat.matchAll(ofCode)) {
    done += decodeEntities(flat.slice(last, match.index)) + match[0];
    last = match.index + match[0].length;
  }
  return done + decodeEntities(flat.slice(last));
}
