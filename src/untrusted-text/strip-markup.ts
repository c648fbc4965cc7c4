import { openingTags } from './html-tags.ts';
import type { TakeOut } from './take-out.ts';

/** What shows, or says where something is. */
const shownAttributes =
  /^(?:href|src|width|height|align|valign|colspan|rowspan|open|start|type|checked|disabled|dir|border|color|size)$/;

/** Attributes that GitHub drops or keeps for machines, and tags whose name is a message. */
export function stripTags(text: string, takeOut: TakeOut): string {
  let done = '';
  let last = 0;
  for (const { start, end, name, attributes, slash } of openingTags(text)) {
    done += text.slice(last, start);
    last = end;
    if (name.length > 20 || name.includes('-')) {
      takeOut('unknown HTML tag', text.slice(start, end), true);
      continue;
    }
    const kept = attributes.filter((attribute) => {
      const shown = shownAttributes.test(attribute.name);
      if (!shown)
        takeOut(attribute.name === 'alt' ? 'alternative text' : 'HTML attribute', attribute.text, false);
      return shown;
    });
    done +=
      kept.length === attributes.length
        ? text.slice(start, end)
        : `${text.slice(start, start + 1 + name.length)}${kept.map((attribute) => attribute.text).join('')}${slash}>`;
  }
  return done + text.slice(last);
}

/** Alternative text of images and titles of links: shown only by pointing at them, if at all. */
export function stripTitles(text: string, takeOut: TakeOut): string {
  return text
    .replace(
      /!\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\](?=[([])/gs,
      (_, alternative: string) => `![${takeOut('alternative text', alternative, false)}]`,
    )
    .replace(
      /(\]\(\s*(?=\S)(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\(((?:[^()\\]|\\.)*)\))\s*\)/gs,
      (_, link: string, double?: string, single?: string, round?: string) =>
        `${link}${takeOut('title of a link', double ?? single ?? round ?? '', false)})`,
    );
}

/** What stands in the brackets of a label, which may go on over lines but for a blank one (CommonMark, "Links"). */
const label = String.raw`((?:[^[\]\\\n]|\\.|\n(?![ \t]*\n)){1,999})`;
const definition = new RegExp(
  String.raw`^([ \t>]{0,40}\[${label}\]:[ \t]{0,40}(?:\n[ \t]{0,40})?(?:<[^<>\n]*>|\S+))((?:[ \t]{1,40}|[ \t]{0,40}\n[ \t]{0,40})(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?[ \t]*$`,
  'gms',
);
const reference = new RegExp(String.raw`\[${label}\](?!:)`, 'gs');
/** A line that goes on with a paragraph without being indented (CommonMark, "Lazy continuation line"). */
const lazy = String.raw`(?![ \t]?(?:#{1,6}[ \t\n]|>|<|\x60{3}|~{3}|[-+*][ \t\n]|1[.)][ \t]|\[\^|([-*_])[ \t]*(?:\2[ \t]*){2,}$))[ \t]?\S`;
const indented = String.raw`(?:[ \t]{2,}|\t)`;
const footnote = new RegExp(
  String.raw`^[ \t>]{0,40}\[(\^[^\]\s]{1,999})\]:[^\n]*(?:\n(?:(?:${indented}|${lazy})[^\n]*|(?=\n${indented}\S)))*$`,
  'gm',
);

/** Definitions of links and footnotes that nothing refers to, which do not show; of the others their titles. */
export function stripDefinitions(text: string, takeOut: TakeOut): string {
  const used = new Set<string>();
  for (const [, name = ''] of text.matchAll(reference)) used.add(normal(name));
  return text
    .replace(footnote, (whole, name: string) =>
      used.has(normal(name)) ? whole : takeOut('footnote that nothing refers to', whole, true),
    )
    .replace(definition, (whole, start: string, name: string, title?: string) => {
      if (name.startsWith('^')) return whole;
      if (!used.has(normal(name))) return takeOut('link definition that nothing refers to', whole, true);
      return `${start}${title === undefined ? '' : takeOut('title of a link', title, false)}`;
    });
}

const normal = (name: string): string => name.replace(/\s+/g, ' ').trim().toLowerCase();
