import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTools, type ToolHarness } from './tool-harness.ts';

let tools: ToolHarness;
beforeAll(async () => {
  tools = await openTools({ 'a.js': 'one\ntwo\nthree\n' });
});
afterAll(() => tools.close());

test.each([
  ['read', { path: 'a.js', start_line: '2', end_line: '3' }, '2\ttwo\n3\tthree'],
  ['read', { path: 'a.js', read_range: '[2, 3]' }, '2\ttwo\n3\tthree'],
  ['read', { path: 'a.js', read_range: ['3'] }, '3\tthree'],
  ['multi_read', { paths: 'a.js', start_line: '3' }, '===== a.js =====\n3\tthree'],
  ['multi_read', { path: '["a.js"]', start_line: 3 }, '===== a.js =====\n3\tthree'],
  ['read', { path: 'a.js', start: 2, end: '3' }, '2\ttwo\n3\tthree'],
  ['multi_read', { paths: 'a.js', from: 2, to: 2 }, '===== a.js =====\n2\ttwo\n[line 2 of 3]'],
  ['multi_read', { paths: 'a.js', offset: 3, limit: 1 }, '===== a.js =====\n3\tthree'],
  ['grep', { pattern: 'TW.', regex: 'true', context: '0' }, 'a.js:2:two'],
  ['grep', { pattern: 'TW.', regex: 'true', case_sensitive: 'true' }, 'No match for "TW.".'],
  ['bash', { command: 'echo hi', timeout_ms: '9000' }, 'hi'],
  ['todo_write', { todos: '[{"content": "Look"}]' }, '[ ] 1: Look'],
])('%s accepts %j', async (name, input, words) => {
  expect(await tools.say(name, input)).toBe(words);
});

test.each([
  ['read', { path: 'a.js', start_line: '2.5' }, 'start_line: must be a number, not "2.5"'],
  ['read', { path: 'a.js', start_line: '' }, 'start_line: must be a number, not ""'],
  ['read', { path: 'a.js', start_line: '0' }, 'start_line: lines count from 1'],
  [
    'read',
    { path: 'a.js', start_line: '2', end_line: '-1' },
    'end_line: lines count from 1; leave the end out to read on to the end of the file',
  ],
  ['read', { path: 'a.js', max_bytes: -1 }, 'max_bytes: must be more than 0, not -1'],
  ['grep', { pattern: 'x', regex: 'yes' }, 'regex: must be true or false, not "yes"'],
  ['grep', { pattern: 'x', regex: 1 }, 'regex: must be true or false, not 1'],
  ['grep', { pattern: '' }, 'pattern: must not be empty'],
  ['grep', { pattern: 'x', context: 51 }, 'context: must be at most 50, not 51'],
  ['todo_write', { todos: '[{"content": ' }, 'todos: must be an array, not "[{\\"content\\": "'],
  ['multi_read', { paths: '' }, 'paths: must be an array, not ""'],
  ['multi_read', { paths: [] }, 'paths: must have at least 1 entry'],
  [
    'multi_read',
    { paths: [{}, null] },
    'paths.0: must be a string, not an object; paths.1: must be a string, not null',
  ],
  [
    'request_permissions',
    { permissions: 'bash, all of it', reason: 'x' },
    'permissions: must be an array, not "bash, all of it"',
  ],
])('%s does not guess the meaning of %j and names one problem of each argument', async (name, input, words) => {
  expect(await tools.say(name, input)).toBe(
    `invalid_input: Wrong arguments for ${name}: ${words}. Call it again, corrected.`,
  );
});
