/**
 * The end of an HTML tag, from behind its name: `>` in a quoted value ends none (HTML Standard, "Tokenization"). Where it has none,
 * `in value` for a quote that is not closed, which hides whatever follows, else `in tag`. Takes time that grows with the length.
 */
export function htmlTagEnd(html: string, from: number): number | 'in value' | 'in tag' {
  const sign = /[>=]/g;
  const quoted = /=\s*(["'])/y;
  for (let at = from; ; ) {
    sign.lastIndex = at;
    const found = sign.exec(html);
    if (found === null) return 'in tag';
    if (found[0] === '>') return sign.lastIndex;
    quoted.lastIndex = found.index;
    const quote = quoted.exec(html)?.[1];
    const closing = quote === undefined ? found.index : html.indexOf(quote, quoted.lastIndex);
    if (closing === -1) return 'in value';
    at = closing + 1;
  }
}
