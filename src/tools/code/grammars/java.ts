import { containersOf, type Grammar, namedDefinitions, type Place } from './grammar.ts';
import type { DefinitionKind } from './syntax-symbol.ts';

const containerTypes = {
  method: ['method_declaration', 'constructor_declaration', 'compact_constructor_declaration'],
  class: ['class_declaration', 'record_declaration'],
  interface: ['interface_declaration', 'annotation_type_declaration'],
  enum: ['enum_declaration'],
} as const;

export const java: Grammar = {
  names: ['identifier', 'type_identifier'],
  definitions: {
    ...namedDefinitions({
      ...containerTypes,
      constant: ['enum_constant'],
      parameter: ['formal_parameter', 'catch_formal_parameter'],
      variable: ['enhanced_for_statement', 'resource'],
    }),
    annotation_type_element_declaration: { name: 'method' },
    variable_declarator: { name: variableKind },
    lambda_expression: { parameters: 'parameter' },
    inferred_parameters: { '': 'parameter' },
    instanceof_expression: { name: 'variable' },
    type_pattern: { '': patternKind },
    record_pattern_component: { '': patternKind },
    type_parameter: { '': 'parameter' },
  },
  patterns: {},
  containers: containersOf(containerTypes),
  scopes: [
    'method_declaration',
    'constructor_declaration',
    'lambda_expression',
    'block',
    'enhanced_for_statement',
    'for_statement',
    'try_with_resources_statement',
    'catch_clause',
    'record_declaration',
  ],
  assigns: [],
  bodies: { method_declaration: 'body' },
  signatures: [],
  members: {
    field_access: ['field', 'object'],
    method_invocation: ['name', 'object'],
    scoped_identifier: ['name', 'scope'],
    scoped_type_identifier: ['', ''],
    method_reference: ['', ''],
  },
  calls: {
    method_invocation: 'name',
    object_creation_expression: 'type',
    annotation: 'name',
    marker_annotation: 'name',
  },
  writes: { assignment_expression: 'left', update_expression: '' },
  imports: ['import_declaration'],
  types: ['type_identifier'],
};

/** Distinguishes types and names in `Point(int x, Line y)`, where they are siblings. */
function patternKind({ name }: Place): DefinitionKind | null {
  return name.type === 'identifier' ? 'variable' : null;
}

function variableKind({ above }: Place): DefinitionKind {
  const parent = above.at(-1)?.node;
  if (parent?.type === 'constant_declaration') return 'constant';
  if (parent?.type === 'spread_parameter') return 'parameter';
  if (parent?.type !== 'field_declaration') return 'variable';
  const modifiers = parent.namedChildren[0];
  const final = modifiers?.type === 'modifiers' && /\bfinal\b/.test(modifiers.text);
  return final && /\bstatic\b/.test(modifiers.text) ? 'constant' : 'field';
}
