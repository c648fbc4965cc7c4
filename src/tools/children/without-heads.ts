/**
 * What another agent said, for a place where a line that begins with `== ` says who speaks: a hostile file can have an agent write
 * such a line, so its own stand a space further right.
 */
export function withoutHeads(text: string): string {
  return text.replaceAll(/^(?===)/gm, ' ');
}
