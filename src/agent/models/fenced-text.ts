const opening = /^(`{3,}|~{3,})([\w+-]*)[ \t]*$/;
const hereDocument = /(?<!<)<<(?!<)(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([A-Za-z_][\w.-]*))/g;

/** The line that opens a code fence: its marker, which closes it too, and its language in lower case. */
export interface Fence {
  readonly marker: string;
  readonly language: string;
}

/** The fence a line opens, or null. */
export function fenceOf(line: string): Fence | null {
  const [, marker, language = ''] = opening.exec(line) ?? [];
  return marker === undefined ? null : { marker, language: language.toLowerCase() };
}

/** Whether a fence is said to hold a shell script. */
export function holdsShell(fence: Fence | null): boolean {
  return /^(?:bash|sh|shell|zsh)$/.test(fence?.language ?? '');
}

/**
 * Counts the lines from index `from` on that belong to the here-documents of the shell line before them, terminators included
 * (POSIX, Shell Command Language, 2.7.4). One without its terminator is none: `<<` has other meanings. `looks` counts those.
 */
export function countHereDocumentLines(
  line: string,
  lines: readonly string[],
  from: number,
  looks: { most: number },
): number {
  let length = 0;
  for (const [, dash, single, double, bare] of line.matchAll(hereDocument)) {
    const word = single ?? double ?? bare;
    let end = from + length;
    if (looks.most > 0) while (end < lines.length && ended(lines[end] ?? '', dash === '-') !== word) end += 1;
    if (looks.most <= 0 || end >= lines.length) {
      looks.most -= 1;
      break;
    }
    length = end + 1 - from;
  }
  return length;
}

/** A line as it may end a here-document. */
function ended(line: string, dash: boolean): string {
  return dash ? line.replace(/^\t+/, '') : line;
}

/**
 * Where the fence ends that opened before `from`: the index of its closing line, or of the end of the lines
 * when it has none. In shell, a here-document may hold fences of its own.
 */
export function endOfFence(lines: readonly string[], from: number, fence: Fence, shell: boolean): number {
  const looks = { most: 100 };
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line.trimEnd() === fence.marker) return index;
    if (shell) index += countHereDocumentLines(line, lines, index + 1, looks);
  }
  return lines.length;
}
