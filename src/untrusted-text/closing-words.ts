import { apart } from './invisible.ts';

/** A short tag, and a character reference. */
export const shortTag = String.raw`<\/?[a-z]{1,6}\s?\/?>`;
export const entity = String.raw`&[#\w\u200b]{1,12};`;

/** Markup that is invisible in the rendered text. */
export const markup = String.raw`(?:[*_~\\]|${shortTag})`;

/** Matches letters with markup between them. */
const spelt = (letters: string) => [...letters].join(`${markup}*`);

/** A keyword of "Linking a pull request to an issue" (GitHub Docs), with or without markup. */
const keyword = keywordPattern();

/** Text between keyword and issue: anything but words. */
const between = String.raw`(?:(?!\]\()[^\p{L}\p{N}#&<[]|${entity}|${shortTag}|\]\([^\s()]*\))+`;

/** One half of an issue's repository name, with or without markup. */
const part = String.raw`(?:[\w.*~\\-]|${shortTag}){1,100}`;
const number = String.raw`(?:${part}\/${part})?#${markup}*\d|${spelt('GH-')}${markup}*\d`;

const closing = new RegExp(
  `${keyword}${between}(?=${number}|${spelt('http')}${markup}*(?:s${markup}*)?:|\\/\\/|www\\.|\\[)`,
  'giu',
);

/**
 * The same, split over two texts. Between them may be white space, colons and what GitHub ignores.
 */
const seam = String.raw`(?:[\s:\]]|${markup}|${entity})*`;
const openEnd = new RegExp(`${keyword}(?=${seam}$)`, 'iu');
const openStart = new RegExp(String.raw`^(?:[\s:[*_~]|${shortTag}|${entity})*(?=\\*(?:${number}))`, 'iu');

/** Separates closing keywords from the issues they name. */
export function takenApartClosing(text: string): string {
  return text.replace(closing, `$&${apart}`);
}

/**
 * Breaks an issue reference at the start of a text, so that no preceding keyword closes it. An
 * address stays a link; `closedEnd` handles the preceding text.
 */
export function closedStart(text: string): string {
  return text.replace(openStart, `$&${apart}`);
}

/**
 * Breaks a closing keyword at the end of a text, so that it closes no following issue. A keyword
 * within an address stays, which would break the link.
 */
export function closedEnd(text: string): string {
  return text.replace(openEnd, (found, at: number) => {
    const word = text.slice(0, at).replace(/^.*\s/s, '');
    return /\/\/|www\./i.test(word) ? found : found + apart;
  });
}

function keywordPattern(): string {
  const endings = (letters: string) => `(?:${markup}*${letters})?`;
  const past = endings('[sd]');
  return `(?<![a-z0-9])(?:${spelt('close')}${past}|${spelt('fix')}${endings(`e${markup}*[sd]`)}|${spelt('resolve')}${past})`;
}
