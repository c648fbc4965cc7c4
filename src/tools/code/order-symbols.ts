import type { PlacedSymbol } from './search-symbols.ts';

/** Definitions as they matter: real ones, then declarations, then generated ones, then local variables. */
export function orderDefinitions(symbols: readonly PlacedSymbol[]): PlacedSymbol[] {
  return sorted(
    symbols.filter(({ role }) => role === 'definition'),
    ({ local, generated, declaration }) => (local ? 4 : 0) + (generated ? 2 : 0) + (declaration ? 1 : 0),
  );
}

/** References file by file, generated files last. */
export function orderReferences(symbols: readonly PlacedSymbol[]): PlacedSymbol[] {
  return sorted(
    symbols.filter(({ role }) => role === 'reference'),
    ({ local, generated }) => (local ? 2 : 0) + (generated ? 1 : 0),
  );
}

/** Those of lower rank first, else as they come. */
function sorted(symbols: readonly PlacedSymbol[], rank: (symbol: PlacedSymbol) => number): PlacedSymbol[] {
  return [...symbols].sort((a, b) => rank(a) - rank(b));
}
