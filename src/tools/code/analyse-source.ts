import type { Grammar, SyntaxNode } from './grammars/grammar.ts';
import type { FoundSymbol, NameQuery, SyntaxAnswer } from './grammars/syntax-symbol.ts';
import { nameWalk, type SyntaxCursor } from './name-walk.ts';
import { type ReadName, readName } from './read-name.ts';

/** The used part of a tree-sitter tree. */
export interface SyntaxTree {
  readonly rootNode: SyntaxNode;
  walk(): SyntaxCursor & { delete(): void };
}

/** Maximum names analysed in one file. A file with more is a table of data. */
const mostNames = 5000;

/** Classifies each name in question in a parsed text. */
export function analyseSource(
  tree: SyntaxTree,
  text: string,
  grammar: Grammar,
  query: NameQuery,
): SyntaxAnswer {
  const cursor = tree.walk();
  const pathTo = nameWalk(cursor, grammar);
  const names: ReadName[] = [];
  let count = 0;
  for (const index of occurrences(text, query)) {
    count += 1;
    if (count > mostNames) break;
    const path = pathTo(index);
    const name = path === null ? null : readName(path, grammar);
    if (name !== null && wanted(name.symbol.name, query)) names.push(name);
  }
  cursor.delete();
  return {
    symbols: settle(names).filter(isNoEcho),
    cut: count > mostNames,
    sound: !tree.rootNode.hasError,
  };
}

/** Yields the offsets of the word in the text, whatever it means there. */
function* occurrences(text: string, query: NameQuery): Generator<number> {
  if (query.anywhere === true) {
    for (const match of text.matchAll(/[\p{L}\p{N}_]+/gu)) if (wanted(match[0], query)) yield match.index;
    return;
  }
  const word = query.name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_])${word}${query.prefix ? '' : '(?![\\p{L}\\p{N}_])'}`,
    `gu${query.ignoreCase === true ? 'i' : ''}`,
  );
  for (const match of text.matchAll(pattern)) yield match.index;
}

function wanted(name: string, query: NameQuery): boolean {
  const [given, sought] =
    query.ignoreCase === true ? [name.toLowerCase(), query.name.toLowerCase()] : [name, query.name];
  if (query.anywhere === true) return given.replaceAll('_', '').includes(sought.replaceAll('_', ''));
  return query.prefix ? given.startsWith(sought) : given === sought;
}

/** Excludes the second name in `a.run = function run() {}`, which nothing else can use. */
function isNoEcho(symbol: FoundSymbol, index: number, all: readonly FoundSymbol[]): boolean {
  const before = all[index - 1];
  return (
    symbol.role !== 'definition' ||
    before?.role !== 'definition' ||
    before.line !== symbol.line ||
    before.name !== symbol.name ||
    symbol.containers.at(-1)?.name !== symbol.name
  );
}

/** Classifies second assignments and references to local names, which needs all names of a file. */
function settle(names: readonly ReadName[]): FoundSymbol[] {
  const assigned = new Set<string>();
  const settled = names.map((name) => {
    if (name.assignKey === null) return name;
    const key = `${name.symbol.name} ${name.assignKey}`;
    if (!assigned.has(key)) {
      assigned.add(key);
      return name;
    }
    const symbol: FoundSymbol = { ...name.symbol, role: 'reference', kind: 'write' };
    return { ...name, symbol, scope: null, apart: name.symbol.kind === 'field' };
  });
  const scopes = new Map<string, (readonly [number, number])[]>();
  for (const { symbol, scope } of settled) {
    if (scope !== null) scopes.set(symbol.name, [...(scopes.get(symbol.name) ?? []), scope]);
  }
  return settled.map(({ symbol, apart, start }) => {
    if (symbol.role === 'definition' || apart) return symbol;
    const inside = scopes.get(symbol.name)?.some(([from, to]) => from <= start && start < to) === true;
    return inside ? { ...symbol, local: true } : symbol;
  });
}
