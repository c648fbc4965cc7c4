import { containersOf, type Grammar, namedDefinitions, type Place } from './grammar.ts';
import type { DefinitionKind } from './syntax-symbol.ts';

const containerTypes = {
  function: ['function_definition'],
  method: ['method_declaration'],
  class: ['class_declaration', 'trait_declaration'],
  interface: ['interface_declaration'],
  enum: ['enum_declaration'],
} as const;

export const php: Grammar = {
  names: ['name'],
  definitions: {
    ...namedDefinitions({
      ...containerTypes,
      constant: ['enum_case'],
      field: ['property_element', 'property_promotion_parameter'],
      parameter: ['simple_parameter', 'variadic_parameter', 'catch_clause'],
      module: ['namespace_definition'],
      variable: ['static_variable_declaration'],
    }),
    const_element: { '': 'constant' },
    assignment_expression: { left: 'variable' },
    foreach_statement: { '': loopKind },
  },
  patterns: { variable_name: '', list_literal: '*', pair: '', by_ref: '', namespace_name: '' },
  containers: containersOf(containerTypes),
  scopes: ['function_definition', 'method_declaration', 'arrow_function', 'anonymous_function'],
  assigns: ['assignment_expression', 'foreach_statement'],
  bodies: { method_declaration: 'body' },
  signatures: [],
  members: {
    member_access_expression: ['name', 'object'],
    nullsafe_member_access_expression: ['name', 'object'],
    member_call_expression: ['name', 'object'],
    nullsafe_member_call_expression: ['name', 'object'],
    scoped_call_expression: ['name', 'scope'],
    scoped_property_access_expression: ['name', 'scope'],
    class_constant_access_expression: ['', ''],
    qualified_name: ['', ''],
  },
  calls: {
    function_call_expression: 'function',
    member_call_expression: 'name',
    nullsafe_member_call_expression: 'name',
    scoped_call_expression: 'name',
    object_creation_expression: '',
    attribute: '',
  },
  writes: {
    assignment_expression: 'left',
    augmented_assignment_expression: 'left',
    update_expression: 'argument',
  },
  imports: ['namespace_use_declaration', 'use_declaration'],
  types: ['named_type', 'base_clause', 'class_interface_clause'],
};

/** Returns the kind for `foreach ($list as $key => $value)`: the first is read, others defined. */
function loopKind({ node, through }: Place): DefinitionKind | null {
  const first = node.namedChildren[0];
  const outermost = through.at(-1);
  return outermost === undefined || outermost.id === first?.id ? null : 'variable';
}
