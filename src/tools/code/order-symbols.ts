import type { PlacedSymbol } from './search-symbols.ts';

/** Sorts definitions: real ones, then declarations, generated ones, and local variables. */
export function orderDefinitions(symbols: readonly PlacedSymbol[]): PlacedSymbol[] {
  return sorted(
    symbols.filter(({ role }) => role === 'definition'),
    ({ local, generated, declaration }) => (local ? 4 : 0) + (generated ? 2 : 0) + (declaration ? 1 : 0),
  );
}

/**
 * Sorts references by file, generated files last. References to a member come first if the receiver
 * matches the owner's name (`order.add` for `Order.add`) or is the own object. Types are not known.
 */
export function orderReferences(symbols: readonly PlacedSymbol[], owner?: string): PlacedSymbol[] {
  return sorted(
    symbols.filter(({ role }) => role === 'reference'),
    ({ local, generated, receiver }) =>
      (local ? 4 : 0) + (generated ? 2 : 0) + (owner === undefined || isOf(owner, receiver) ? 0 : 1),
  );
}

/** Sorts by rank, lowest first. The order is stable. */
function sorted(symbols: readonly PlacedSymbol[], rank: (symbol: PlacedSymbol) => number): PlacedSymbol[] {
  return [...symbols].sort((a, b) => rank(a) - rank(b));
}

function isOf(owner: string, receiver: string | null): boolean {
  const last = /[\p{L}\p{N}_]+$/u.exec(receiver ?? '')?.[0].toLowerCase();
  return last !== undefined && [owner.toLowerCase(), 'this', 'self', 'cls'].includes(last);
}
