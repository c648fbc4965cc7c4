/** A piece of a text by offsets, the end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How a text was found, from most to least literal. */
export type Strategy =
  | 'exact'
  | 'indentation-flexible'
  | 'line-trimmed'
  | 'whitespace-normalized'
  | 'trimmed-boundary'
  | 'line-number-stripped';

/** Where the text stands, and the lines it was looked for as: without line numbers, say. */
export interface FoundText {
  readonly strategy: Strategy;
  readonly spans: readonly Span[];
  readonly wanted: string;
}

/**
 * Looks for `wanted` in `content` (both with `\n` endings), literally at first, then line by line with ever
 * more tolerance for whitespace, never for other characters. All places that the first successful way finds
 * are returned, so that the caller sees ambiguity; null when none does. Only literal search finds pieces of
 * lines or blank text.
 */
export function findText(content: string, wanted: string): FoundText | null {
  const exact = exactSpans(content, wanted);
  if (exact.length > 0) return { strategy: 'exact', spans: exact, wanted };
  if (wanted.trim() === '') return null;

  const lines = linesOf(content);
  const literal = tolerant(lines, wanted);
  if (literal !== null) return literal;
  const bounded = wanted.replace(/^(?:[ \t]*\n)+/, '').replace(/(?:\n[ \t]*)+$/, '');
  if (bounded !== wanted) {
    const found = tolerant(lines, bounded);
    if (found !== null) return { ...found, strategy: 'trimmed-boundary' };
  }
  const bare = withoutLineNumbers(wanted);
  if (bare === null) return null;
  const found = tolerant(lines, bare);
  return found === null ? null : { ...found, strategy: 'line-number-stripped' };
}

/** A text without the line numbers `read` and others put before each line; null when not every line has one. */
export function withoutLineNumbers(text: string): string | null {
  const numbered = /^\s*\d+(?:\t|: ?|\| ?|→)/;
  const lines = text.split('\n');
  if (!lines.every((line, index) => numbered.test(line) || (line === '' && index === lines.length - 1))) {
    return null;
  }
  return lines.map((line) => line.replace(numbered, '')).join('\n');
}

interface Line extends Span {
  readonly text: string;
}

function exactSpans(content: string, wanted: string): Span[] {
  const spans: Span[] = [];
  for (let at = content.indexOf(wanted); at !== -1; at = content.indexOf(wanted, at + wanted.length)) {
    spans.push({ start: at, end: at + wanted.length });
  }
  return spans;
}

function linesOf(content: string): Line[] {
  let start = 0;
  const lines = content.split('\n').map((text) => {
    const line = { text, start, end: start + text.length };
    start = line.end + 1;
    return line;
  });
  return lines;
}

const keys = {
  'line-trimmed': (line: string) => line.trim(),
  'whitespace-normalized': (line: string) => line.trim().replaceAll(/\s+/g, ' '),
} as const;

function tolerant(lines: readonly Line[], wanted: string): FoundText | null {
  const wantedLines = wanted.split('\n');
  const wholeLines = wanted.endsWith('\n');
  if (wholeLines) wantedLines.pop();
  const windows = (matches: (at: number) => boolean): Span[] => {
    const spans: Span[] = [];
    for (let at = 0; at + wantedLines.length <= lines.length; at += 1) {
      if (!matches(at)) continue;
      const first = lines[at];
      const last = lines[at + wantedLines.length - 1];
      if (first === undefined || last === undefined) continue;
      const newline = wholeLines && at + wantedLines.length < lines.length ? 1 : 0;
      spans.push({ start: first.start, end: last.end + newline });
      at += wantedLines.length - 1;
    }
    return spans;
  };

  const dedented = dedent(wantedLines);
  const trimmed = wantedLines.map(keys['line-trimmed']);
  const sameTrimmed = (at: number): boolean =>
    trimmed.every((text, index) => lines[at + index]?.text.trim() === text);
  const flexible = windows((at) => {
    if (!sameTrimmed(at)) return false;
    const window = dedent(lines.slice(at, at + wantedLines.length).map((line) => line.text));
    return window.every((text, index) => text === dedented[index]);
  });
  if (flexible.length > 0) return { strategy: 'indentation-flexible', spans: flexible, wanted };

  const loose = windows(sameTrimmed);
  if (loose.length > 0) return { strategy: 'line-trimmed', spans: loose, wanted };

  const normal = wantedLines.map(keys['whitespace-normalized']);
  const fileNormal = lines.map((line) => keys['whitespace-normalized'](line.text));
  const spans = windows((at) => normal.every((text, index) => fileNormal[at + index] === text));
  return spans.length > 0 ? { strategy: 'whitespace-normalized', spans, wanted } : null;
}

/** Lines without the indentation all of them share, and without whitespace at their ends. */
function dedent(lines: readonly string[]): string[] {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const shared = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(shared).trimEnd());
}
