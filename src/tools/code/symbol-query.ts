import { invalidInput } from '../../contract/errors.ts';
import type { FoundSymbol, NameQuery } from './grammars/syntax-symbol.ts';

/** A requested name and its owners, outermost first. */
export interface SymbolQuery extends NameQuery {
  readonly owners: readonly string[];
  /** The text as written. */
  readonly written: string;
}

/**
 * Parses `name`, `Class.method`, `Class#method`, `(*Class).method`, `ns::name`, `$object->name`
 * and, for a prefix, `name*`. Brackets of a call are dropped. Throws `ToolError` if it is no name.
 */
export function parseSymbolQuery(written: string): SymbolQuery {
  // Go writes a method with its receiver: `(*Command).Traverse`.
  const plain = written
    .trim()
    .replace(/^\(\s*[*&]?\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\)(?=\.)/u, '$1')
    .replace(/\(.*\)$/s, '');
  const parts = plain.split(/::|->|[.#\\]/).map((part) => part.replace(/^(?:[$@&]+)(?=[\p{L}_])/u, ''));
  const last = parts.pop() ?? '';
  const prefix = last.endsWith('*');
  const name = prefix ? last.slice(0, -1) : last;
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*[?!]?$/u.test(name)) {
    throw invalidInput(
      `"${written}" is not the name of a symbol. Give a name (parse), a member (Parser.parse) or the start of one (parse*); for other text use grep.`,
    );
  }
  return { name, prefix, owners: parts.filter((part) => part !== ''), written: plain };
}

/**
 * True if a symbol lies in the query's owners. Owners may skip levels, and a top-level symbol
 * belongs to its file and folders.
 */
export function liesIn(symbol: FoundSymbol, path: string, query: SymbolQuery): boolean {
  if (query.owners.length === 0) return true;
  const folders = path.replace(/\.[^./]+$/, '').split('/');
  const containers = symbol.containers.map(({ name }) => name);
  if (containers.length > 0 && containers.at(-1) !== query.owners.at(-1)) return false;
  return isSubsequence(query.owners, [...folders, ...containers]);
}

function isSubsequence(wanted: readonly string[], all: readonly string[]): boolean {
  let found = 0;
  for (const one of all) if (one === wanted[found]) found += 1;
  return found === wanted.length;
}
