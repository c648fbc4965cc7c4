import { type FindQuery, linesFound } from '../search/find.ts';
import { aroundMatch, type FoundLine } from '../search/found-line.ts';
import type { SearchRoot } from '../search/search-root.ts';
import type { SyntaxParser } from '../services/syntax-parser.ts';
import { byPlace } from './by-place.ts';
import { searchSymbols } from './search-symbols.ts';

type Services = Parameters<typeof linesFound>[2] & { readonly syntax: SyntaxParser };

/** The lines that define names with a word in them, and which files they speak for. */
interface SyntaxLines {
  readonly lines: readonly FoundLine[];
  /** True for a file that was read by its syntax, so that no other guess about it counts. */
  readonly covers: (path: string) => boolean;
}

/**
 * Lines that define a name that has the query in it, for `finder` and `repo_search`: by the syntax where a file has
 * one, else by what the line looks like. The rest of the answer is as `linesFound` gives it.
 */
export async function definitionLines(
  query: FindQuery,
  roots: readonly SearchRoot[],
  services: Services,
): ReturnType<typeof linesFound> {
  const looked = await linesFound({ ...query, mode: 'symbols' }, roots, services);
  const syntax = await bySyntax(query, roots, services);
  if (syntax === null) return looked;
  const known = new Set(syntax.lines.map(({ path, line }) => `${path}:${line}`));
  const others = looked.lines.filter(
    ({ path, line }) => !syntax.covers(path) && !known.has(`${path}:${line}`),
  );
  return { ...looked, lines: [...syntax.lines, ...others].sort(byPlace) };
}

/** Definitions that are not local. Null where the query is no name, or this machine has no parser. */
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
