import type { Finding } from '../../contract/findings.ts';

/** Lines of one file in a diff: added and unchanged ones on the right, deleted ones on the left. */
export type DiffLines = Readonly<Record<Finding['side'], ReadonlySet<number>>>;

/** Files of a diff, by their old and new names. */
export type DiffFiles = ReadonlyMap<string, DiffLines>;

/** Returns the lines of a git diff by file, under old and new names; null if unreadable. */
export async function diffLines(diff: string): Promise<DiffFiles | null> {
  const { parsePatch } = await import('diff');
  try {
    const files = parsePatch(diff).flatMap((file) => {
      const lines = linesOfHunks(file.hunks);
      return [file.oldFileName, file.newFileName]
        .filter((name) => name !== undefined && name !== '/dev/null')
        .map((name) => [String(name).replace(/^[ab]\//, ''), lines] as const);
    });
    return files.length === 0 ? null : new Map(files);
  } catch {
    return null;
  }
}

function linesOfHunks(
  hunks: readonly { oldStart: number; newStart: number; lines: readonly string[] }[],
): DiffLines {
  const lines = { LEFT: new Set<number>(), RIGHT: new Set<number>() };
  for (const { oldStart, newStart, lines: marked } of hunks) {
    let [left, right] = [oldStart, newStart];
    for (const [mark] of marked) {
      if (mark === '\\') continue;
      if (mark === '-') lines.LEFT.add(left);
      else lines.RIGHT.add(right++);
      if (mark !== '+') left += 1;
    }
  }
  return lines;
}

/** Explains why a location is not in the diff; null if it is. */
export function notInDiff(
  diff: DiffFiles,
  { path, line, start_line, side }: Pick<Finding, 'path' | 'line' | 'start_line' | 'side'>,
): string | null {
  const lines = diff.get(path)?.[side];
  if (lines === undefined) return 'the change under review does not touch this file';
  const outside = [start_line ?? line, line].find((one) => !lines.has(one));
  if (outside === undefined) return null;
  return lines.size === 0
    ? `the diff shows no lines of side ${side} of this file`
    : `the diff does not show line ${outside} of side ${side}, but ${ranges([...lines], outside)}`;
}

/** True if a range includes lines that the diff does not show. */
export function spansParts(
  diff: DiffFiles | null,
  { path, line, start_line, side }: Pick<Finding, 'path' | 'line' | 'start_line' | 'side'>,
): boolean {
  const lines = diff?.get(path)?.[side];
  if (lines === undefined || start_line === undefined || !lines.has(start_line)) return false;
  for (let at = start_line; at < line; at++) if (!lines.has(at)) return true;
  return false;
}

/** Removes an `a/` or `b/` that a model copied from a diff's header. */
export function withoutPrefix(diff: DiffFiles | null, path: string): string {
  const bare = path.replace(/^[ab]\//, '');
  return diff !== null && !diff.has(path) && diff.has(bare) ? bare : path;
}

/** Renders ranges: `1-4, 9, 12-20`; of more than ten, those around a line. */
function ranges(lines: readonly number[], around: number): string {
  const found: [number, number][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last !== undefined && line === last[1] + 1) last[1] = line;
    else found.push([line, line]);
  }
  const after = found.findIndex(([from]) => from > around);
  const start = Math.max(0, Math.min((after === -1 ? found.length : after) - 5, found.length - 10));
  const part = found.slice(start, start + 10);
  const rendered = part.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return [...(start > 0 ? ['…'] : []), ...rendered, ...(start + 10 < found.length ? ['…'] : [])].join(', ');
}
