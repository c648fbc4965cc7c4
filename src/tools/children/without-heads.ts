/**
 * Indents lines that begin with `==` by a space. Lines that begin with `== ` name the speaker, and
 * a hostile file can make an agent write one.
 */
export function withoutHeads(text: string): string {
  return text.replaceAll(/^(?===)/gm, ' ');
}
