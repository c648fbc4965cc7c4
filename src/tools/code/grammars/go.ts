import { bareName, type Grammar, named, type Place, type SyntaxNode } from './grammar.ts';
import type { Container, DefinitionKind } from './syntax-symbol.ts';

export const go: Grammar = {
  names: ['identifier', 'field_identifier', 'type_identifier', 'package_identifier'],
  definitions: {
    function_declaration: { name: 'function' },
    method_declaration: { name: 'method' },
    method_elem: { name: 'method' },
    type_spec: { name: typeKind },
    type_alias: { name: 'type' },
    const_spec: { name: 'constant' },
    var_spec: { name: 'variable' },
    short_var_declaration: { left: 'variable' },
    range_clause: { left: 'variable' },
    type_switch_statement: { alias: 'variable' },
    receive_statement: { left: 'variable' },
    field_declaration: {
      name: 'field',
      type: ({ node }) => (node.childForFieldName('name') === null ? 'field' : null),
    },
    parameter_declaration: { name: 'parameter' },
    variadic_parameter_declaration: { name: 'parameter' },
    type_parameter_declaration: { name: 'parameter' },
    package_clause: { '': 'module' },
  },
  patterns: { expression_list: '' },
  containers: {
    function_declaration: named('function'),
    method_declaration: methodContainers,
    method_elem: named('method'),
    type_spec: named('class'),
    type_alias: named('type'),
  },
  scopes: [
    'function_declaration',
    'method_declaration',
    'method_elem',
    'func_literal',
    'function_type',
    'block',
    'if_statement',
    'for_statement',
    'expression_switch_statement',
    'type_switch_statement',
    'expression_case',
    'type_case',
    'communication_case',
  ],
  assigns: ['short_var_declaration'],
  bodies: {},
  signatures: ['method_elem'],
  members: {
    selector_expression: ['field', 'operand'],
    qualified_type: ['name', 'package'],
  },
  calls: { call_expression: 'function' },
  writes: {
    assignment_statement: 'left',
    inc_statement: '',
    dec_statement: '',
  },
  imports: ['import_spec'],
  types: ['type_identifier'],
};

function typeKind({ node }: Place): DefinitionKind {
  const type = node.childForFieldName('type')?.type;
  if (type === 'struct_type') return 'class';
  return type === 'interface_type' ? 'interface' : 'type';
}

/** Returns the containers of a method, which belongs to the type of its receiver. */
function methodContainers(node: SyntaxNode): readonly Container[] | null {
  const name = node.childForFieldName('name')?.text;
  if (name === undefined) return null;
  const receiver = node.childForFieldName('receiver')?.descendantsOfType('type_identifier')[0]?.text;
  const owner: Container[] = receiver === undefined ? [] : [{ name: bareName(receiver), kind: 'class' }];
  return [...owner, { name, kind: 'method' }];
}
