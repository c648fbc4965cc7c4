import { type FindQuery, linesFound } from '../search/find.ts';
import { aroundMatch, byLocation, type FoundLine } from '../search/found-line.ts';
import type { SearchRoot } from '../search/search-root.ts';
import type { SyntaxParser } from '../services/run-services.ts';
import { searchSymbols } from './search-symbols.ts';

type Services = Parameters<typeof linesFound>[2] & { readonly syntax: SyntaxParser };

/** Lines that define names containing a word, and the files they were read from. */
interface SyntaxLines {
  readonly lines: readonly FoundLine[];
  /** True for a file read by its syntax, so that no guess about it counts. */
  readonly covers: (path: string) => boolean;
}

/**
 * Finds lines that define a name containing the query, for `finder` and `repo_search`. Uses the
 * syntax of a file if it can be parsed, otherwise the look of the line. The rest of the answer is
 * that of `linesFound`.
 */
export async function definitionLines(
  query: FindQuery,
  roots: readonly SearchRoot[],
  services: Services,
): ReturnType<typeof linesFound> {
  const byText = await linesFound({ ...query, mode: 'symbols' }, roots, services);
  const syntax = await bySyntax(query, roots, services);
  if (syntax === null) return byText;
  const known = new Set(syntax.lines.map(({ path, line }) => `${path}:${line}`));
  const others = byText.lines.filter(
    ({ path, line }) => !syntax.covers(path) && !known.has(`${path}:${line}`),
  );
  return { ...byText, lines: [...syntax.lines, ...others].sort(byLocation) };
}

/** Finds definitions that are not local. Null if the query is no name or there is no parser. */
async function bySyntax(
  query: FindQuery,
  roots: readonly SearchRoot[],
  services: Services,
): Promise<SyntaxLines | null> {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(query.query)) return null;
  const name = {
    name: query.query,
    prefix: true,
    anywhere: true,
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
