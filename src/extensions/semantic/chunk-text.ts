/** Some lines of a file that are looked for as one. */
export interface Chunk {
  /** From 1, both included. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What most models for embeddings take as a whole, with room to spare. */
const mostCharacters = 1_600;
const mostLines = 50;

/** Cuts a text into chunks of whole lines, where a blank line stands if one does in their second half. Blank chunks are left out. */
export function chunkText(text: string): Chunk[] {
  const lines = text.split(/\r?\n/);
  const chunks: Chunk[] = [];
  for (let from = 0; from < lines.length; ) {
    const to = endOf(lines, from);
    const part = lines
      .slice(from, to)
      .map((line) => line.slice(0, mostCharacters))
      .join('\n');
    if (part.trim() !== '') chunks.push({ start: from + 1, end: to, text: part });
    from = to;
  }
  return chunks;
}

/** The index behind the last line of a chunk that begins at `from`. */
function endOf(lines: readonly string[], from: number): number {
  let size = 0;
  let to = from;
  while (to < lines.length && to - from < mostLines) {
    size += Math.min(lines[to]?.length ?? 0, mostCharacters) + 1;
    if (size > mostCharacters && to > from) break;
    to += 1;
  }
  if (to === lines.length) return to;
  const middle = from + Math.ceil((to - from) / 2);
  for (let at = to; at > middle; at -= 1) if (lines[at - 1]?.trim() === '') return at;
  return to;
}
