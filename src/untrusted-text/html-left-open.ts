/** HTML that a blank line does not end (CommonMark, "HTML blocks", kinds 1 to 5), with what ends it. */
const lasting =
  /<!--|<!\[CDATA\[|<\?|<![a-z]|<(script|style|textarea|pre|template|title|noscript|iframe|math|svg)\b/gi;

/** What ends the HTML that a line leaves open; null where it leaves none. */
export function htmlLeftOpen(line: string): string | null {
  let closing: string | null = null;
  const lower = line.toLowerCase();
  // The last place of each end of HTML on the line: looked for once, however often HTML begins.
  const lastOf = new Map<string, number>();
  for (const match of line.matchAll(lasting)) {
    const name = match[1]?.toLowerCase();
    const ends =
      name !== undefined ? `</${name}` : match[0] === '<!--' ? '--' : match[0].startsWith('<?') ? '?>' : '>';
    const last = lastOf.get(ends) ?? lower.lastIndexOf(ends);
    lastOf.set(ends, last);
    if (last < match.index + match[0].length) closing = ends;
  }
  return closing;
}
