import { expect } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { type RunStep, step } from './tool-row.ts';

const file = (name: string) => `named/${name}.txt`;

/** The same call under each of these names. */
const each = (names: readonly string[], input: (name: string) => JsonObject, content: unknown): RunStep[] =>
  names.map((name) => step(name, input(name), typeof content === 'function' ? content(name) : content));

const shells = [
  ...['shell', 'shell_command', 'Bash', 'container.exec', 'local_shell', 'exec_command', 'execute_command'],
  ...['run_command', 'run_shell_command', 'run_terminal_cmd'],
];
const edits = ['Edit', 'str_replace', 'str_replace_editor', 'str_replace_based_edit_tool', 'replace'];

/** The files that the edits under other names are made in. */
export const aliasFiles: Readonly<Record<string, string>> = Object.fromEntries(
  [...edits, 'search_replace', 'replace_in_file', 'MultiEdit', 'insert', 'applyPatch'].map((name) => [
    file(name),
    'red\n',
  ]),
);

/** The files after the calls. */
export const aliasChanges: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(aliasFiles).map((name) => [name, 'blue\n'])),
  [file('insert')]: 'red\nblue\n',
  ...Object.fromEntries(['write_file', 'Write', 'write_to_file'].map((name) => [file(name), 'blue\n'])),
};

/** Calls with the names and the shapes of input that models learnt from other agents. */
export const aliasSteps: readonly RunStep[] = [
  ...each(
    ['read_file', 'Read', 'view', 'View'],
    () => ({ file_path: 'README.md', offset: 1, limit: 1 }),
    '1\t# Shop\n[line 1 of 3]',
  ),
  step(
    'read_many_files',
    { include: ['README.md'], start_line: 1, end_line: 1 },
    '===== README.md =====\n1\t# Shop\n[line 1 of 3]',
  ),
  step('Glob', { pattern: '*.go' }, 'main.go'),
  step('list_files', { path: 'src' }, 'src/cart.ts\nsrc/price.py'),
  step(
    'Grep',
    { pattern: 'to.al', path: 'src' },
    'src/cart.ts:1:export function total(prices: number[]): number {',
  ),
  step('search', { query: 'Sells' }, 'README.md:3:Sells apples.'),
  step('list_dir', { dir_path: 'src' }, 'src/\ncart.ts  76 B\nprice.py  41 B'),
  step('LS', { path: 'src' }, 'src/\ncart.ts  76 B\nprice.py  41 B'),
  ...each(shells, (name) => ({ command: name === 'shell' ? ['echo', 'hi'] : 'echo hi' }), 'hi'),
  ...each(
    edits,
    (name) => ({ file_path: file(name), old_string: 'red', new_string: 'blue' }),
    (name: string) => `Edited ${file(name)}, line 1:\n1\tblue`,
  ),
  step(
    'search_replace',
    { file_path: file('search_replace'), old_string: 'red', new_string: 'blue' },
    `Edited ${file('search_replace')}, line 1:\n1\tblue`,
  ),
  step(
    'replace_in_file',
    { path: file('replace_in_file'), diff: '<<<<<<< SEARCH\nred\n=======\nblue\n>>>>>>> REPLACE\n' },
    `Edited ${file('replace_in_file')}, line 1:\n1\tblue`,
  ),
  ...each(
    ['write_file', 'Write', 'write_to_file'],
    (name) => ({ file_path: file(name), content: 'blue\n' }),
    (name: string) => `Created ${file(name)} (1 line).`,
  ),
  step(
    'applyPatch',
    { input: `--- a/${file('applyPatch')}\n+++ b/${file('applyPatch')}\n@@ -1 +1 @@\n-red\n+blue\n` },
    `Patch applied: changed ${file('applyPatch')} (1 hunk).`,
  ),
  step(
    'MultiEdit',
    { file_path: file('MultiEdit'), edits: [{ old_string: 'red', new_string: 'blue' }] },
    `Edited ${file('MultiEdit')}, line 1:\n1\tblue`,
  ),
  step(
    'insert',
    { path: file('insert'), insert_line: 1, new_str: 'blue' },
    `Inserted line 2 into ${file('insert')}:\n1\tred\n2\tblue`,
  ),
  step('TodoWrite', { todos: [{ content: 'Add', status: 'pending', activeForm: 'Adding' }] }, '[ ] 1: Add'),
  step('update_plan', { plan: [{ step: 'Add', status: 'completed' }] }, '[x] 1: Add'),
  step('TodoRead', {}, '[x] 1: Add'),
  ...each(['agent', 'dispatch_agent', 'new_task'], (name) => ({ prompt: `CHILD-ALIAS ${name}` }), 'Looked.'),
  step('ListSkills', {}, expect.stringMatching(/^release \(workspace\): How this shop is released\.$/m)),
  ...each(
    ['Skill', 'use_skill', 'load_skill', 'activate_skill'],
    () => ({ skill: 'release' }),
    expect.stringMatching(/^Follow these instructions of the skill release /),
  ),
  ...each(
    ['parallel', 'multi_tool_use', 'multi_tool_use.parallel'],
    () => ({ tool_uses: [{ recipient_name: 'functions.glob', parameters: { pattern: '*.go' } }] }),
    '===== 1. glob =====\nmain.go',
  ),
];
