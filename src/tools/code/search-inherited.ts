import { type LocatedSymbol, type SymbolSearch, type SymbolsFound, searchSymbols } from './search-symbols.ts';

type SymbolServices = Parameters<typeof searchSymbols>[1];

/** A result found under other owners than requested, and the explanation for the model. */
export interface InheritedSymbols {
  readonly found: SymbolsFound;
  readonly note: string;
}

/** Maximum classes searched on the way up. */
const mostClasses = 8;

/**
 * Finds a member that its owner does not define. Searches the owner's base classes, and theirs, by
 * name alone. Otherwise the outermost owner is taken for a package (`cobra.Command`), unless it is
 * a definition of another kind. Null if nothing defines the member.
 */
export async function searchInherited(
  search: SymbolSearch,
  services: SymbolServices,
): Promise<InheritedSymbols | null> {
  const { query } = search;
  const owner = query.owners.at(-1);
  if (owner === undefined) return null;
  const classes = [owner];
  for (let index = 0; index < classes.length && index < mostClasses; index += 1) {
    const name = classes[index] ?? owner;
    const own = await named(name, search, services);
    for (const base of own.flatMap(basesOf)) {
      if (classes.includes(base)) continue;
      classes.push(base);
      const found = await searchSymbols({ ...search, query: { ...query, owners: [base] } }, services);
      if (definesAny(found))
        return { found, note: `[${owner} has no ${query.name} of its own and inherits it from ${base}]` };
    }
  }
  const outer = query.owners[0] ?? owner;
  const others = await named(outer, search, services);
  if (others.some(({ role, kind, local }) => role === 'definition' && kind !== 'module' && !local))
    return null;
  const inner = query.owners.slice(1);
  const found = await searchSymbols({ ...search, query: { ...query, owners: inner } }, services);
  const own = found.symbols.filter(
    ({ role, containers }) => role === 'reference' || inner.length > 0 || containers.length === 0,
  );
  if (!definesAny({ symbols: own })) return null;
  return {
    found: { ...found, symbols: own },
    note: `[${outer} was taken for the name of a package]`,
  };
}

async function named(
  name: string,
  search: SymbolSearch,
  services: SymbolServices,
): Promise<readonly LocatedSymbol[]> {
  const query = { name, prefix: false, owners: [], written: name };
  return (await searchSymbols({ ...search, query }, services)).symbols;
}

function definesAny({ symbols }: Pick<SymbolsFound, 'symbols'>): boolean {
  return symbols.some(({ role, local }) => role === 'definition' && !local);
}

/** Words between a class name and its bases, in any language. */
const noBases = new Set([
  'extends',
  'implements',
  'public',
  'private',
  'protected',
  'virtual',
  'with',
  'metaclass',
  'object',
]);

/** Returns the base names on the first line of a class. */
function basesOf({ role, kind, text, name, column }: LocatedSymbol): string[] {
  if (role !== 'definition' || (kind !== 'class' && kind !== 'interface')) return [];
  const after = text.slice(column - 1 + name.length).replace(/<[^<>]*>/g, '');
  const list = /^\s*(?:\(([^)]*)\)|(?:extends|implements|:|<)\s*([^{]*))/.exec(after);
  const words = (list?.[1] ?? list?.[2] ?? '').match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return words.filter((word) => !noBases.has(word)).slice(0, mostClasses);
}
