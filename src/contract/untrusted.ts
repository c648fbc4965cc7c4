/**
 * Location of a text on GitHub, as text for a report (`the description`, `a comment`), and its
 * author.
 */
export interface TextOrigin {
  readonly where: string;
  readonly author: string;
  /** True if no person wrote it. Default: a person did. */
  readonly bot?: true;
}

/** A text of others in a fence that names its origin and that the text cannot end. */
export function fenced(attributes: Readonly<Record<string, string>>, text: string): string {
  const names = Object.entries(attributes).map(
    ([name, value]) => `${name}="${value.replace(/["<>\n]/g, '')}"`,
  );
  // The text must not be able to end its own fence and speak from outside it.
  const escaped = text.trim().replace(/<(?=\s*\/?\s*untrusted)/gi, '&lt;');
  return `<untrusted ${names.join(' ')}>\n${escaped}\n</untrusted>`;
}

/**
 * Characters that change the direction of the following text (Unicode Standard Annex 9, "Explicit
 * Directional Embedding, Override, Isolate").
 */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Escapes characters that change the text direction (`\u202e`), for terminals and logs. JSON stays
 * JSON of the same value.
 */
export function showDirections(text: string): string {
  return text.replaceAll(turning, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

/**
 * The end of an HTML tag, from behind its name: `>` in a quoted value ends none (HTML Standard,
 * "Tokenization"). Without an end, `in value` for an unclosed quote, which hides the rest, else `in
 * tag`. Takes time that grows with the length.
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
