import { bareName, type Grammar, named, namedDefinitions, type Place, type SyntaxNode } from './grammar.ts';
import type { Container, DefinitionKind } from './syntax-symbol.ts';

/** C and C++. One grammar serves both: the one for C++ reads nearly all of C. */
export const cpp: Grammar = {
  names: [
    'identifier',
    'field_identifier',
    'type_identifier',
    'namespace_identifier',
    'statement_identifier',
  ],
  definitions: {
    ...namedDefinitions({
      module: ['namespace_definition', 'namespace_alias_definition'],
      type: ['alias_declaration'],
      constant: ['enumerator', 'preproc_def'],
      macro: ['preproc_function_def'],
    }),
    // Without a body it is only a mention: `struct node *next`.
    class_specifier: { name: specifierKind('class') },
    struct_specifier: { name: specifierKind('class') },
    union_specifier: { name: specifierKind('class') },
    enum_specifier: { name: specifierKind('enum') },
    function_definition: { declarator: 'function' },
    declaration: { declarator: declaredKind('variable') },
    field_declaration: { declarator: declaredKind('field') },
    parameter_declaration: { declarator: 'parameter' },
    optional_parameter_declaration: { declarator: 'parameter' },
    variadic_parameter_declaration: { declarator: 'parameter' },
    for_range_loop: { declarator: 'variable' },
    type_definition: { declarator: 'type' },
    type_parameter_declaration: { '': 'parameter' },
    preproc_params: { '': 'parameter' },
    structured_binding_declarator: { '': 'variable' },
    lambda_capture_initializer: { left: 'variable' },
  },
  patterns: {
    pointer_declarator: 'declarator',
    reference_declarator: '',
    array_declarator: 'declarator',
    function_declarator: 'declarator',
    parenthesized_declarator: '',
    init_declarator: 'declarator',
    attributed_declarator: '',
    qualified_identifier: 'name',
    destructor_name: '',
    template_function: 'name',
    variadic_declarator: '',
  },
  containers: {
    namespace_definition: named('module'),
    class_specifier: withBody('class'),
    struct_specifier: withBody('class'),
    union_specifier: withBody('class'),
    enum_specifier: withBody('enum'),
    function_definition: functionContainers,
    // A typedef names an unnamed structure.
    type_definition: (node) => {
      const name = node.childForFieldName('declarator');
      const type = node.childForFieldName('type');
      const unnamed = type?.childForFieldName('name') === null && type.childForFieldName('body') !== null;
      return unnamed && name?.type === 'type_identifier' ? [{ name: name.text, kind: 'class' }] : null;
    },
  },
  scopes: [
    'function_definition',
    'lambda_expression',
    'compound_statement',
    'for_statement',
    'for_range_loop',
    'if_statement',
    'catch_clause',
    'template_declaration',
    'preproc_function_def',
  ],
  assigns: [],
  bodies: {},
  signatures: ['declaration', 'field_declaration'],
  members: {
    field_expression: ['field', 'argument'],
    qualified_identifier: ['name', 'scope'],
    field_designator: ['', ''],
    template_function: ['name', ''],
    template_type: ['name', ''],
  },
  calls: { call_expression: 'function', new_expression: 'type' },
  writes: { assignment_expression: 'left', update_expression: 'argument' },
  imports: ['using_declaration'],
  types: ['type_identifier'],
};

function withBody(kind: DefinitionKind): (node: SyntaxNode) => readonly Container[] | null {
  return (node) => (node.childForFieldName('body') === null ? null : named(kind)(node));
}

function specifierKind(kind: DefinitionKind): (place: Place) => DefinitionKind | null {
  return ({ node, above }) =>
    node.childForFieldName('body') !== null || isForward(above.at(-1)?.node) ? kind : null;
}

/** Distinguishes `class A;` from `struct a *b`, where the specifier is part of a declaration. */
function isForward(parent: SyntaxNode | undefined): boolean {
  return (
    parent === undefined ||
    ['translation_unit', 'declaration_list', 'template_declaration'].includes(parent.type)
  );
}

function declaredKind(plain: 'variable' | 'field'): (place: Place) => DefinitionKind | null {
  return ({ node, through, above }) => {
    // A friend is declared elsewhere.
    if (above.at(-1)?.node.type === 'friend_declaration') return null;
    // Within a function it is nearly always a variable with arguments: `Order order(1)`.
    const inFunction = above.some((step) => step.node.type === 'compound_statement');
    if (isFunction(through)) return inFunction ? 'variable' : 'function';
    return node.namedChildren.some((child) => child?.text === 'constexpr') ? 'constant' : plain;
  };
}

/** Distinguishes `int f(int)`, a function, from `int (*f)(int)`, a pointer variable. */
function isFunction(through: readonly SyntaxNode[]): boolean {
  const index = through.findIndex((node) => node.type === 'function_declarator');
  return index !== -1 && through.slice(0, index).every((node) => node.type !== 'parenthesized_declarator');
}

/** Returns the containers of a qualified name: `int ns::K::m()` defines `m` of `K` of `ns`. */
function functionContainers(node: SyntaxNode): readonly Container[] | null {
  let at = node.childForFieldName('declarator');
  while (at !== null && at.type !== 'function_declarator') {
    at =
      at.childForFieldName('declarator') ??
      at.namedChildren.find((child) => /declarator/.test(child?.type ?? '')) ??
      null;
  }
  const name = at?.childForFieldName('declarator')?.text;
  if (name === undefined) return null;
  const words = name.replaceAll(/<[^<>]*>/g, '').split('::');
  return words.map((word, index) =>
    index === words.length - 1
      ? { name: word.trim(), kind: 'function' }
      : { name: bareName(word), kind: 'class' },
  );
}
