/** A line number as `read` and other agents' tools prefix it to a line. */
const numbered = /^\s*L?(\d+)(?:\t|: ?|\| ?|→)/;

/**
 * Removes the line number of each line. Null if a line has none or they do not rise, so that text
 * with numbers of its own stays intact.
 */
export function withoutLineNumbers(text: string): string | null {
  const lines = text.split('\n');
  const bare: string[] = [];
  let last = -1;
  for (const [index, line] of lines.entries()) {
    if (line === '' && index === lines.length - 1) {
      bare.push(line);
      continue;
    }
    const number = Number(numbered.exec(line)?.[1] ?? -1);
    if (number <= last) return null;
    last = number;
    bare.push(line.replace(numbered, ''));
  }
  return last === -1 ? null : bare.join('\n');
}
