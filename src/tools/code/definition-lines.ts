import type { Workspace } from '../../workspace/workspace.ts';
import { aroundMatch, type FoundLine } from '../search/found-line.ts';
import type { SearchRoot } from '../search/search-root.ts';
import { searchSymbols } from './search-symbols.ts';
import type { SyntaxParser } from './syntax-parser.ts';

/** The lines that define names starting with a word, and which files they speak for. */
export interface DefinitionLines {
  readonly lines: readonly FoundLine[];
  /** True for a file that was read by its syntax, so that no other guess about it counts. */
  readonly covers: (path: string) => boolean;
}

/**
 * Finds by syntax what `finder` and `repo_search` find by the look of lines: definitions whose name starts with the
 * query, local ones left out. Null where the query is no name, or this machine has no parser.
 */
export async function definitionLines(
  query: { readonly query: string; readonly glob?: string | undefined; readonly case_sensitive: boolean },
  roots: readonly SearchRoot[],
  services: { readonly workspace: Workspace; readonly syntax: SyntaxParser; readonly signal: AbortSignal },
): Promise<DefinitionLines | null> {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(query.query)) return null;
  const name = {
    name: query.query,
    prefix: true,
    ignoreCase: !query.case_sensitive,
    owners: [],
    written: query.query,
  };
  const search = { roots, query: name, glob: query.glob, language: null };
  const found = await searchSymbols(search, services);
  if (!found.parser) return null;
  const definitions = found.symbols.filter(({ role, local }) => role === 'definition' && !local);
  const lines = new Map<string, FoundLine>();
  for (const { path, line, column, text } of definitions) {
    lines.set(`${path}:${line}`, { path, line, text: aroundMatch(text, column - 1), match: true });
  }
  return {
    lines: [...lines.values()],
    covers: (path) => found.sound.has(path),
  };
}
