import type { CodeRegion } from './code-regions.ts';
import { decodeEntities } from './decode-entities.ts';
import { outwardCommand } from './outward-commands.ts';

/**
 * Code as it is, closed. It is shown as text where GitHub would draw it with links that work (GitHub Docs, "Creating diagrams"), or offer
 * it as a change by a button: such a change has a field of its own, and is tried.
 */
export function shownCode(text: string, { start, end, whole, open }: CodeRegion): string {
  const code = text.slice(start, whole.end);
  const [, mark = '', info = ''] = /^(`{3,}|~{3,})[ \t]*(.*)\n$/.exec(text.slice(whole.start, start)) ?? [];
  const asText = mark !== '' && isActedOn(decodeEntities(info).trim(), text.slice(start, end));
  const head = asText ? `${mark}text\n` : text.slice(whole.start, start);
  return `${head}${code}${open === null ? '' : `${code.endsWith('\n') ? '' : '\n'}${open}`}`;
}

function isActedOn(word: string, code: string): boolean {
  if (/^suggestion/i.test(word)) return true;
  // What the word really is, a reference or an escape may hide.
  if (!/^(?:mermaid|math|geojson|topojson|stl)\b|[&\\]/i.test(word)) return false;
  // Readers of JSON and YAML turn escapes into slashes; formulas are full of commands that are none of these.
  const escapes = /^math\b/i.test(word) ? outwardCommand : /\\(?!n)/;
  return escapes.test(code) || leadsOut(code);
}

/** Whether a drawing may hold an address or a link, also where Mermaid (`#47;`) or HTML has references, or browsers skip white space. */
function leadsOut(code: string): boolean {
  const plain = decodeEntities(code.replace(/&?#(?=x?[\da-f]+;)/gi, '&#').replace(/&?#(?=[a-z]+;)/gi, '&'));
  const address = /\/\/|\b(?:https?|ftp|javascript):/i;
  return (
    address.test(plain) || address.test(plain.replace(/[\t\n]/g, '')) || /\bclick\b|\bhref\b/i.test(plain)
  );
}
