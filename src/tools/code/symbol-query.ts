import { ToolError } from '../../contract/errors.ts';
import type { FoundSymbol, NameQuery } from './grammars/syntax-symbol.ts';

/** What was asked for: a name, and what it has to lie in, outermost first. */
export interface SymbolQuery extends NameQuery {
  readonly owners: readonly string[];
  /** As it was written. */
  readonly written: string;
}

/**
 * Reads `name`, `Class.method`, `Class#method`, `(*Class).method`, `ns::name`, `$object->name` and, for all that start alike, `name*`;
 * a call's brackets behind the name are dropped. Throws `ToolError` for what names nothing.
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
    throw new ToolError(
      'invalid_input',
      `"${written}" is not the name of a symbol. Give a name (parse), a member (Parser.parse) or the start of one (parse*); for other text use grep.`,
    );
  }
  return { name, prefix, owners: parts.filter((part) => part !== ''), written: plain };
}

/**
 * Whether a symbol lies in what the query names: owners may leave out some in between, and what stands by
 * itself in a file belongs to the file and its folders.
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
