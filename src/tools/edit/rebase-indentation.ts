/**
 * New text moved to where its old text really stood: where every line of the file's piece is indented by
 * the same whitespace more (or less) than the old text the model gave, the new lines are too. Otherwise the
 * new text stays as it was given.
 */
export function rebaseIndentation(wanted: string, found: string, replacement: string): string {
  const shift = sharedShift(wanted.split('\n'), found.split('\n'));
  if (shift === null) return replacement;
  const lines = replacement.split('\n');
  if (shift.add !== '') return lines.map((line) => (line.trim() === '' ? line : shift.add + line)).join('\n');
  if (!lines.every((line) => line.trim() === '' || line.startsWith(shift.remove))) return replacement;
  return lines.map((line) => (line.trim() === '' ? line : line.slice(shift.remove.length))).join('\n');
}

interface Shift {
  readonly add: string;
  readonly remove: string;
}

function sharedShift(wanted: readonly string[], found: readonly string[]): Shift | null {
  let shared: Shift | null = null;
  for (const [index, line] of wanted.entries()) {
    if (line.trim() === '') continue;
    const shift = shiftOf(indentOf(line), indentOf(found[index] ?? ''));
    if (shift === null) return null;
    if (shared !== null && (shared.add !== shift.add || shared.remove !== shift.remove)) return null;
    shared = shift;
  }
  return shared;
}

function shiftOf(wanted: string, found: string): Shift | null {
  if (found.endsWith(wanted)) return { add: found.slice(0, found.length - wanted.length), remove: '' };
  if (wanted.endsWith(found)) return { add: '', remove: wanted.slice(0, wanted.length - found.length) };
  return null;
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
