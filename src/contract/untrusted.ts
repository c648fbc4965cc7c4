/** Where a text stood on GitHub, in words for a report: `the description`, `a comment`; and who wrote it. */
export interface TextOrigin {
  readonly where: string;
  readonly author: string;
  /** No person did; left out, one did. */
  readonly bot?: true;
}

/** A text of others in a fence that names where it is from and that it cannot end. */
export function fenced(attributes: Readonly<Record<string, string>>, text: string): string {
  const names = Object.entries(attributes).map(
    ([name, value]) => `${name}="${value.replace(/["<>\n]/g, '')}"`,
  );
  // The text must not be able to end its own fence and speak from outside it.
  const held = text.trim().replace(/<(?=\s*\/?\s*untrusted)/gi, '&lt;');
  return `<untrusted ${names.join(' ')}>\n${held}\n</untrusted>`;
}
