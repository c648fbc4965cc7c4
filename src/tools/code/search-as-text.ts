import type { Workspace } from '../../workspace/workspace.ts';
import { escapeRegex } from '../search/escape-regex.ts';
import { definitionPattern, isImport } from '../search/finder-patterns.ts';
import type { FoundLine } from '../search/found-line.ts';
import type { SearchRoot } from '../search/search-root.ts';
import { searchText } from '../search/search-text.ts';
import { isTruncated } from '../search/text-query.ts';
import type { SymbolQuery } from './symbol-query.ts';

/**
 * Searches without a parser: lines with the name as a word, likely definitions apart. Names in
 * comments and strings are included.
 */
export async function searchAsText(
  workspace: Workspace,
  roots: readonly SearchRoot[],
  search: { readonly query: SymbolQuery; readonly glob: string | undefined; readonly signal: AbortSignal },
): Promise<{ definitions: FoundLine[]; references: FoundLine[]; truncated: boolean }> {
  const { query, glob, signal } = search;
  const name = escapeRegex(query.name);
  const ends = query.prefix ? '' : '(?!\\w)';
  const text = {
    pattern: query.prefix ? `\\b${name}` : query.name,
    regex: query.prefix,
    caseSensitive: true,
    wordMatch: !query.prefix,
    glob,
    maxMatches: 1000,
    context: 0,
  };
  const found = await searchText(workspace, roots, text, signal);
  const pattern = new RegExp(definitionPattern(`${name}${ends}`));
  const defines = (line: FoundLine) => pattern.test(line.text) && !isImport(line.text);
  return {
    definitions: found.lines.filter(defines),
    references: found.lines.filter((line) => !defines(line)),
    truncated: isTruncated(found),
  };
}
