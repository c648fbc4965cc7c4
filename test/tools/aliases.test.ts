import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtinTools } from '../../src/tools/registry/builtin-tools.ts';
import { toolDefinition } from '../../src/tools/registry/json-schema.ts';
import { openTools, type ToolHarness } from './tool-harness.ts';

let tools: ToolHarness;
beforeAll(async () => {
  tools = await openTools({ 'src/a.js': 'one\ntwo\n', 'b.md': 'TWO.\n' });
});
afterAll(() => tools.close());

test.each([
  ['Read', { file_path: 'src/a.js', offset: 2, limit: 1 }, '2\ttwo'],
  ['Glob', { pattern: '**/*.js' }, 'src/a.js'],
  ['list_files', { path: 'src' }, 'src/a.js'],
  ['list_files', {}, 'b.md\nsrc/a.js'],
  ['Grep', { pattern: 't.o', path: 'src' }, 'src/a.js:2:two'],
  ['Grep', { pattern: 'one', '-C': 1 }, 'src/a.js:1:one\nsrc/a.js-2-two'],
  ['search', { query: 'two.' }, 'b.md:1:TWO.'],
  ['search', { query: 'two', include: '*.js' }, 'src/a.js:2:two'],
  ['view', { path: 'src/a.js', view_range: [2, 2] }, '2\ttwo'],
  ['read_many_files', { include: ['b.md'] }, '===== b.md =====\n1\tTWO.'],
  ['container.exec', { cmd: ['bash', '-lc', 'echo hi'], workdir: 'src' }, 'hi'],
  ['exec_command', { cmd: 'pwd | grep -o src', workdir: 'src', yield_time_ms: 1000 }, 'src'],
  ['run_terminal_cmd', { command: 'echo hi', is_background: false, explanation: 'Say hi' }, 'hi'],
  ['execute_command', { command: 'echo hi', requires_approval: false }, 'hi'],
  ['run_shell_command', { command: 'ls', directory: 'src' }, 'a.js'],
  [
    'write_to_file',
    { path: 'b.md', content: 'TWO.\n', line_count: 1 },
    'b.md has this content already; nothing changed.',
  ],
  [
    'KillShell',
    { shell_id: 'bash_9' },
    'not_found: There is no session bash_9, nor any other. Open one with {"action": "open", "command": …}.',
  ],
  [
    'BashOutput',
    { bash_id: '9' },
    'not_found: There is no session session_9, nor any other. Open one with {"action": "open", "command": …}.',
  ],
  ['Bash', { command: 'echo hi', timeout: 9000, description: 'Say hi' }, 'hi'],
  ['TodoWrite', { todos: [{ content: 'Look', status: 'pending', activeForm: 'Looking' }] }, '[ ] 1: Look'],
  ['TodoRead', {}, '[ ] 1: Look'],
])('%s %j is understood', async (name, input, words) => {
  expect(await tools.say(name, input)).toBe(words);
});

test('aliases are accepted but not in the tool definitions', () => {
  const reported = JSON.stringify(builtinTools.map(toolDefinition));
  const aliases = builtinTools.flatMap((tool) => Object.keys(tool.aliases ?? {}));
  expect(aliases.filter((alias) => reported.includes(`"name":"${alias}"`))).toEqual([]);
});
