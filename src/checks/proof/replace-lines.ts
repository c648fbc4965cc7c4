/** Lines of a file, counted from 1, both included, and the lines that take their place; none: they go away. */
export interface Replacement {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly after: readonly string[];
}

/**
 * A text after suggested changes were accepted as GitHub does it: whole lines are replaced, all counted in the text as it was.
 * Null where one lies beyond the text's end, or two share a line.
 */
export function replaceLines(text: string, replacements: readonly Replacement[]): string | null {
  let lines = text.split('\n');
  const count = text.endsWith('\n') ? lines.length - 1 : lines.length;
  let above = Number.POSITIVE_INFINITY;
  for (const { firstLine, lastLine, after } of replacements.toSorted((a, b) => b.firstLine - a.firstLine)) {
    if (firstLine < 1 || firstLine > lastLine || lastLine > count || lastLine >= above) return null;
    above = firstLine;
    // A last line without a line end leaves no empty line behind where it goes away.
    const whole = firstLine === 1 && lastLine === lines.length && after.length === 0;
    lines = [...lines.slice(0, firstLine - 1), ...(whole ? [''] : after), ...lines.slice(lastLine)];
  }
  return lines.join('\n');
}

/** Whether two replacements of one file share a line, so that only one of them can be accepted. */
export function meets(a: Replacement, b: Replacement): boolean {
  return a.firstLine <= b.lastLine && b.firstLine <= a.lastLine;
}
