import { type Grammar, named } from './grammar.ts';

export const bashGrammar: Grammar = {
  names: ['word', 'variable_name'],
  definitions: {
    function_definition: { name: 'function' },
    variable_assignment: { name: 'variable' },
    declaration_command: { '': 'variable' },
    for_statement: { variable: 'variable' },
  },
  patterns: { subscript: 'name' },
  containers: { function_definition: named('function') },
  // Without `local`, a function's assignments are known everywhere.
  scopes: [],
  assigns: ['variable_assignment', 'declaration_command', 'for_statement'],
  bodies: {},
  signatures: [],
  members: { command_name: ['', ''] },
  calls: { command: 'name' },
  writes: {},
  imports: [],
  types: [],
};
