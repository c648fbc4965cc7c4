import type { ShellSessions } from '../shell/sessions/sessions.ts';
import { confirmLines } from './confirm-lines.ts';
import { definitionPattern, isImport, namePart, searchWords } from './finder-patterns.ts';
import type { FoundLine } from './found-line.ts';
import { listFiles } from './list-files.ts';
import { globFilter } from './match-glob.ts';
import { type SearchPlaces, type SearchRoot, topOf } from './search-root.ts';
import { searchText } from './search-text.ts';
import { droppedNotes, escapeRegex, type TextResult } from './text-query.ts';

/** The query of `finder` and `repo_search`. */
export interface FindQuery {
  readonly query: string;
  readonly glob?: string | undefined;
  readonly case_sensitive: boolean;
}

type FindContext = SearchPlaces & {
  readonly signal: AbortSignal;
  readonly sessions: Pick<ShellSessions, 'list'>;
};

/** Maximum matches of one file, enough to count the omitted ones. */
const mostMatchesOfOneFile = 1000;

/** Finds files whose path contains every word of the query, or matches it as a glob. */
export async function filesNamed(
  query: FindQuery,
  roots: readonly SearchRoot[],
  { workspace, signal }: FindContext,
): Promise<{ readonly found: string[]; readonly truncated: boolean }> {
  const listings = await Promise.all(
    roots.map(async (root) => {
      const byGlob = query.glob === undefined ? () => true : globFilter(query.glob, root.path, topOf(root));
      const byQuery = pathQuery(query, root);
      const { paths, truncated } = await listFiles(workspace, root, { hidden: true, signal });
      return { found: paths.filter((path) => byGlob(path) && byQuery(path)), truncated };
    }),
  );
  return {
    found: listings.flatMap(({ found }) => found),
    truncated: listings.some(({ truncated }) => truncated),
  };
}

function pathQuery(query: FindQuery, root: SearchRoot): (path: string) => boolean {
  if (/[*?[\]{}]/.test(query.query)) return globFilter(query.query, root.path, topOf(root));
  const fold = (text: string): string => (query.case_sensitive ? text : text.toLowerCase());
  const words = fold(query.query).split(/\s+/);
  return (path) => words.every((word) => fold(path).includes(word));
}

/** Finds lines of text, likely definitions, or lines with the words of a question. */
export async function linesFound(
  query: FindQuery & { readonly mode: 'text' | 'symbols' | 'agent'; readonly regex?: boolean },
  roots: readonly SearchRoot[],
  { workspace, signal, sessions }: FindContext,
): Promise<{ readonly lines: readonly FoundLine[]; readonly result: TextResult; readonly notes: string[] }> {
  const text = {
    ...patternOf(query),
    caseSensitive: query.case_sensitive,
    wordMatch: false,
    glob: query.glob,
    maxMatches: mostMatchesOfOneFile,
    context: 0,
  };
  const result = await confirmLines(await searchText(workspace, roots, text, { signal }), {
    workspace,
    sessions,
  });
  const lines = query.mode === 'symbols' ? result.lines.filter((line) => !isImport(line.text)) : result.lines;
  return { lines, result, notes: droppedNotes(result, text) };
}

function patternOf(query: Parameters<typeof linesFound>[0]): { pattern: string; regex: boolean } {
  switch (query.mode) {
    case 'symbols':
      return { pattern: definitionPattern(namePart(query.query)), regex: true };
    case 'agent':
      return { pattern: searchWords(query.query).map(escapeRegex).join('|'), regex: true };
    default:
      return { pattern: query.query, regex: query.regex ?? false };
  }
}
