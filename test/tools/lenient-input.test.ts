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
  ['grep', { pattern: 'TW.', regex: 'true', context: '0' }, 'a.js:2:two'],
  ['grep', { pattern: 'TW.', regex: 'true', case_sensitive: 'true' }, 'No match for "TW.".'],
  ['bash', { command: 'echo hi', timeout_ms: '9000' }, 'hi'],
  ['todo_write', { todos: '[{"content": "Look"}]' }, '[ ] 1: Look'],
])('%s takes %j', async (name, input, words) => {
  expect(await tools.say(name, input)).toBe(words);
});

test.each([
  ['read', { path: 'a.js', start_line: '2.5' }, /start_line: .*expected number/],
  ['read', { path: 'a.js', start_line: '' }, /start_line: .*expected number/],
  ['read', { path: 'a.js', start_line: '0' }, /start_line: Too small/],
  ['read', { path: 'a.js', start_line: '-1' }, /start_line: .*expected number/],
  ['grep', { pattern: 'x', regex: 'yes' }, /regex: .*expected boolean/],
  ['grep', { pattern: 'x', regex: 1 }, /regex: .*expected boolean/],
  ['todo_write', { todos: '[{"content": ' }, /todos: .*expected array/],
  ['multi_read', { paths: '' }, /paths: .*expected array/],
])('%s does not guess what %j means', async (name, input, words) => {
  expect(await tools.say(name, input)).toMatch(words);
});
