import {
  bareName,
  containersOf,
  type Grammar,
  namedDefinitions,
  type Place,
  type SyntaxNode,
} from './grammar.ts';
import type { Container, DefinitionKind } from './syntax-symbol.ts';

const containerTypes = {
  function: ['function_item', 'function_signature_item'],
  class: ['struct_item', 'union_item'],
  interface: ['trait_item'],
  enum: ['enum_item'],
  module: ['mod_item'],
} as const;

export const rust: Grammar = {
  names: ['identifier', 'field_identifier', 'type_identifier', 'shorthand_field_identifier'],
  definitions: {
    ...namedDefinitions({
      ...containerTypes,
      type: ['type_item', 'associated_type'],
      macro: ['macro_definition'],
      constant: ['const_item', 'static_item', 'enum_variant'],
      field: ['field_declaration'],
    }),
    let_declaration: { pattern: 'variable' },
    let_condition: { pattern: 'variable' },
    for_expression: { pattern: 'variable' },
    match_arm: { pattern: armKind },
    parameter: { pattern: 'parameter' },
    closure_parameters: { '': 'parameter' },
    type_parameter: { name: 'parameter' },
    const_parameter: { name: 'parameter' },
  },
  patterns: {
    tuple_pattern: '',
    mut_pattern: '',
    ref_pattern: '',
    reference_pattern: '',
    slice_pattern: '',
    or_pattern: '',
    match_pattern: '',
    field_pattern: 'pattern',
    struct_pattern: '',
    tuple_struct_pattern: '',
    captured_pattern: '',
  },
  containers: { ...containersOf(containerTypes), impl_item: implContainers },
  scopes: [
    'function_item',
    'function_signature_item',
    'closure_expression',
    'block',
    'match_arm',
    'for_expression',
    'if_expression',
    'while_expression',
    'struct_item',
    'impl_item',
  ],
  assigns: [],
  bodies: {},
  signatures: ['function_signature_item'],
  members: {
    field_expression: ['field', 'value'],
    scoped_identifier: ['name', 'path'],
    scoped_type_identifier: ['name', 'path'],
    field_initializer: ['field', ''],
  },
  calls: { call_expression: 'function', macro_invocation: 'macro', generic_function: 'function' },
  writes: { assignment_expression: 'left', compound_assignment_expr: 'left' },
  imports: ['use_declaration', 'extern_crate_declaration'],
  types: ['type_identifier'],
};

/** Returns the kind in a match arm. A capitalised name is a constant or variant to compare with. */
function armKind({ name }: Place): DefinitionKind | null {
  return /^\p{Lu}/u.test(name.text) ? null : 'variable';
}

function implContainers(node: SyntaxNode): readonly Container[] | null {
  const type = node.childForFieldName('type')?.text;
  return type === undefined
    ? null
    : [{ name: bareName(type.replace(/<.*/s, '').replace(/.*::/, '')), kind: 'class' }];
}
