/** An opening tag as CommonMark reads it ("Raw HTML"): its name, and its attributes as they are written. */
export interface Tag {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly value: string; readonly text: string }[];
  /** `/` or '' before the closing bracket. */
  readonly slash: string;
}

const attribute = /\s+([a-z_:@][\w:.@-]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/iy;
const tagEnd = /\s*(\/?)>/y;

/** The opening tags of a text, in order. The time grows with the length of the text. */
export function openingTags(text: string): Tag[] {
  const tags: Tag[] = [];
  // Of a value whose quote is never closed the end is looked for once.
  const closed = { '"': text.lastIndexOf('"'), "'": text.lastIndexOf("'") };
  for (const match of text.matchAll(/<([a-z][a-z0-9-]*)(?=[\s/>])/gi)) {
    if (match.index < (tags.at(-1)?.end ?? 0)) continue;
    let at = match.index + match[0].length;
    const attributes: Tag['attributes'][number][] = [];
    while (attributes.length < 100) {
      const quote = /^\s{1,20}[\w:.@-]{1,100}\s{0,20}=\s{0,20}(["'])/.exec(text.slice(at, at + 300));
      if (quote !== null && closed[quote[1] as '"' | "'"] < at + quote[0].length) break;
      attribute.lastIndex = at;
      const found = attribute.exec(text);
      if (found === null) break;
      attributes.push({ name: (found[1] ?? '').toLowerCase(), value: found[2] ?? '', text: found[0] });
      at += found[0].length;
    }
    tagEnd.lastIndex = at;
    const end = tagEnd.exec(text);
    if (end === null) continue;
    const name = (match[1] ?? '').toLowerCase();
    tags.push({ start: match.index, end: at + end[0].length, name, attributes, slash: end[1] ?? '' });
  }
  return tags;
}
