/** A piece of a text by offsets, the end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text by its lines (`\n` endings), with folded forms made on demand. */
export interface FileLines {
  readonly content: string;
  readonly lines: readonly string[];
  /** The lines in a folded form, made once per fold. */
  folded(fold: (line: string) => string): readonly string[];
  /**
   * Returns the offsets of `count` whole lines from index `first`. Includes the last newline if
   * requested and present.
   */
  span(first: number, count: number, withNewline: boolean): Span;
}

/** Splits a text into lines. */
export function fileLines(content: string): FileLines {
  const lines = content.split('\n');
  const forms = new Map<(line: string) => string, readonly string[]>();
  let starts: Uint32Array | null = null;
  const startOf = (line: number): number => {
    starts ??= startsOf(lines);
    return starts[line] ?? content.length + 1;
  };
  return {
    content,
    lines,
    folded(fold) {
      const form = forms.get(fold) ?? lines.map(fold);
      forms.set(fold, form);
      return form;
    },
    span(first, count, withNewline) {
      const next = startOf(first + count);
      return { start: startOf(first), end: withNewline && next <= content.length ? next : next - 1 };
    },
  };
}

function startsOf(lines: readonly string[]): Uint32Array {
  const starts = new Uint32Array(lines.length);
  let start = 0;
  for (const [index, line] of lines.entries()) {
    starts[index] = start;
    start += line.length + 1;
  }
  return starts;
}
