/**
 * Kind of a definition, in terms that hold for every language: a struct is a class, a trait an
 * interface.
 */
export type DefinitionKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'module'
  | 'macro'
  | 'constant'
  | 'variable'
  | 'field'
  | 'parameter';

/** Kind of a use of a name. */
export type ReferenceKind = 'call' | 'import' | 'type' | 'write' | 'use';

/** A definition that contains a name: its function, then its class, and so on; outermost first. */
export interface Container {
  readonly name: string;
  readonly kind: DefinitionKind;
}

/**
 * One name in one file, and its meaning there. Lines and columns start at 1; columns count UTF-16
 * units.
 */
export interface FoundSymbol {
  readonly name: string;
  readonly role: 'definition' | 'reference';
  readonly kind: DefinitionKind | ReferenceKind;
  readonly line: number;
  readonly column: number;
  readonly containers: readonly Container[];
  /** True for variables and parameters of a function or block, and for references to them. */
  readonly local: boolean;
  /** True for a definition without a body: a prototype, an overload, a signature. */
  readonly declaration: boolean;
  /** The text before the dot, such as `this` or `server`. Null if the name has no receiver. */
  readonly receiver: string | null;
}

/** A name to find in a file, or the prefix of several. */
export interface NameQuery {
  readonly name: string;
  readonly prefix: boolean;
  /** True to ignore case. */
  readonly ignoreCase?: boolean;
  /** True to match anywhere in a name, ignoring underscores. */
  readonly anywhere?: boolean;
}

/** One file for the parser. `grammar` names a WebAssembly file: `tree-sitter-<grammar>.wasm`. */
export interface SyntaxRequest {
  readonly grammar: string;
  readonly text: string;
  /** The names to find; null for the code alone. */
  readonly query: NameQuery | null;
}

/** The names of one file in text order. `cut` is true if there were more than the limit. */
export interface SyntaxAnswer {
  readonly symbols: readonly FoundSymbol[];
  readonly cut: boolean;
  /** False if parts of the text are invalid syntax; the valid parts around them were read. */
  readonly sound: boolean;
  /** The text without comments, as `codeWithoutComments` makes it, if no names were sought. */
  readonly code?: string;
}
