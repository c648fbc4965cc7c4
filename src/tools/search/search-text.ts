import { closeSync } from 'node:fs';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type CollectedLines, collectLines, joinLines } from './collect-lines.ts';
import { hasOuterRules, ignoreRules } from './ignore-rules.ts';
import { globFilter } from './match-glob.ts';
import { runSearch, type SearchEnd } from './run-search.ts';
import { prefixOf, type SearchRoot, topOf } from './search-root.ts';
import { spansLines, type TextSearch, textSearches } from './text-programs.ts';
import type { TextQuery, TextResult } from './text-query.ts';

/** The result of one root, and whether it timed out. */
interface Searched {
  readonly found: CollectedLines;
  readonly timedOut: boolean;
}

/**
 * Searches the text of files below one or several roots in parallel, with ripgrep, else git, else
 * grep. Excludes ignored and binary files, git's own folder and credentials; includes hidden files.
 * A root that cannot be searched beside others is reported in `problems`. Throws
 * `ToolError('invalid_input')` with the program's message for an invalid expression.
 */
export async function searchText(
  workspace: Workspace,
  roots: SearchRoot | readonly SearchRoot[],
  query: TextQuery,
  { signal, searches = textSearches }: TextSearchOptions,
): Promise<TextResult> {
  const job = { workspace, query, signal };
  const places = 'path' in roots ? [roots] : roots;
  const searched = await Promise.all(
    places.map((root) =>
      searchOne(job, root, searches).catch((error: unknown) => {
        // Fails without the workspace, but not without another repository.
        if (!(error instanceof ToolError) || root === places[0] || error.kind === 'invalid_input')
          throw error;
        return notSearched(`${root.path}: ${error.message}`);
      }),
    ),
  );
  return joinLines(
    searched.map(({ found }) => found),
    searched.some(({ timedOut }) => timedOut),
  );
}

interface TextSearchOptions {
  readonly signal: AbortSignal;
  /** The programs to try, best first. Default: ripgrep, git, grep. */
  readonly searches?: readonly TextSearch[];
}

interface SearchJob {
  readonly workspace: Workspace;
  readonly query: TextQuery;
  readonly signal: AbortSignal;
}

async function searchOne(
  job: SearchJob,
  root: SearchRoot,
  searches: readonly TextSearch[],
): Promise<Searched> {
  const { query } = job;
  for (const search of searches) {
    if (root.kind === 'file' && !search.standardInput) continue;
    if (spansLines(query) && !search.multiline) continue;
    const searched = await runOne(search, await search.program(), root, job);
    if (searched !== null) return searched;
  }
  const wanted = spansLines(query) ? 'searches over several lines' : 'searches text';
  throw new ToolError(
    'unavailable',
    `No program that ${wanted} is installed here. Use glob to find files and read to look into them.`,
  );
}

/** Runs one program; null if it does not exist. */
async function runOne(
  search: TextSearch,
  program: string,
  root: SearchRoot,
  { workspace, query, signal }: SearchJob,
): Promise<Searched | null> {
  const outer = hasOuterRules(workspace, root);
  const attempts = search.arguments(query, root.kind, outer);
  for (const [index, attempt] of attempts.entries()) {
    const lines = collectLines(query, filterFor(workspace, root, query, search.ignores && !outer));
    const opened = workspace.files.hold(root.path);
    let output: SearchEnd | null;
    try {
      output = await runSearch({
        program,
        arguments: attempt,
        searched: opened,
        signal,
        separator: '\n',
        onRecord: (record) => lines.add(named(search.parse(record), root)),
      });
    } finally {
      closeSync(opened.fd);
    }
    if (output === null) return null;
    const refused = (output.exitCode ?? 0) >= 2 && !output.printed && output.stderr.trim() !== '';
    if (output.broke) {
      const found = lines.result();
      const problem = `the rest of ${root.path}, because a file has very long lines with many matches, and ${program.split('/').at(-1)} needed too much memory; give a glob or a path that leaves it out`;
      return { found: { ...found, problems: [...found.problems, problem] }, timedOut: false };
    }
    if (!refused) return { found: lines.result(), timedOut: output.timedOut };
    if (index === attempts.length - 1) throw badPattern(query, output.stderr);
  }
  return null;
}

/** Returns the file filter: the glob, and the ignore rules unless the program applies them. */
function filterFor(
  workspace: Workspace,
  root: SearchRoot,
  query: TextQuery,
  knowsRules: boolean,
): (path: string) => boolean {
  const byGlob = query.glob === undefined ? () => true : globFilter(query.glob, root.path, topOf(root));
  if (knowsRules || root.kind === 'file') return byGlob;
  const ignores = ignoreRules(workspace.files, topOf(root));
  return (path) => byGlob(path) && !ignores(path, 'file');
}

/** Renames the paths of lines as the tools name them. */
function named<Line extends { readonly path: string }>(
  lines: readonly Line[] | null,
  root: SearchRoot,
): Line[] | null {
  if (root.kind === 'file') return lines?.map((line) => ({ ...line, path: root.path })) ?? null;
  const prefix = prefixOf(root);
  if (prefix === '') return lines === null ? null : [...lines];
  return lines?.map((line) => ({ ...line, path: `${prefix}${line.path}` })) ?? null;
}

function notSearched(problem: string): Searched {
  const found = { lines: [], hasLongLine: false, capped: [], excluded: [], problems: [problem] };
  return { found: { ...found, overflowed: false }, timedOut: false };
}

/**
 * Extracts one reason from a program's complaint. ripgrep also tries a second engine and prints
 * both messages. The second counts only for features that the first lacks.
 */
function shortReason(complaint: string): string {
  const [first] = /^error: .*/m.exec(complaint) ?? [];
  const [second] = /^PCRE2: .*/m.exec(complaint) ?? [];
  const counts = first === undefined || / not supported/.test(first) ? (second ?? first) : first;
  const reason = (counts ?? complaint).trim().replace(/^(?:error|PCRE2|(?:git )?grep): /, '');
  return reason.replace(/^error compiling pattern at offset \d+: /, '').replace(/\.$/, '');
}

/** Explains a refused pattern. An unreadable file does not stop a search. */
function badPattern(query: TextQuery, complaint: string): ToolError {
  const remedy = query.regex
    ? ' Put a backslash before each sign that stands for itself, or set regex to false to search for the text as it is.'
    : '';
  return invalidInput(`The pattern "${query.pattern}" was refused: ${shortReason(complaint)}.${remedy}`);
}
