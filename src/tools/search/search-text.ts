import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { FoundLine } from './found-line.ts';
import { globFilter } from './match-glob.ts';
import { parseGrep, parseRipgrep } from './parse-found-lines.ts';
import { ripgrepBase, ripgrepPath } from './ripgrep-path.ts';
import { runSearch, type SearchEnd } from './run-search.ts';
import type { SearchRoot } from './search-root.ts';

export interface TextQuery {
  readonly pattern: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly wordMatch: boolean;
  readonly glob: string | undefined;
  /** Matches shown of one file. */
  readonly maxMatches: number;
  /** Lines around each match. */
  readonly context: number;
}

/** What was found, sorted by path and line. */
export interface TextResult {
  readonly lines: readonly FoundLine[];
  /** True when more than 256 KiB was found, and the rest dropped. */
  readonly truncated: boolean;
  /** True when there was a match in a line of megabytes, which is not in `lines`. */
  readonly tooLong: boolean;
}

const resultBytes = 256 * 1024;

/** A program that can do the search, and how its answer is read. */
export interface TextSearch {
  readonly program: () => Promise<string>;
  readonly arguments: (root: SearchRoot, query: TextQuery) => string[];
  /** The lines of one line of output; null for one too long to be read. */
  readonly parse: (record: string) => FoundLine[] | null;
}

/** The programs that search text, best first. */
export const textSearches: readonly TextSearch[] = [
  { program: ripgrepPath, arguments: ripgrepArguments, parse: parseRipgrep },
  { program: async () => 'git', arguments: gitArguments, parse: parseGrep },
  { program: async () => 'grep', arguments: grepArguments, parse: parseGrep },
];

/**
 * Searches the text of files with ripgrep, else git, else grep. Ignored files (but by grep), binary files
 * and git's own folder are left out, hidden ones are not. Throws `ToolError('invalid_input')` with the
 * program's words for a pattern that is no regular expression.
 */
export async function searchText(
  workspace: Workspace,
  root: SearchRoot,
  query: TextQuery,
  signal: AbortSignal,
  searches: readonly TextSearch[] = textSearches,
): Promise<TextResult> {
  for (const search of searches) {
    const program = await search.program();
    const found = collect(query, root, search.parse);
    const output = await runSearch({
      program,
      arguments: search.arguments(root, query),
      cwd: workspace.root,
      signal,
      separator: '\n',
      onRecord: found.add,
    });
    // git fails with 128 where there is no repository; grep then does it.
    if (output === null || (program === 'git' && output.exitCode === 128 && !output.printed)) continue;
    refuseBadPattern(query, output);
    return found.result();
  }
  throw new ToolError('unavailable', 'No search program is installed here. Use read on files you know.');
}

/** Gathers what a search wants of the output, up to its ceiling, as it comes. */
function collect(query: TextQuery, root: SearchRoot, parse: TextSearch['parse']) {
  const keep = query.glob === undefined ? () => true : globFilter(query.glob, root.path);
  const lines: FoundLine[] = [];
  let bytes = 0;
  let tooLong = false;
  return {
    add(record: string): boolean {
      const parsed = parse(record);
      tooLong ||= parsed === null;
      for (const line of parsed ?? []) {
        if (!keep(line.path)) continue;
        bytes += Buffer.byteLength(line.path) + Buffer.byteLength(line.text) + 8;
        if (bytes > resultBytes) return false;
        lines.push(line);
      }
      return true;
    },
    result(): TextResult {
      const sorted = lines.sort(byPlace);
      return { lines: capped(sorted, query.maxMatches), truncated: bytes > resultBytes, tooLong };
    },
  };
}

function ripgrepArguments(root: SearchRoot, query: TextQuery): string[] {
  // A literal with a newline would be taken for two patterns, so it goes as an escaped expression.
  const multiline = query.pattern.includes('\n') || (query.regex && query.pattern.includes('\\n'));
  const literal = !query.regex && !multiline;
  return [
    ...ripgrepBase,
    ...['--json', '--hidden', '--engine=auto'],
    ...(literal ? ['--fixed-strings'] : []),
    ...(multiline ? ['--multiline'] : []),
    ...(query.caseSensitive ? [] : ['--ignore-case']),
    ...(query.wordMatch ? ['--word-regexp'] : []),
    `--max-count=${query.maxMatches}`,
    `--context=${query.context}`,
    ...globArguments(query.glob),
    ...['-e', query.regex || literal ? query.pattern : escapeRegex(query.pattern), '--', root.path],
  ];
}

/**
 * ripgrep's own `--glob` overrides ignore files, a type does not; a type knows names only, so that other
 * globs are applied to the answer. An exclusion overrides nothing and may go as it is.
 */
function globArguments(glob: string | undefined): string[] {
  if (glob === undefined) return [];
  if (glob.startsWith('!')) return [`--glob=${glob}`];
  return glob.includes('/') ? [] : [`--type-add=wanted:${glob}`, '--type=wanted'];
}

function gitArguments(root: SearchRoot, query: TextQuery): string[] {
  return [
    ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', 'grep', '--untracked'],
    ...['--no-color', '--no-textconv', '-I', '-n', '--column', '--null', query.regex ? '-E' : '-F'],
    ...sharedFlags(query),
    ...['-e', query.pattern, '--', root.path],
  ];
}

function grepArguments(root: SearchRoot, query: TextQuery): string[] {
  return [
    ...['-r', '-H', '-I', '-n', '-Z', '--exclude-dir=.git', query.regex ? '-E' : '-F'],
    ...sharedFlags(query),
    ...['-e', query.pattern, '--', root.path],
  ];
}

function sharedFlags(query: TextQuery): string[] {
  return [...(query.caseSensitive ? [] : ['-i']), ...(query.wordMatch ? ['-w'] : []), `-C${query.context}`];
}

/** A refused pattern prints nothing but its complaint; a file that cannot be read does not stop the others. */
function refuseBadPattern(query: TextQuery, output: SearchEnd): void {
  if ((output.exitCode ?? 0) < 2 || output.printed) return;
  throw new ToolError(
    'invalid_input',
    `The pattern "${query.pattern}" was refused: ${output.stderr.trim()}\n${
      query.regex ? 'Correct the expression, or set regex to false to search for it literally.' : ''
    }`.trim(),
  );
}

/** ripgrep counts lines for the limit of a file; the others do not count at all. */
function capped(lines: readonly FoundLine[], maxMatches: number): FoundLine[] {
  const counts = new Map<string, number>();
  return lines.filter((found) => {
    const count = counts.get(found.path) ?? 0;
    if (found.match) counts.set(found.path, count + 1);
    return count < maxMatches;
  });
}

function byPlace(a: FoundLine, b: FoundLine): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line;
}

/** Text as an expression that matches just it. */
export function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
