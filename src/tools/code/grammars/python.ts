import { containersOf, type Grammar, namedDefinitions, type Place } from './grammar.ts';
import type { DefinitionKind } from './syntax-symbol.ts';

const containerTypes = { function: ['function_definition'], class: ['class_definition'] } as const;

export const python: Grammar = {
  names: ['identifier'],
  definitions: {
    ...namedDefinitions(containerTypes),
    assignment: { left: assignedKind },
    named_expression: { name: 'variable' },
    parameters: { '': 'parameter' },
    lambda_parameters: { '': 'parameter' },
    typed_parameter: { '': 'parameter' },
    default_parameter: { name: 'parameter' },
    typed_default_parameter: { name: 'parameter' },
    for_statement: { left: 'variable' },
    for_in_clause: { left: 'variable' },
    as_pattern: { alias: 'variable' },
    type_alias_statement: { left: 'type' },
  },
  patterns: {
    pattern_list: '*',
    tuple_pattern: '*',
    list_pattern: '*',
    list_splat_pattern: '*',
    dictionary_splat_pattern: '',
    as_pattern_target: '',
    type: '',
    attribute: 'attribute',
  },
  containers: containersOf(containerTypes),
  scopes: [
    'function_definition',
    'lambda',
    'list_comprehension',
    'set_comprehension',
    'dictionary_comprehension',
    'generator_expression',
  ],
  assigns: ['assignment', 'named_expression', 'for_statement', 'as_pattern'],
  bodies: {},
  signatures: [],
  members: { attribute: ['attribute', 'object'], keyword_argument: ['name', ''] },
  calls: { call: 'function', decorator: '' },
  writes: { assignment: 'left', augmented_assignment: 'left' },
  imports: ['import_statement', 'import_from_statement', 'future_import_statement'],
  types: ['type'],
};

/** Returns the kind of an assignment: `self.x` and `cls.x` are fields, other members nothing. */
function assignedKind({ through }: Place): DefinitionKind | null {
  const member = through.find((node) => node.type === 'attribute');
  if (member === undefined) return 'variable';
  const object = member.childForFieldName('object')?.text;
  return object === 'self' || object === 'cls' ? 'field' : null;
}
