import type { Grammar, Step, SyntaxNode } from './grammars/grammar.ts';

/** The used part of a tree-sitter cursor. */
export interface SyntaxCursor {
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
export function nameWalk(cursor: SyntaxCursor, grammar: Grammar): (index: number) => Step[] | null {
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
