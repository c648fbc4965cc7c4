import { decodeEntities } from './decode-entities.ts';

/** Text from GitHub, fit for a model: what a person would see, and what was hidden from them. */
export interface Sanitised {
  readonly text: string;
  /** What was taken out, cut to 200 characters each, for a report to the maintainers. */
  readonly hidden: readonly string[];
}

/** Longer text is cut, with a note, so that nothing hides behind sheer length. */
const longestText = 500_000;

/** Comments within comments deeper than this are nobody's honest writing. */
const deepestNesting = 20;

/**
 * Characters that show nothing or turn the direction of text: controls, zero-width and joining characters,
 * bidirectional marks, variation selectors, tags (U+E0000…), fillers, soft hyphens.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: so are characters that combine
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** Parts that GitHub does not show, or shows other than written: each is taken out and told. */
const hiddenParts: readonly RegExp[] = [
  // HTML, "Comments": an unterminated one hides everything after it.
  /<!--[\s\S]*?(?:--!?>|$)/g,
  /<![A-Za-z[][\s\S]*?(?:>|$)/g,
  /<\?[\s\S]*?(?:\?>|$)/g,
  /<(script|style|template|noscript|iframe|object|svg|math|title|textarea|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi,
  // Link reference definitions that no link uses, the Markdown way to write a comment.
  /^[ \t>]*\[(?:\/\/|#|comment|\s*)\]:[^\n]*(?:\n[ \t]+[^\n]*)?$/gim,
  /<(?:source|track|meta|link|base|input|embed|param)\b[^>]*(?:>|$)/gi,
];

const attributeNames =
  'alt|title|aria-[a-z]+|data-[a-z-]+|placeholder|summary|srcset|media|label|content|value|name|id|style|class|hidden';
const attributes = new RegExp(
  String.raw`\s(?:${attributeNames})(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?(?=[\s/>])`,
  'gi',
);

/**
 * Takes out of a title, body or comment what a person reading it on GitHub would not see, so that nobody
 * can speak to the model behind their back. Character references are decoded first, twice over: a comment
 * may be written with them. Pure; the text stays untrusted.
 */
export function sanitise(input: string): Sanitised {
  const hidden: string[] = [];
  const takeOut = (part: string): string => {
    const shown = part.trim();
    if (shown !== '') hidden.push(shown.length > 200 ? `${shown.slice(0, 199)}…` : shown);
    return '';
  };
  let text = input.length > longestText ? `${input.slice(0, longestText)}\n[cut]` : input;
  text = stripInvisible(decodeEntities(decodeEntities(text)), hidden);
  // Taking one part out may put the ends of another together, so go on until nothing changes.
  for (let before = '', pass = 0; before !== text; pass++) {
    before = text;
    // Thousands of layers would take minutes; as plain characters they hide nothing either.
    if (pass === deepestNesting) text = text.replaceAll('<', '&lt;');
    for (const part of hiddenParts) text = text.replace(part, takeOut);
  }
  text = text.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(attributes, takeOut));
  text = stripMarkdownTitles(text, takeOut);
  return { text, hidden };
}

function stripInvisible(text: string, hidden: string[]): string {
  let count = 0;
  // Tags spell ASCII (Unicode, "Tags"): what they say is told in clear.
  const tags: string[] = [];
  const clean = text.replace(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xe0020 && code <= 0xe007e) tags.push(String.fromCharCode(code - 0xe0000));
    count++;
    // A separator of lines still separates.
    return code === 0x2028 || code === 0x2029 ? '\n' : '';
  });
  if (tags.length > 0) hidden.push(`text in invisible tag characters: ${tags.join('').slice(0, 200)}`);
  else if (count > 0) hidden.push(`${count} invisible ${count === 1 ? 'character' : 'characters'}`);
  return clean;
}

/** Alternative text of images and titles of links: shown only by pointing at them, if at all. */
function stripMarkdownTitles(text: string, takeOut: (part: string) => string): string {
  return text
    .replace(/!\[((?:[^[\]\\]|\\.)*)\](?=[([])/g, (_, alternative: string) => `![${takeOut(alternative)}]`)
    .replace(
      /(\]\(\s*(?=\S)(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\(((?:[^()\\]|\\.)*)\))\s*\)/g,
      (_, link: string, double?: string, single?: string, round?: string) =>
        `${link}${takeOut(double ?? single ?? round ?? '')})`,
    )
    .replace(
      /^([ \t>]*\[[^\]\n]+\]:[ \t]*\S+)(?:[ \t]+|[ \t]*\n[ \t]+)(?:"([^"\n]*)"|'([^'\n]*)'|\(([^()\n]*)\))[ \t]*$/gm,
      (_, definition: string, double?: string, single?: string, round?: string) =>
        `${definition}${takeOut(double ?? single ?? round ?? '')}`,
    );
}

/** Fenced blocks and code spans (GitHub Flavored Markdown), in which GitHub reads no meaning into words. */
const code =
  /^ {0,3}(`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?(?:\n {0,3}\1[`~]*[ \t]*$|(?![\s\S]))|(?![\s\S]))|(?<!`)(`+)(?!`)[^\n]*?[^`\n]\2(?!`)/gm;

/** A user or team that GitHub would notify: not in the middle of a word, as in an address of e-mail. */
const mention = /(?<![\w`@/.-])@([A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:\[bot\])?(?:\/[A-Za-z0-9][\w.-]*)?)/g;

/** GitHub Docs, "Linking a pull request to an issue": keywords that close what they name. */
const closing =
  /\b((?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?:\s*:)?\s+)((?:[\w.-]+\/[\w.-]+)?#(\d+)|GH-(\d+)|https?:\/\/\S+?\/(?:issues|pull)\/(\d+)\b)/gi;

/**
 * Makes text of the model harmless to post: `@mentions` notify nobody and `fixes #n` closes nothing, as both
 * become code; no HTML comment hides in it, and invisible characters are gone. `allow.mentions` holds logins
 * that may be notified, `allow.closes` the numbers that may be closed. Applied twice it changes no more.
 */
export function neutraliseOutgoing(
  text: string,
  allow: { readonly mentions?: readonly string[]; readonly closes?: readonly number[] } = {},
): string {
  // Emoji are made with these two; they hide nothing that could be read.
  const visible = text.replace(invisible, (character) => (/[\uFE0F\u200D]/.test(character) ? character : ''));
  const mentions = new Set(allow.mentions?.map((login) => login.toLowerCase()));
  const prose = (part: string) =>
    part
      .replaceAll('<!--', '&lt;!--')
      .replace(mention, (whole, name: string) => (mentions.has(name.toLowerCase()) ? whole : `\`${whole}\``))
      .replace(closing, (whole, keyword: string, reference: string, ...numbers: string[]) => {
        const number = Number(numbers.slice(0, 3).find((found) => found !== undefined));
        return allow.closes?.includes(number) ? whole : `${keyword}\`${reference}\``;
      });
  let done = '';
  let last = 0;
  for (const found of visible.matchAll(code)) {
    done += prose(visible.slice(last, found.index)) + found[0];
    last = found.index + found[0].length;
  }
  return done + prose(visible.slice(last));
}
