const maximumLineLength = 2000;

/** Numbered lines, and what was cut off. */
export interface NumberedLines {
  readonly text: string;
  /** Number of the last line; `start - 1` without any. */
  readonly end: number;
  /** True if the byte limit cut something off. */
  readonly truncated: boolean;
}

/**
 * Numbers lines as `N<tab>text` from line `start` (from 1), within a limit in bytes. A line over
 * 2,000 characters is cut with a note.
 */
export function numberLines(lines: readonly string[], start: number, maxBytes: number): NumberedLines {
  const shown: string[] = [];
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    const numbered = `${start + index}\t${clampLine(line)}`;
    const size = Buffer.byteLength(numbered) + 1;
    if (bytes + size > maxBytes) {
      const rest = Buffer.from(numbered)
        .subarray(0, Math.max(0, maxBytes - bytes))
        .toString('utf8');
      if (shown.length === 0) shown.push(rest.replace(/\ufffd+$/, ''));
      return { text: shown.join('\n'), end: start + shown.length - 1, truncated: true };
    }
    shown.push(numbered);
    bytes += size;
  }
  return { text: shown.join('\n'), end: start + shown.length - 1, truncated: false };
}

/** Cuts a line to 2,000 characters, with a note on the rest. */
function clampLine(line: string): string {
  if (line.length <= maximumLineLength) return line;
  // A cut through a surrogate pair would leave half a character.
  return `${line.slice(0, maximumLineLength).toWellFormed()} … [${line.length - maximumLineLength} more characters]`;
}
