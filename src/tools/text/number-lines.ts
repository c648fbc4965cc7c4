const maximumLineLength = 2000;

/** What was shown of a file, and what was left out. */
export interface NumberedLines {
  readonly text: string;
  /** Number of the last line shown; `start - 1` when none was. */
  readonly end: number;
  /** True when the byte ceiling cut something off. */
  readonly truncated: boolean;
}

/**
 * Numbers lines as `N<tab>text`, from line `start` (counted from 1) on, within a ceiling in bytes. A line
 * over 2,000 characters is clamped and says so, so that one minified line does not cost the whole answer.
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

/** A line of at most 2,000 characters, with a note of how many more it has. */
function clampLine(line: string): string {
  if (line.length <= maximumLineLength) return line;
  // A cut through a pair of surrogates would leave half a character, which is no text.
  return `${line.slice(0, maximumLineLength).toWellFormed()} … [${line.length - maximumLineLength} more characters]`;
}
