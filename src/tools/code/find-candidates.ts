import type { Workspace } from '../../workspace/workspace.ts';
import { escapeRegex } from '../search/escape-regex.ts';
import { definitionPattern, namePart } from '../search/finder-patterns.ts';
import type { SearchRoot } from '../search/search-root.ts';
import { searchText } from '../search/search-text.ts';
import type { NameQuery } from './grammars/syntax-symbol.ts';

/** More files than this are put into an order first, so that time runs out on the least likely ones. */
const manyFiles = 300;

/** Files to parse, the likeliest first. */
export interface Candidates {
  readonly paths: readonly string[];
  /** True when there are more files with the name than the text search could tell. */
  readonly more: boolean;
}

/**
 * The files that have a name in their text, as the text searches see files: ignored ones and those with credentials
 * are left out. Where they are many, those with lines that look like its definition come first.
 */
export async function findCandidates(
  workspace: Workspace,
  roots: readonly SearchRoot[],
  query: NameQuery & { readonly glob: string | undefined },
  signal: AbortSignal,
): Promise<Candidates> {
  const { name, prefix, glob, anywhere = false } = query;
  // A name that ends in `?` or `!` is no whole word to the programs.
  const word = !prefix && /^\w.*\w$|^\w$/.test(name);
  const one = {
    regex: false,
    caseSensitive: query.ignoreCase !== true,
    wordMatch: word,
    glob,
    maxMatches: 1,
    context: 0,
  };
  const written = anywhere ? { ...one, regex: true, pattern: namePart(name) } : { ...one, pattern: name };
  const found = await searchText(workspace, roots, written, signal);
  const all = found.lines.map(({ path }) => path);
  const more = found.dropped > 0 || found.unfinished !== null || found.problems.length > 0;
  if (!more && all.length <= manyFiles) return { paths: all, more };
  const defining = {
    ...one,
    regex: true,
    wordMatch: false,
    pattern: definitionPattern(anywhere ? namePart(name) : escapeRegex(name)),
  };
  const likely = await searchText(workspace, roots, defining, signal);
  return { paths: [...new Set([...likely.lines.map(({ path }) => path), ...all])], more };
}
