import type { Workspace } from '../../workspace/workspace.ts';
import { escapeRegex } from '../search/escape-regex.ts';
import { definitionPattern, namePart } from '../search/finder-patterns.ts';
import type { SearchRoot } from '../search/search-root.ts';
import { searchText } from '../search/search-text.ts';
import type { NameQuery } from './grammars/syntax-symbol.ts';

/** Above this many files, likely ones are sorted first, as time may run out. */
const manyFiles = 300;

/** Files to parse, the likeliest first. */
export interface Candidates {
  readonly paths: readonly string[];
  /** True if more files have the name than the text search could list. */
  readonly more: boolean;
}

/**
 * Finds the files that contain a name, as the text searches see files: ignored files and
 * credentials are excluded. If there are many, files with lines that look like its definition come
 * first.
 */
export async function findCandidates(
  workspace: Workspace,
  roots: readonly SearchRoot[],
  query: NameQuery & { readonly glob: string | undefined },
  signal: AbortSignal,
): Promise<Candidates> {
  const { name, prefix, glob, anywhere = false } = query;
  // A name that ends in `?` or `!` is no whole word to the search programs.
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
