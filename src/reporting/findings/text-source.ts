import type { HunkMap } from '../diff/hunk-map.ts';
import type { ReviewPorts } from '../posting/ports.ts';
import type { LineSource } from './line-context.ts';

/** The head's files as far as they can be read, else what the diff shows of them; deleted lines are the diff's. */
export async function textSource(
  paths: Iterable<string>,
  sha: string,
  map: HunkMap,
  { readText }: Pick<ReviewPorts, 'readText'>,
): Promise<LineSource> {
  const wanted = [...new Set(paths)];
  const texts = await Promise.all(wanted.map(async (path) => [path, await readText(path, sha)] as const));
  const files = new Map(texts.flatMap(([path, text]) => (text === null ? [] : [[path, numbered(text)]])));
  return {
    lines: (path, side) =>
      side === 'RIGHT' ? (files.get(path) ?? map.lines(path, side)) : map.lines(path, side),
  };
}

/** The lines of a text by number. */
export function numbered(text: string): ReadonlyMap<number, string> {
  return new Map(text.split('\n').map((line, index) => [index + 1, line]));
}
