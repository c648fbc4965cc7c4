import { apart } from './invisible.ts';

/** A tag of a few letters, and a reference to a character. */
export const shortTag = String.raw`<\/?[a-z]{1,6}\s?\/?>`;
export const entity = String.raw`&[#\w\u200b]{1,12};`;

/** Marks that a reader of the rendered text does not see. */
export const dress = String.raw`(?:[*_~\\]|${shortTag})`;

/** Letters that may be dressed. */
const spelt = (letters: string) => [...letters].join(`${dress}*`);

/** A keyword of "Linking a pull request to an issue" (GitHub Docs), its letters dressed or not. */
const keyword = keywordPattern();

/** What may stand between a keyword and the issue: all but words, so that a sentence in between is none. */
const between = String.raw`(?:(?!\]\()[^\p{L}\p{N}#&<[]|${entity}|${shortTag}|\]\([^\s()]*\))+`;

/** A name for an issue that is no address, dressed or not. */
const part = String.raw`(?:[\w.*~\\-]|${shortTag}){1,100}`;
const number = String.raw`(?:${part}\/${part})?#${dress}*\d|${spelt('GH-')}${dress}*\d`;

const closing = new RegExp(
  `${keyword}${between}(?=${number}|${spelt('http')}${dress}*(?:s${dress}*)?:|\\/\\/|www\\.|\\[)`,
  'giu',
);

/** The same, parted between two texts. Only what GitHub does not see, white space and colons may stand between both. */
const seam = String.raw`(?:[\s:\]]|${dress}|${entity})*`;
const openEnd = new RegExp(`${keyword}(?=${seam}$)`, 'iu');
const openStart = new RegExp(String.raw`^(?:[\s:[*_~]|${shortTag}|${entity})*(?=\\*(?:${number}))`, 'iu');

/** Markdown in which no keyword names the issue that it closes. */
export function takenApartClosing(text: string): string {
  return text.replace(closing, `$&${apart}`);
}

/**
 * The beginning of a text whose issue no keyword at the end of another text can close. An address stays: it would no longer be a link,
 * and `closedEnd` sees to the other text.
 */
export function closedStart(text: string): string {
  return text.replace(openStart, `$&${apart}`);
}

/** The end of a text whose keyword closes no issue at the beginning of another. One within an address stays, as the link would break. */
export function closedEnd(text: string): string {
  return text.replace(openEnd, (found, at: number) => {
    const word = text.slice(0, at).replace(/^.*\s/s, '');
    return /\/\/|www\./i.test(word) ? found : found + apart;
  });
}

function keywordPattern(): string {
  const endings = (letters: string) => `(?:${dress}*${letters})?`;
  const past = endings('[sd]');
  return `(?<![a-z0-9])(?:${spelt('close')}${past}|${spelt('fix')}${endings(`e${dress}*[sd]`)}|${spelt('resolve')}${past})`;
}
