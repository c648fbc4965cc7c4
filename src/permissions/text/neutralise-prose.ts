import { decodeEntities } from '../decode-entities.ts';
import { apart, invisible } from './invisible.ts';
import { neutraliseLinks } from './neutralise-links.ts';

/** Tags that only say how a word looks, within a line: nothing can hide in them, and none begins a block. */
const plainTag = /^<\/?(?:br|sub|sup|kbd|b|i|em|strong)\s*\/?>/i;
const tag = String.raw`<\/?[a-z]{1,6}\s?\/?>`;
const entity = String.raw`&[#\w\u200b]{1,12};`;

/** A keyword of "Linking a pull request to an issue" (GitHub Docs), its letters dressed or not, before whatever may name an issue. */
const closing = keywordPattern();

/** A line that begins with a slash and a word, which is no path: a command of ours or of another bot. */
const command = new RegExp(
  String.raw`((?:^|<br\s?\/?>)(?:[^\p{L}\p{N}\n/&<]|\d{1,9}[.)]|${entity}|${tag})*)(?=\/[a-z][\w-]*(?!\w|[/.-]+\w))`,
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
    neutraliseLinks(plain, hosts)
      .replace(closing, `$&${apart}`)
      .replace(command, (found, _, at: number) =>
        at === 0 && before !== '' && !/<br/i.test(found) ? found : found + apart,
      ),
  );
}

/** Whether a reference stands for a letter, a digit, a sign that GitHub acts on, or a character that does not show. */
function disguises(reference: string): boolean {
  const character = decodeEntities(reference);
  return (
    character !== reference && (/^[a-z0-9@#/]$/i.test(character) || character.replace(invisible, '') === '')
  );
}

/** Names behind an `@`, but where it stands in an address of e-mail. */
function takenApartMentions(text: string): string {
  const parts = text.split('@');
  return parts
    .map((part, at) => {
      if (at === 0) return part;
      const before = parts[at - 1] ?? '';
      const inWord = /[a-z0-9]$/i.test(before) && !(at > 1 && /^[\w.+-]*$/.test(before));
      return `@${!inWord && /^[a-z0-9]/i.test(part) ? apart : ''}${part}`;
    })
    .join('');
}

/** Text whose tags are none but for plain ones behind a word, or behind code, on their line. */
function withoutTags(text: string, before: string): string {
  let [word, from] = [before.trim() !== '', 0];
  return text.replace(/<(?=[a-z/!?])/gi, (bracket, at: number) => {
    // Each character is looked at once: a line may hold thousands of brackets.
    const since = text.slice(from, at);
    const line = since.slice(since.lastIndexOf('\n') + 1);
    word = (word && line.length === since.length) || /\p{L}/u.test(line);
    from = at;
    return word && plainTag.test(text.slice(at, at + 20)) ? bracket : '&lt;';
  });
}

function keywordPattern(): RegExp {
  const dress = String.raw`(?:[*_~\\]|${tag})*`;
  const spelt = (letters: string) => [...letters].join(dress);
  const word = `${spelt('close')}(?:${dress}[sd])?|${spelt('fix')}(?:${dress}e${dress}[sd])?|${spelt('resolve')}(?:${dress}[sd])?`;
  const between = String.raw`(?:[^\p{L}\p{N}#&<[]|${entity}|${tag})+`;
  const issue = String.raw`(?:[\w.-]{1,100}\/[\w.-]{1,100})?#\d|GH-\d|https?:|\/\/|www\.|\[`;
  return new RegExp(`(?<![a-z0-9])(?:${word})${between}(?=${issue})`, 'giu');
}
