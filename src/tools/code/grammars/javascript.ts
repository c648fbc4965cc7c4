import {
  containersOf,
  type Grammar,
  named,
  namedDefinitions,
  type Place,
  type SyntaxNode,
} from './grammar.ts';
import type { Container, DefinitionKind } from './syntax-symbol.ts';

const functionValues = ['arrow_function', 'function_expression', 'generator_function'];
const containerTypes = {
  function: ['function_declaration', 'generator_function_declaration', 'function_signature'],
  method: ['method_definition', 'method_signature', 'abstract_method_signature'],
  class: ['class_declaration', 'abstract_class_declaration', 'class'],
  interface: ['interface_declaration'],
  type: ['type_alias_declaration'],
  enum: ['enum_declaration'],
  module: ['internal_module', 'module'],
} as const;

/** JavaScript and TypeScript, with and without JSX; their grammars share the node types. */
export const javascript: Grammar = {
  names: [
    'identifier',
    'property_identifier',
    'private_property_identifier',
    'shorthand_property_identifier',
    'shorthand_property_identifier_pattern',
    'type_identifier',
  ],
  sigil: /^#/,
  definitions: {
    ...namedDefinitions(containerTypes),
    variable_declarator: { name: variableKind },
    required_parameter: { pattern: parameterKind },
    optional_parameter: { pattern: parameterKind },
    formal_parameters: { '': 'parameter' },
    arrow_function: { parameter: 'parameter' },
    catch_clause: { parameter: 'parameter' },
    for_in_statement: { left: ({ node }) => (node.childForFieldName('kind') === null ? null : 'variable') },
    field_definition: { property: fieldKind },
    public_field_definition: { name: fieldKind },
    property_signature: { name: 'field' },
    enum_body: { name: 'constant' },
    enum_assignment: { name: 'constant' },
    function_expression: { name: 'function' },
    type_parameter: { name: 'parameter' },
    pair: { key: ({ node }) => (isFunction(node.childForFieldName('value')) ? 'method' : null) },
    assignment_expression: { left: assignedKind },
  },
  patterns: {
    object_pattern: '*',
    array_pattern: '*',
    rest_pattern: '*',
    pair_pattern: 'value',
    assignment_pattern: 'left',
    object_assignment_pattern: 'left',
    member_expression: 'property',
  },
  containers: {
    ...containersOf(containerTypes),
    variable_declarator: (node) => containersOfValue(node, 'name', 'function'),
    pair: (node) => containersOfValue(node, 'key', 'method'),
    public_field_definition: (node) =>
      isFunction(node.childForFieldName('value')) ? named('method')(node) : null,
    field_definition: (node) =>
      isFunction(node.childForFieldName('value')) ? named('method', 'property')(node) : null,
    assignment_expression: assignedContainers,
  },
  scopes: [
    ...functionValues,
    'function_declaration',
    'generator_function_declaration',
    'function_signature',
    'method_definition',
    'method_signature',
    'abstract_method_signature',
    'function_type',
    'statement_block',
    'for_statement',
    'for_in_statement',
    'catch_clause',
    'switch_body',
  ],
  assigns: ['assignment_expression'],
  bodies: {},
  signatures: ['function_signature', 'method_signature', 'abstract_method_signature'],
  members: {
    member_expression: ['property', 'object'],
    nested_identifier: ['property', 'object'],
    nested_type_identifier: ['name', 'module'],
    pair: ['key', ''],
    pair_pattern: ['key', ''],
    jsx_attribute: ['', ''],
  },
  calls: {
    call_expression: 'function',
    new_expression: 'constructor',
    jsx_opening_element: 'name',
    jsx_self_closing_element: 'name',
    decorator: '',
  },
  writes: {
    assignment_expression: 'left',
    augmented_assignment_expression: 'left',
    update_expression: 'argument',
  },
  imports: ['import_statement', 'export_specifier'],
  types: ['type_identifier', 'extends_clause', 'class_heritage', 'type_query'],
};

function isFunction(value: SyntaxNode | null): boolean {
  return value !== null && functionValues.includes(value.type);
}

/** Returns the container for a name whose value contains functions: an object takes the name. */
function containersOfValue(
  node: SyntaxNode,
  field: string,
  whole: DefinitionKind,
): readonly Container[] | null {
  const value = node.childForFieldName('value');
  const isPattern = node.childForFieldName(field)?.type.endsWith('_pattern');
  if (isPattern === true || !isContainer(value)) return null;
  if (isFunction(value)) return named(whole, field)(node);
  return named(value?.type === 'class' ? 'class' : 'variable', field)(node);
}

function isContainer(value: SyntaxNode | null): boolean {
  return isFunction(value) || value?.type === 'object' || value?.type === 'class';
}

/** Returns the kind of a variable. A name from `require` or `import()` is imported, not defined. */
function variableKind({ node }: Place): DefinitionKind | null {
  const value = node.childForFieldName('value');
  if (value !== null && /^(?:await\s+)?(?:require|import)\s*\(/.test(value.text)) return null;
  if (isFunction(value)) return 'function';
  return value?.type === 'class' ? 'class' : 'variable';
}

function fieldKind({ node }: Place): DefinitionKind {
  return isFunction(node.childForFieldName('value')) ? 'method' : 'field';
}

/** Returns the kind of a parameter: a field if it has an access modifier. */
function parameterKind({ node }: Place): DefinitionKind {
  return node.namedChildren.some((child) => child?.type === 'accessibility_modifier') ? 'field' : 'parameter';
}

/** Returns the kind of an assigned member: prototype method, export, or field of `this`. */
function assignedKind({ node, through }: Place): DefinitionKind | null {
  const [left] = through;
  if (through.length !== 1 || left?.type !== 'member_expression') return null;
  const value = node.childForFieldName('right');
  if (isFunction(value)) return 'method';
  const object = left.childForFieldName('object')?.text;
  if (object === 'this') return 'field';
  if (object !== 'exports' && object !== 'module.exports') return null;
  if (value?.type === 'class') return 'class';
  return value?.type === 'identifier' ? null : 'constant';
}

function assignedContainers(node: SyntaxNode): readonly Container[] | null {
  const left = node.childForFieldName('left');
  if (left === null || !isContainer(node.childForFieldName('right'))) return null;
  const path = left.text.split('.');
  const words = path.filter((word) => !['prototype', 'exports', 'module', 'this'].includes(word));
  if (words.length === 0 || words.some((word) => !/^[\w$]+$/.test(word))) return null;
  return words.map((name, index) => ({ name, kind: index === words.length - 1 ? 'function' : 'class' }));
}
