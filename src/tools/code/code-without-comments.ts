import type { SyntaxNode } from './grammars/grammar.ts';

/** A comment that a compiler or kernel reads: `#!/bin/sh`, `//go:embed`, `// +build`. */
const directive = /^(?:#!|\/\/go:|\/\/ ?\+build\b|\/\/export )/;

/** A node, with the children that a cursor would visit. */
type Node = Pick<SyntaxNode, 'type' | 'text' | 'startIndex' | 'endIndex' | 'namedChildren'>;

/**
 * Returns a text without comments, empty lines and white space at the end of lines, and in Python
 * without docstrings. Two texts with the same result do the same. A comment with an effect stays.
 */
export function codeWithoutComments(root: Node, text: string, grammar: string): string {
  const isLeftOut = (node: Node) => isComment(node) || (grammar === 'python' && isDocstring(node));
  let code = '';
  let at = 0;
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isLeftOut(node)) {
      // A comment of Rust has the end of its line.
      code += `${text.slice(at, node.startIndex)}${node.text.endsWith('\n') ? '\n' : ''}`;
      at = node.endIndex;
    } else for (const child of node.namedChildren.toReversed()) if (child !== null) open.push(child);
  }
  return `${code}${text.slice(at)}`
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

const isComment = ({ type, text }: Node) => type.endsWith('comment') && !directive.test(text);

/** True for a statement that is a string without code in it. */
function isDocstring({ type, namedChildren: [only, ...others] }: Node): boolean {
  if (type !== 'expression_statement' || only?.type !== 'string' || others.length > 0) return false;
  return only.namedChildren.every((child) => child?.type !== 'interpolation');
}
