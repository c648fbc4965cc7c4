import { isCredentialPath } from '../../permissions/gate/credential-paths.ts';
import { byLocation, type FoundLine } from './found-line.ts';
import type { TextQuery, TextResult } from './text-query.ts';

/** Maximum bytes per location before sorting, so that the result does not depend on order. */
const bufferBytes = 8 * 1024 * 1024;
/** Maximum bytes of a result. */
const resultBytes = 256 * 1024;

/** The lines of one location, in order, before they are cut together with the others. */
export interface CollectedLines extends Omit<TextResult, 'dropped' | 'unfinished'> {
  /** True if there was more than fits into memory. */
  readonly overflowed: boolean;
}

/** Collects the lines a search wants from the output, up to the limit. */
export function collectLines(query: TextQuery, isWanted: (path: string) => boolean) {
  const lines: FoundLine[] = [];
  const verdicts = new Map<string, boolean>();
  const excluded = new Set<string>();
  let bytes = 0;
  let tooLong = false;
  const wanted = (path: string): boolean => {
    const known = verdicts.get(path);
    if (known !== undefined) return known;
    let verdict = isWanted(path);
    if (verdict && isCredentialPath(path) !== null) {
      excluded.add(path);
      verdict = false;
    }
    verdicts.set(path, verdict);
    return verdict;
  };
  return {
    /**
     * Takes the lines of one record, null for one too long. Returns false once nothing more is
     * wanted.
     */
    add(found: readonly FoundLine[] | null): boolean {
      tooLong ||= found === null;
      for (const line of found ?? []) {
        if (!wanted(line.path)) continue;
        if (bytes > bufferBytes) return false;
        bytes += line.path.length + line.text.length + 8;
        lines.push(line);
      }
      return true;
    },
    result(): CollectedLines {
      const capped = cap(lines.sort(byLocation), query);
      const sorted = [...excluded].sort();
      return {
        ...capped,
        hasLongLine: tooLong,
        excluded: sorted,
        problems: [],
        overflowed: bytes > bufferBytes,
      };
    },
  };
}

/** Joins the results of several locations, cut to 256 KiB in their order. */
export function joinLines(found: readonly CollectedLines[], timedOut: boolean): TextResult {
  const lines: FoundLine[] = [];
  let bytes = 0;
  let dropped = 0;
  for (const line of found.flatMap((one) => one.lines)) {
    bytes += Buffer.byteLength(line.path) + Buffer.byteLength(line.text) + 8;
    if (bytes <= resultBytes) lines.push(line);
    else if (line.match && line.continued !== true) dropped += 1;
  }
  const ended = found.some((one) => one.overflowed) ? 'size' : null;
  return {
    lines,
    dropped,
    unfinished: timedOut ? 'time' : ended,
    hasLongLine: found.some((one) => one.hasLongLine),
    capped: found.flatMap((one) => one.capped),
    excluded: found.flatMap((one) => one.excluded),
    problems: found.flatMap((one) => one.problems),
  };
}

/** Keeps at most `maxMatches` matches of each file, with their context lines. */
function cap(sorted: readonly FoundLine[], query: TextQuery): { lines: FoundLine[]; capped: string[] } {
  const files = [...Map.groupBy(sorted, ({ path }) => path)].map(([path, lines]) => ({
    path,
    ...capFile(lines, query),
  }));
  return {
    lines: files.flatMap(({ lines }) => lines),
    capped: files.filter(({ matches }) => matches > query.maxMatches).map(({ path }) => path),
  };
}

/** Keeps the first lines of one file, and counts its matches. */
function capFile(
  found: readonly FoundLine[],
  { maxMatches, context }: TextQuery,
): { lines: FoundLine[]; matches: number } {
  const lines: FoundLine[] = [];
  let matches = 0;
  let lastIncluded = 0;
  for (const line of found) {
    const full = matches >= maxMatches;
    if (line.match && line.continued !== true) matches += 1;
    if (line.match && matches <= maxMatches) lastIncluded = line.line;
    if (line.line <= lastIncluded || (!full && !line.match)) lines.push(line);
    else if (line.line <= lastIncluded + context) lines.push({ ...line, match: false });
  }
  return { lines, matches };
}
