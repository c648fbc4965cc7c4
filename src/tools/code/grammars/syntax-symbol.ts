/** What a definition makes, in words that hold for every language: a struct is a class, a trait an interface. */
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

/** What a use of a name does with it. */
export type ReferenceKind = 'call' | 'import' | 'type' | 'write' | 'use';

/** What surrounds a name: its function, the class around that, and so on, outermost first. */
export interface Container {
  readonly name: string;
  readonly kind: DefinitionKind;
}

/** One name in one file, and what it is there. Lines and columns count from 1, columns in UTF-16 units. */
export interface FoundSymbol {
  readonly name: string;
  readonly role: 'definition' | 'reference';
  readonly kind: DefinitionKind | ReferenceKind;
  readonly line: number;
  readonly column: number;
  readonly containers: readonly Container[];
  /** True for variables and parameters of a function or block, and for what refers to such a one. */
  readonly local: boolean;
  /** True for a definition without a body: a prototype, an overload, a signature. */
  readonly declaration: boolean;
  /** What stands before the dot, as it is written: `this`, `server`; null where the name stands alone. */
  readonly receiver: string | null;
}

/** What is looked for in a file: one name, or all that start with it. */
export interface NameQuery {
  readonly name: string;
  readonly prefix: boolean;
  /** True where letters of another case will do. */
  readonly ignoreCase?: boolean;
  /** True where it may stand anywhere in a name, and underscores do not count. */
  readonly anywhere?: boolean;
}

/** One file for the parser. `grammar` names a WebAssembly file: `tree-sitter-<grammar>.wasm`. */
export interface SyntaxRequest {
  readonly grammar: string;
  readonly text: string;
  readonly query: NameQuery;
}

/** The names of one file in the order of the text; `cut` tells that there were more than the parser reports. */
export interface SyntaxAnswer {
  readonly symbols: readonly FoundSymbol[];
  readonly cut: boolean;
  /** False where parts of the text are no syntax of the language; what is whole around them was read. */
  readonly sound: boolean;
}
