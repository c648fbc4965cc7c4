import type { LocatedSymbol, SymbolsFound } from './search-symbols.ts';

const mostLineCharacters = 160;

/** Renders one symbol: `path:line:column kind name in …: text`. */
export function renderSymbol(symbol: LocatedSymbol): string {
  const { path, line, column, kind, name } = symbol;
  const where = renderContainers(symbol);
  const notes = [
    ...(symbol.declaration ? ['declared only'] : []),
    ...(symbol.local && symbol.role === 'reference' ? ['local variable'] : []),
    ...(symbol.generated ? ['generated'] : []),
  ];
  const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  return `${path}:${line}:${column} ${kind} ${name}${where}${note}: ${clampLine(symbol.text, column - 1)}`;
}

/** Renders the containers of a symbol: ` in method Server.listen`. Empty at the top of a file. */
function renderContainers({ containers }: LocatedSymbol): string {
  const inner = containers.at(-1);
  if (inner === undefined) return '';
  return ` in ${inner.kind} ${containers.map(({ name }) => name).join('.')}`;
}

/** Removes a line's indentation and cuts a long line around the name. */
function clampLine(text: string, at: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= mostLineCharacters) return trimmed;
  const start = Math.max(0, at - 60);
  const piece = text.slice(start, start + mostLineCharacters).trim();
  return `${start === 0 ? '' : '… '}${piece}${start + mostLineCharacters < text.length ? ' …' : ''}`;
}

const reasons: readonly (readonly [keyof SymbolsFound['omitted'], string])[] = [
  ['late', 'not looked at, since there are too many; narrow path, glob or language'],
  ['other', 'no code in a language that is understood here; use grep for them'],
  ['large', 'over 1 MiB'],
  ['minified', 'minified'],
  ['binary', 'with NUL bytes'],
  ['slow', 'that took too long to parse'],
  ['broken', 'that could not be parsed'],
];

/** Reports files that were not searched, and why. */
export function omittedNotes({ omitted, others = [] }: SymbolsFound): string[] {
  const more =
    omitted.more === undefined
      ? []
      : ['[more files have the name than could be listed; narrow path, glob or the name]'];
  const counted = reasons.flatMap(([reason, explanation]) => {
    const count = omitted[reason] ?? 0;
    if (count === 0) return [];
    const files = `${count} ${count === 1 ? 'file' : 'files'} with the name left out`;
    return [`[${files}${reason === 'other' ? namesOf(others, count) : ''}: ${explanation}]`];
  });
  return [...more, ...counted];
}

/** The first names of `count` files, in brackets. */
function namesOf(names: readonly string[], count: number): string {
  const more = count > names.length ? [`${count - names.length} more`] : [];
  return names.length === 0 ? '' : ` (${[...names, ...more].join(', ')})`;
}

/** Sorts definitions: real ones, then declarations, generated ones, and local variables. */
export function orderDefinitions(symbols: readonly LocatedSymbol[]): LocatedSymbol[] {
  return sorted(
    symbols.filter(({ role }) => role === 'definition'),
    ({ local, generated, declaration }) => (local ? 4 : 0) + (generated ? 2 : 0) + (declaration ? 1 : 0),
  );
}

/**
 * Sorts references by file, generated files last. References to a member come first if the receiver
 * matches the owner's name (`order.add` for `Order.add`) or is the own object. Types are not known.
 */
export function orderReferences(symbols: readonly LocatedSymbol[], owner?: string): LocatedSymbol[] {
  return sorted(
    symbols.filter(({ role }) => role === 'reference'),
    ({ local, generated, receiver }) =>
      (local ? 4 : 0) + (generated ? 2 : 0) + (owner === undefined || isOf(owner, receiver) ? 0 : 1),
  );
}

/** Sorts by rank, lowest first. The order is stable. */
function sorted(symbols: readonly LocatedSymbol[], rank: (symbol: LocatedSymbol) => number): LocatedSymbol[] {
  return [...symbols].sort((a, b) => rank(a) - rank(b));
}

function isOf(owner: string, receiver: string | null): boolean {
  const last = /[\p{L}\p{N}_]+$/u.exec(receiver ?? '')?.[0].toLowerCase();
  return last !== undefined && [owner.toLowerCase(), 'this', 'self', 'cls'].includes(last);
}
