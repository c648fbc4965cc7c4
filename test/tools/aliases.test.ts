import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtinTools } from '../../src/tools/builtin-tools.ts';
import { advertise } from '../../src/tools/json-schema.ts';
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
  ['Bash', { command: 'echo hi', timeout: 9000, description: 'Say hi' }, 'hi'],
  ['TodoWrite', { todos: [{ content: 'Look', status: 'pending', activeForm: 'Looking' }] }, '[ ] 1: Look'],
  ['TodoRead', {}, '[ ] 1: Look'],
])('%s %j is understood', async (name, input, words) => {
  expect(await tools.say(name, input)).toBe(words);
});

test('aliases are understood and not advertised', () => {
  const told = JSON.stringify(builtinTools.map(advertise));
  const aliases = builtinTools.flatMap((tool) => Object.keys(tool.aliases ?? {}));
  expect(aliases.filter((alias) => told.includes(`"name":"${alias}"`))).toEqual([]);
});
