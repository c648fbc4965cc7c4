import type { Grammar, Step, SyntaxNode } from './grammars/grammar.ts';

/** What is used of tree-sitter's cursors. */
export interface SyntaxCursor {
  readonly currentNode: SyntaxNode;
  readonly currentFieldName: string | null;
  readonly startIndex: number;
  readonly endIndex: number;
  gotoFirstChild(): boolean;
  gotoNextSibling(): boolean;
  gotoParent(): boolean;
}

/** Deeper trees are made by machines, or to hurt: every step down costs time. */
const deepest = 500;

/**
 * Finds the way from the root to the name at an index, for one index after another: they must not fall, so that
 * a tree is walked once for all of them, however wide it is. The name is the last step; null where none lies there
 * (a comment, a text, a keyword), or too deep.
 */
export function nameWalk(cursor: SyntaxCursor, grammar: Grammar): (index: number) => Step[] | null {
  const steps: Step[] = [{ node: cursor.currentNode, field: '' }];
  const here = (): Step => ({ node: cursor.currentNode, field: cursor.currentFieldName ?? '' });
  /** Leaves what ends before the index, for what comes after it. */
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

/** Moves to the next sibling that ends after an index; without one, to the last. */
function nextEndingAfter(cursor: SyntaxCursor, index: number): boolean {
  while (cursor.gotoNextSibling()) if (cursor.endIndex > index) return true;
  return false;
}
