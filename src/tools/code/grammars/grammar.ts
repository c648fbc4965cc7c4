import type { Container, DefinitionKind } from './syntax-symbol.ts';

/** The used part of a tree-sitter node. Indexes count UTF-16 units; rows and columns start at 0. */
export interface SyntaxNode {
  readonly id: number;
  readonly type: string;
  readonly text: string;
  readonly isNamed: boolean;
  /** True if a descendant could not be parsed. */
  readonly hasError: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: { readonly row: number; readonly column: number };
  readonly endPosition: { readonly row: number; readonly column: number };
  readonly namedChildren: readonly (SyntaxNode | null)[];
  childForFieldName(name: string): SyntaxNode | null;
  descendantsOfType(types: string | string[]): (SyntaxNode | null)[];
}

/** A node on the path from the root to a name, with its field in the parent (empty for none). */
export interface Step {
  readonly node: SyntaxNode;
  readonly field: string;
}

/** Location of a name that may be a definition. */
export interface Place {
  readonly name: SyntaxNode;
  /** The node that defines. */
  readonly node: SyntaxNode;
  /** The nodes between it and the name, nearest to the name first: patterns, declarators. */
  readonly through: readonly SyntaxNode[];
  /** The nodes above it, root first. */
  readonly above: readonly Step[];
}

/** A kind, or a function that decides it. Null if the location defines nothing. */
export type KindRule = DefinitionKind | ((place: Place) => DefinitionKind | null);

/**
 * Describes one language by tables of node types, so that no full walk of the tree is needed. A
 * name is classified from its leaf upwards.
 */
export interface Grammar {
  /** Types of leaves that are names. */
  readonly names: readonly string[];
  /** Prefix of a name that is not part of it, such as `$` in PHP. */
  readonly sigil?: RegExp;
  /** Per node type and field (empty for children without one), the kind that the name defines. */
  readonly definitions: Readonly<Record<string, Readonly<Record<string, KindRule>>>>;
  /** Node types a name may lie in within such a field, and the field that holds it; `*` for any. */
  readonly patterns: Readonly<Record<string, string>>;
  /** Definitions that contain others. Each returns what it adds to the path, null for nothing. */
  readonly containers: Readonly<Record<string, (node: SyntaxNode) => readonly Container[] | null>>;
  /** Nodes whose variables are known only within them. */
  readonly scopes: readonly string[];
  /** Nodes that define by assignment. Only the first in a scope defines; the others write. */
  readonly assigns: readonly string[];
  /** Definitions with a body, by the field of the body. One without it is a declaration. */
  readonly bodies: Readonly<Record<string, string>>;
  /** Nodes that never have a body. */
  readonly signatures: readonly string[];
  /** Nodes that access a member: the field of its name, and that of the receiver. */
  readonly members: Readonly<Record<string, readonly [name: string, receiver: string]>>;
  /** Nodes that call, and the field of the callee. */
  readonly calls: Readonly<Record<string, string>>;
  /** Nodes that assign, and the field of the target. */
  readonly writes: Readonly<Record<string, string>>;
  readonly imports: readonly string[];
  /** Leaves, or their parents, that denote a type. */
  readonly types: readonly string[];
}

/** Returns a container named by the text of a field. */
export function named(
  kind: DefinitionKind,
  field = 'name',
): (node: SyntaxNode) => readonly Container[] | null {
  return (node) => {
    const name = node.childForFieldName(field)?.text;
    return name === undefined ? null : [{ name, kind }];
  };
}

/** Builds a table of containers from the node types of each kind. */
export function containersOf(
  kinds: Partial<Record<DefinitionKind, readonly string[]>>,
): Record<string, (node: SyntaxNode) => readonly Container[] | null> {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, types]) =>
      types.map((type) => [type, named(kind as DefinitionKind)] as const),
    ),
  );
}

/** Builds a table of definitions for nodes with their name in the field `name`. */
export function namedDefinitions(
  kinds: Partial<Record<DefinitionKind, readonly string[]>>,
): Record<string, Record<string, KindRule>> {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, types]) =>
      types.map((type) => [type, { name: kind as DefinitionKind }] as const),
    ),
  );
}

/** Removes type arguments, pointers and other decoration: `*Server[T]` becomes `Server`. */
export function bareName(text: string): string {
  return /[\p{L}_$][\p{L}\p{N}_$]*/u.exec(text.replace(/<.*$|\[.*$/s, ''))?.[0] ?? text;
}
