import { dress, entity, shortTag, takenApartClosing } from './closing-words.ts';
import { decodeEntities } from './decode-entities.ts';
import { apart, invisible } from './invisible.ts';
import { neutraliseLinks } from './neutralise-links.ts';
import { takenApartCommands } from './outward-commands.ts';

/**
 * A pair of tags that only say how a word looks, around words of one line, or a line break. Nothing within could part the pair for any
 * reader: no cell of a table, link, escape, formula or other tag. A tag without its like is dropped by readers of HTML, which join
 * the text before it and behind it.
 */
const plainTags = /<(sub|sup|kbd|b|i|em|strong)>(?=\s*[^<\s])[^<>\n|\\$[\]]{1,500}<\/\1>|<br ?\/?>/iy;

/** A line that begins with a slash and a word, which is no path: a command of ours or of another bot. */
const command = new RegExp(
  String.raw`((?:^|<br\s?\/?>)(?:[^\p{L}\p{N}\n/&<]|\d{1,9}[.)]|${entity}|${shortTag})*)(?=\/${dress}*[a-z][\w-]*(?!\w|[/.-]+\w))`,
  'gimu',
);

/**
 * Markdown outside of code in which GitHub finds nothing to act on, however it reads it; `before` is what stands before it on its
 * line. No mark of code is left in it.
 */
export function neutraliseProse(text: string, before: string, hosts: readonly string[]): string {
  const plain = withoutTags(text, before)
    // A backslash before a mark would escape the reference.
    .replace(
      /(?<!\\)(\\*)(`+)/g,
      (_, slashes: string, marks: string) => slashes.slice(slashes.length % 2) + '&#96;'.repeat(marks.length),
    )
    .replace(
      /(?<!\\)(\\*)(~{3,})/g,
      (_, slashes: string, marks: string) =>
        slashes.slice(slashes.length % 2) + '&#126;'.repeat(marks.length),
    )
    // References that spell what is looked for below, or what does not show.
    .replace(/&(?=(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{1,20});)/gi, (mark, name: string) =>
      disguises(`&${name};`) ? mark + apart : mark,
    );
  return takenApartMentions(
    takenApartClosing(neutraliseLinks(takenApartCommands(plain), hosts)).replace(
      command,
      (found, _, at: number) => (at === 0 && before !== '' && !/<br/i.test(found) ? found : found + apart),
    ),
  );
}

/** Whether a reference stands for a letter, a digit, a sign that GitHub acts on, or a character that does not show. */
function disguises(reference: string): boolean {
  const character = decodeEntities(reference);
  return (
    character !== reference &&
    (/^[a-z0-9@#/:\\]$/i.test(character) || character.replace(invisible, '') === '')
  );
}

/** Marks and tags, which a reader of the rendered text does not see, before a name. */
const name = new RegExp(`^${dress}*(?=[a-z0-9])`, 'i');

/** Names behind an `@`, but where it stands in an address of e-mail. */
function takenApartMentions(text: string): string {
  const parts = text.split('@');
  return parts
    .map((part, at) => {
      if (at === 0) return part;
      const before = parts[at - 1] ?? '';
      const inWord = /[a-z0-9]$/i.test(before) && !(at > 1 && /^[\w.+-]*$/.test(before));
      return `@${inWord ? part : part.replace(name, `$&${apart}`)}`;
    })
    .join('');
}

/** Text whose tags are none but for plain pairs, and line breaks behind a word, or behind code, on their line. */
function withoutTags(text: string, before: string): string {
  let [word, from, kept] = [before.trim() !== '', 0, 0];
  return text.replace(/<(?=[a-z/!?])/gi, (bracket, at: number) => {
    // The end of a pair that stays.
    if (at < kept) return bracket;
    // Each character is looked at once: a line may hold thousands of brackets.
    const since = text.slice(from, at);
    const line = since.slice(since.lastIndexOf('\n') + 1);
    word = (word && line.length === since.length) || /\p{L}/u.test(line);
    from = at;
    plainTags.lastIndex = at;
    const found = plainTags.exec(text);
    // Escaped, a tag is no tag; alone on its line, a break begins a block of HTML.
    if (found === null || text.charAt(at - 1) === '\\' || (found[1] === undefined && !word)) return '&lt;';
    kept = at + found[0].length;
    return bracket;
  });
}
