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
      /!\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\](?=[([])/g,
      (_, alternative: string) => `![${takeOut('alternative text', alternative, false)}]`,
    )
    .replace(
      /(\]\(\s*(?=\S)(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\(((?:[^()\\]|\\.)*)\))\s*\)/g,
      (_, link: string, double?: string, single?: string, round?: string) =>
        `${link}${takeOut('title of a link', double ?? single ?? round ?? '', false)})`,
    );
}

const definition =
  /^([ \t>]{0,40}\[((?:[^[\]\\\n]|\\.){1,200})\]:[ \t]{0,40}(?:\n[ \t]{0,40})?\S+)((?:[ \t]{1,40}|[ \t]{0,40}\n[ \t]{1,40})(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/gm;
const footnote = /^[ \t>]{0,40}\[(\^[^\]\s]{1,200})\]:[^\n]*(?:\n(?:[ \t]{2,}[^\n]*|(?=\n[ \t]{2,}\S)))*$/gm;

/** Definitions of links and footnotes that nothing refers to, which do not show; of the others their titles. */
export function stripDefinitions(text: string, takeOut: TakeOut): string {
  if (!/\]:/.test(text)) return text;
  const used = new Map<string, number>();
  for (const [, label = ''] of text.matchAll(/\[((?:[^[\]\\\n]|\\.){1,200})\](?!:)/g)) {
    used.set(normal(label), 1);
  }
  return text
    .replace(footnote, (whole, label: string) =>
      used.has(normal(label)) ? whole : takeOut('footnote that nothing refers to', whole, true),
    )
    .replace(definition, (whole, start: string, label: string, title?: string) => {
      if (label.startsWith('^')) return whole;
      if (!used.has(normal(label))) return takeOut('link definition that nothing refers to', whole, true);
      return `${start}${title === undefined ? '' : takeOut('title of a link', title, false)}`;
    });
}

const normal = (label: string): string => label.replace(/\s+/g, ' ').trim().toLowerCase();
