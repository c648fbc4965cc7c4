import type { Span } from './match-lines.ts';

/**
 * Returns a function that gives new text (`\n` endings) the line endings of the file; pieces must
 * be given in order. Unchanged lines keep their ending, also in a file that mixes them. New lines
 * end as the piece's first line does, or the line it is in, or the one before.
 */
export function fileEndings(file: string): (piece: Span, text: string) => string {
  if (!file.includes('\r\n')) return (_, text) => text;
  /** The first newline from the last piece on, so that many pieces need one scan. */
  let newline: number | null = null;
  return (piece, text) => {
    if (!text.includes('\n')) return text;
    if (newline === null || (newline !== -1 && newline < piece.start))
      newline = file.indexOf('\n', piece.start);
    const last = newline === -1 ? file.lastIndexOf('\n') : newline;
    return withFileEndings(file, piece, text, file[last - 1] === '\r' ? '\r' : '');
  };
}

function withFileEndings(file: string, { start, end }: Span, text: string, ending: '\r' | ''): string {
  const piece = file.slice(start, end).split('\n');
  const bare = piece.map((line) => line.replace(/\r$/, ''));
  const next = text.split('\n');
  const shorter = Math.min(bare.length, next.length);
  let [before, after] = [0, 0];
  while (before < shorter && bare[before] === next[before]) before += 1;
  while (after < shorter - before && bare[bare.length - 1 - after] === next[next.length - 1 - after])
    after += 1;
  return next
    .map((line, index) => {
      // The text after the last line is the file's own.
      if (index === next.length - 1) return line;
      const place = index < before ? index : index - next.length + bare.length;
      const stays = (index < before || index >= next.length - after) && place < bare.length - 1;
      const own = piece[place]?.endsWith('\r') ? '\r' : '';
      return line + (stays ? own : ending);
    })
    .join('\n');
}

/** Returns `\r` if the lines at an offset end with it, else an empty string. */
export function endingAt(file: string, start: number, end: number): '\r' | '' {
  const inside = file.indexOf('\n', start);
  const newline = inside !== -1 ? inside : file.lastIndexOf('\n', Math.min(start, end) - 1);
  return file[newline - 1] === '\r' ? '\r' : '';
}

/** Maps offsets in a text with `\n` endings to offsets in the original with `\r\n`. */
export function originalOffsets(text: string): (offset: number) => number {
  const removed: number[] = [];
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
    removed.push(at - removed.length);
  }
  return (offset) => {
    let low = 0;
    let high = removed.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((removed[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  };
}
