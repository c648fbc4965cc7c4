import { decodeEntities } from '../../untrusted-text/decode-entities.ts';

/** Elements that begin and end a line. */
const blocks =
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h[1-6] header hr li main nav ol option p pre section table tbody td th thead title tr ul';

/** Comments; what is no text of a page, with all that is in it; tags that begin or end a line; any other tag. */
const markup = new RegExp(
  [
    '<!--[\\s\\S]*?(?:-->|$)',
    '<(script|style|template|svg|noscript|iframe|textarea)\\b[\\s\\S]*?(?:<\\/\\1|$)[^<>]*>?',
    `(<\\/?(?:${blocks.replaceAll(' ', '|')})(?=[\\s/>])[^<>]*>?)`,
    '<[a-z/!?][^<>]*>?',
  ].join('|'),
  'gi',
);

/**
 * What of a page is text, by its tags alone: for pages that nothing better can be made of. The time grows with the length of the page
 * and nothing else, however deep its elements are nested.
 */
export function pageText(html: string): string {
  const text = html.replaceAll(markup, (_tag, _hidden, block: string | undefined) =>
    block === undefined ? ' ' : '\n',
  );
  return decodeEntities(text)
    .split('\n')
    .map((line) => line.replaceAll(/[ \t\r\f\v\u00a0]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
