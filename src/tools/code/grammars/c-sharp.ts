import { containersOf, type Grammar, namedDefinitions, type Place } from './grammar.ts';
import type { DefinitionKind } from './syntax-symbol.ts';

const containerTypes = {
  method: ['method_declaration', 'constructor_declaration', 'destructor_declaration'],
  function: ['local_function_statement'],
  class: ['class_declaration', 'struct_declaration', 'record_declaration'],
  interface: ['interface_declaration'],
  enum: ['enum_declaration'],
  module: ['namespace_declaration', 'file_scoped_namespace_declaration'],
} as const;

export const cSharp: Grammar = {
  names: ['identifier', 'implicit_parameter'],
  definitions: {
    ...namedDefinitions({
      ...containerTypes,
      type: ['delegate_declaration'],
      field: ['property_declaration', 'event_declaration'],
      constant: ['enum_member_declaration'],
      parameter: ['parameter', 'catch_declaration', 'type_parameter'],
      variable: ['declaration_pattern', 'declaration_expression', 'recursive_pattern'],
    }),
    variable_declarator: { name: variableKind },
    foreach_statement: { left: 'variable' },
    lambda_expression: { parameters: 'parameter' },
    parenthesized_variable_designation: { name: 'variable' },
  },
  patterns: { qualified_name: 'name', tuple_pattern: '*' },
  containers: {
    ...containersOf(containerTypes),
    property_declaration: (node) => {
      const name = node.childForFieldName('name')?.text;
      return name === undefined ? null : [{ name, kind: 'method' }];
    },
  },
  scopes: [
    'method_declaration',
    'constructor_declaration',
    'local_function_statement',
    'lambda_expression',
    'anonymous_method_expression',
    'block',
    'foreach_statement',
    'for_statement',
    'using_statement',
    'catch_clause',
    'delegate_declaration',
    'operator_declaration',
    'indexer_declaration',
    'property_declaration',
    'class_declaration',
    'interface_declaration',
    'record_declaration',
    'struct_declaration',
    'global_statement',
  ],
  assigns: [],
  bodies: { method_declaration: 'body' },
  signatures: [],
  members: {
    member_access_expression: ['name', 'expression'],
    member_binding_expression: ['name', ''],
    generic_name: ['', ''],
    qualified_name: ['name', 'qualifier'],
  },
  calls: { invocation_expression: 'function', object_creation_expression: 'type', attribute: 'name' },
  writes: { assignment_expression: 'left', postfix_unary_expression: '', prefix_unary_expression: '' },
  imports: ['using_directive'],
  types: [
    'base_list',
    'generic_name',
    'type_argument_list',
    'variable_declaration',
    'parameter',
    'nullable_type',
    'array_type',
    'cast_expression',
    'typeof_expression',
    'method_declaration',
    'property_declaration',
  ],
};

function variableKind({ above }: Place): DefinitionKind {
  const owner = above.at(-2)?.node;
  const isConst = owner?.namedChildren.some((child) => child?.type === 'modifier' && child.text === 'const');
  return isConst === true ? 'constant' : 'variable';
}
