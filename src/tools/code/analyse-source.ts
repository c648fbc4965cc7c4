import type { Grammar, Step, SyntaxNode } from './grammars/grammar.ts';
import type { FoundSymbol, NameQuery, SyntaxAnswer } from './grammars/syntax-symbol.ts';
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
    symbols: resolveLocalNames(names).filter(isFirstOfPair),
    cut: count > mostNames,
    sound: !tree.rootNode.hasError,
  };
}

/** Yields the offsets of the word in the text, in any role. */
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
function isFirstOfPair(symbol: FoundSymbol, index: number, all: readonly FoundSymbol[]): boolean {
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
function resolveLocalNames(names: readonly ReadName[]): FoundSymbol[] {
  const assigned = new Set<string>();
  const resolved = names.map((name) => {
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
  for (const { symbol, scope } of resolved) {
    if (scope !== null) scopes.set(symbol.name, [...(scopes.get(symbol.name) ?? []), scope]);
  }
  return resolved.map(({ symbol, apart, start }) => {
    if (symbol.role === 'definition' || apart) return symbol;
    const inside = scopes.get(symbol.name)?.some(([from, to]) => from <= start && start < to) === true;
    return inside ? { ...symbol, local: true } : symbol;
  });
}

/** The used part of a tree-sitter cursor. */
interface SyntaxCursor {
  readonly currentNode: SyntaxNode;
  readonly currentFieldName: string | null;
  readonly startIndex: number;
  readonly endIndex: number;
  gotoFirstChild(): boolean;
  gotoNextSibling(): boolean;
  gotoParent(): boolean;
}

/** Maximum depth. Deeper trees are generated or hostile, and every step down costs time. */
const deepest = 500;

/**
 * Finds the path from the root to the name at an index. Indexes must not fall between calls, so
 * that a tree is walked once for all of them. The name is the last step. Null if there is none (a
 * comment, a string, a keyword) or it lies too deep.
 */
function nameWalk(cursor: SyntaxCursor, grammar: Grammar): (index: number) => Step[] | null {
  const steps: Step[] = [{ node: cursor.currentNode, field: '' }];
  const here = (): Step => ({ node: cursor.currentNode, field: cursor.currentFieldName ?? '' });
  /** Leaves nodes that end before the index. */
  const forward = (index: number): void => {
    while (steps.length > 1 && cursor.endIndex <= index) {
      if (!nextEndingAfter(cursor, index)) {
        cursor.gotoParent();
        steps.pop();
      } else steps[steps.length - 1] = here();
    }
  };
  return (index) => {
    forward(index);
    while (cursor.startIndex <= index && index < cursor.endIndex && steps.length <= deepest) {
      if (!cursor.gotoFirstChild()) break;
      if (cursor.endIndex <= index && !nextEndingAfter(cursor, index)) {
        cursor.gotoParent();
        return null;
      }
      steps.push(here());
    }
    const leaf = steps.at(-1)?.node;
    const found = leaf !== undefined && leaf.startIndex <= index && index < leaf.endIndex;
    return found && grammar.names.includes(leaf.type) && leaf.namedChildren.length === 0 ? [...steps] : null;
  };
}

/** Moves to the next sibling that ends after an index; otherwise to the last sibling. */
function nextEndingAfter(cursor: SyntaxCursor, index: number): boolean {
  while (cursor.gotoNextSibling()) if (cursor.endIndex > index) return true;
  return false;
}
