import * as z from 'zod';
import { isBinary } from '../../workspace/files/is-binary.ts';
import { integer, unlessNull } from '../input/lenient.ts';
import { aroundMatch, type FoundLine, renderFoundLines } from '../search/found-line.ts';
import { escapeRegex } from '../search/text-query.ts';
import { splitLines } from '../text/text-file.ts';

/** Schema fields of a search in a few files. */
export const searchFields = {
  limit: unlessNull(integer(z.int().min(1).max(50))).describe('default 20, at most 50'),
  context_lines: unlessNull(integer(z.int().nonnegative().max(5))).describe('default 2, at most 5'),
};

/** Searches as `searchFiles`, and renders the matches with a note on the omitted ones. */
export async function searchOutput(
  files: Parameters<typeof searchFiles>[0],
  paths: readonly string[],
  args: {
    readonly query: string;
    readonly limit?: number | undefined;
    readonly context_lines?: number | undefined;
  },
  signal: AbortSignal,
) {
  const { query: text, limit = 20, context_lines: context = 2 } = args;
  const { lines, shown, total } = await searchFiles(files, paths, { text, limit, context }, signal);
  const data = { matches: shown, total };
  if (total === 0) return { content: `No match for "${text}".`, lines, snippets: '', data };
  const snippets = renderFoundLines(lines, context);
  const note = total > shown ? `\n[${shown} of ${total} matches; raise limit or narrow path]` : '';
  return { content: snippets + note, lines, snippets, data };
}

/** Matching lines with their context, and the number of all matches. */
interface StorageMatches {
  readonly lines: readonly FoundLine[];
  readonly shown: number;
  /** Matching lines in all files. */
  readonly total: number;
}

/**
 * Searches line by line, ignoring case. The run's own files are few and small, so they are read
 * here. A search program would also apply ignore files of the surrounding folders.
 */
export async function searchFiles(
  files: { read(path: string): Promise<{ readonly bytes: Buffer }> },
  paths: readonly string[],
  query: { readonly text: string; readonly limit: number; readonly context: number },
  signal: AbortSignal,
): Promise<StorageMatches> {
  const wanted = new RegExp(escapeRegex(query.text), 'iu');
  const found: FoundLine[] = [];
  let shown = 0;
  let total = 0;
  for (const path of paths) {
    signal.throwIfAborted();
    const { bytes } = await files.read(path);
    if (isBinary(bytes)) continue;
    const lines = splitLines(bytes.toString('utf8'));
    const places = lines.map((line) => wanted.exec(line)?.index ?? -1);
    const matches = places.flatMap((at, index) => (at === -1 ? [] : [index]));
    const some = matches.slice(0, query.limit - shown);
    total += matches.length;
    shown += some.length;
    for (const index of around(some, query.context, lines.length)) {
      const at = places[index] ?? -1;
      const text = aroundMatch(lines[index] ?? '', Math.max(at, 0));
      found.push({ path, line: index + 1, text, match: at !== -1 });
    }
  }
  return { lines: found, shown, total };
}

/** Returns the indexes given and their neighbours, each once, in order. */
function around(indices: readonly number[], context: number, count: number): number[] {
  const all = new Set<number>();
  for (const index of indices) {
    for (let at = Math.max(0, index - context); at <= Math.min(count - 1, index + context); at += 1)
      all.add(at);
  }
  return [...all].sort((a, b) => a - b);
}
