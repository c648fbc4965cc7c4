import { type Grammar, named, type Place, type SyntaxNode } from './grammar.ts';
import type { Container, DefinitionKind } from './syntax-symbol.ts';

/** Calls that define a method for each symbol given, and calls that define only the first. */
const attributeCalls = /^attr(?:_reader|_writer|_accessor)?$/;
const definingCalls = /^(?:define_method|alias_method|scope|let!?)$/;
const valueClasses = /^(?:Struct\.new|Class\.new|Data\.define|Module\.new)\b/;

export const ruby: Grammar = {
  names: [
    'identifier',
    'constant',
    'instance_variable',
    'class_variable',
    'global_variable',
    'simple_symbol',
    'hash_key_symbol',
  ],
  sigil: /^(?:@@?|\$|:)/,
  definitions: {
    method: { name: 'method' },
    singleton_method: { name: 'method' },
    class: { name: 'class' },
    module: { name: 'module' },
    alias: { name: 'method' },
    call: { arguments: calledKind },
    assignment: { left: assignedKind },
    operator_assignment: { left: assignedKind },
    method_parameters: { '': 'parameter' },
    block_parameters: { '': 'parameter' },
    lambda_parameters: { '': 'parameter' },
    for: { pattern: 'variable' },
    exception_variable: { '': 'variable' },
  },
  patterns: {
    setter: 'name',
    optional_parameter: 'name',
    keyword_parameter: 'name',
    splat_parameter: 'name',
    hash_splat_parameter: 'name',
    block_parameter: 'name',
    destructured_parameter: '',
    left_assignment_list: '',
    destructured_left_assignment: '',
    rest_assignment: '',
    scope_resolution: 'name',
    argument_list: '',
  },
  containers: {
    method: named('method'),
    singleton_method: named('method'),
    class: scoped('class'),
    module: scoped('module'),
    assignment: (node) => (makesClass(node) ? named('class', 'left')(node) : null),
  },
  scopes: ['method', 'singleton_method', 'block', 'do_block', 'lambda'],
  assigns: ['assignment', 'operator_assignment'],
  bodies: {},
  signatures: [],
  members: { scope_resolution: ['name', 'scope'], call: ['method', 'receiver'], pair: ['key', ''] },
  calls: { call: 'method' },
  writes: {},
  imports: [],
  types: ['superclass', 'exceptions'],
};

function scoped(kind: DefinitionKind): (node: SyntaxNode) => readonly Container[] | null {
  return (node) =>
    node
      .childForFieldName('name')
      ?.text.split('::')
      .filter((name) => name !== '')
      .map((name) => ({ name, kind })) ?? null;
}

function calledKind({ name, node, through }: Place): DefinitionKind | null {
  if (through.length !== 1 || node.childForFieldName('receiver') !== null) return null;
  const method = node.childForFieldName('method')?.text ?? '';
  if (attributeCalls.test(method)) return 'method';
  const isFirst = through[0]?.namedChildren[0]?.id === name.id;
  return definingCalls.test(method) && isFirst ? 'method' : null;
}

function assignedKind({ node }: Place): DefinitionKind {
  const left = node.childForFieldName('left');
  if (left?.type === 'constant') return makesClass(node) ? 'class' : 'constant';
  return left?.type === 'instance_variable' || left?.type === 'class_variable' ? 'field' : 'variable';
}

/** Recognises `Point = Struct.new(:x)`, which makes a class. */
function makesClass(assignment: SyntaxNode): boolean {
  const right = assignment.childForFieldName('right');
  return right !== null && valueClasses.test(right.text);
}
