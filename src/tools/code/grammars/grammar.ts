import type { Container, DefinitionKind } from './syntax-symbol.ts';

/** What is used of a node of tree-sitter's trees. Indexes count UTF-16 units, rows and columns from 0. */
export interface SyntaxNode {
  readonly id: number;
  readonly type: string;
  readonly text: string;
  readonly isNamed: boolean;
  /** True where something below could not be read. */
  readonly hasError: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly startPosition: { readonly row: number; readonly column: number };
  readonly endPosition: { readonly row: number; readonly column: number };
  readonly namedChildren: readonly (SyntaxNode | null)[];
  childForFieldName(name: string): SyntaxNode | null;
  descendantsOfType(types: string | string[]): (SyntaxNode | null)[];
}

/** A node on the way from the root to a name, with the field of its parent that it stands in ('' for none). */
export interface Step {
  readonly node: SyntaxNode;
  readonly field: string;
}

/** Where a name was found that may be a definition. */
export interface Place {
  readonly name: SyntaxNode;
  /** The node that defines. */
  readonly node: SyntaxNode;
  /** What lies between it and the name, nearest to the name first: patterns, declarators. */
  readonly through: readonly SyntaxNode[];
  /** What lies above it, root first. */
  readonly above: readonly Step[];
}

/** A kind, or how it is decided; null where the place defines nothing after all. */
export type KindRule = DefinitionKind | ((place: Place) => DefinitionKind | null);

/**
 * How one language is read: tables by types of nodes, so that no walk over the whole tree is needed. A name is
 * looked at from its leaf upwards.
 */
export interface Grammar {
  /** Types of leaves that are names. */
  readonly names: readonly string[];
  /** What stands before a name and is no part of it, as `$` in PHP. */
  readonly sigil?: RegExp;
  /** Per type of node and field of it ('' for children without one), what the name there defines. */
  readonly definitions: Readonly<Record<string, Readonly<Record<string, KindRule>>>>;
  /** Nodes a name may lie in within such a field, and the field they hold it in; `*` for any. */
  readonly patterns: Readonly<Record<string, string>>;
  /** Definitions that others lie in; gives what it adds to the way there, null for nothing. */
  readonly containers: Readonly<Record<string, (node: SyntaxNode) => readonly Container[] | null>>;
  /** Nodes whose variables are known within them only. */
  readonly scopes: readonly string[];
  /** Nodes that define by assigning: only the first in a scope is a definition, the others write. */
  readonly assigns: readonly string[];
  /** Definitions that have a body, by the field of the body; one without is a declaration. */
  readonly bodies: Readonly<Record<string, string>>;
  /** Nodes that never have a body. */
  readonly signatures: readonly string[];
  /** Nodes that reach a member: the field of its name, and that of the receiver. */
  readonly members: Readonly<Record<string, readonly [name: string, receiver: string]>>;
  /** Nodes that call, and the field of what is called. */
  readonly calls: Readonly<Record<string, string>>;
  /** Nodes that assign, and the field of what is assigned to. */
  readonly writes: Readonly<Record<string, string>>;
  readonly imports: readonly string[];
  /** Leaves, or nodes right above one, that mean a type. */
  readonly types: readonly string[];
}

/** A container that is called what stands in a field of it. */
export function named(
  kind: DefinitionKind,
  field = 'name',
): (node: SyntaxNode) => readonly Container[] | null {
  return (node) => {
    const name = node.childForFieldName(field)?.text;
    return name === undefined ? null : [{ name, kind }];
  };
}

/** The types of nodes that hold each kind, as a table of containers. */
export function containersOf(
  kinds: Partial<Record<DefinitionKind, readonly string[]>>,
): Record<string, (node: SyntaxNode) => readonly Container[] | null> {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, types]) =>
      types.map((type) => [type, named(kind as DefinitionKind)] as const),
    ),
  );
}

/** A table of definitions for nodes that hold their name in the field `name`. */
export function namedDefinitions(
  kinds: Partial<Record<DefinitionKind, readonly string[]>>,
): Record<string, Record<string, KindRule>> {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, types]) =>
      types.map((type) => [type, { name: kind as DefinitionKind }] as const),
    ),
  );
}

/** A name without type arguments, pointers and other decoration: `*Server[T]` is `Server`. */
export function bareName(text: string): string {
  return /[\p{L}_$][\p{L}\p{N}_$]*/u.exec(text.replace(/<.*$|\[.*$/s, ''))?.[0] ?? text;
}
