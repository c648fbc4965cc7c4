import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools({
    'a.txt': 'one\ntwo\nthree\n',
    'open.txt': 'one\ntwo',
    'crlf.txt': '\ufeffone\r\ntwo\r\n',
    'mixed.txt': 'one\ntwo\r\nthree\n',
    'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
    empty: '',
  });
});
afterEach(() => tools.close());

test('lines are inserted after a line, reported with their numbers, and recorded in the ledger', async () => {
  expect(await tools.call('insert_text', { path: 'a.txt', line: 1, text: 'x\ny\n' })).toEqual({
    content: 'Inserted lines 2-3 into a.txt:\n1\tone\n2\tx\n3\ty\n4\ttwo\n5\tthree',
    data: { path: 'a.txt', line: 2, lines: 2, changes: [{ path: 'a.txt', kind: 'modify' }] },
  });
  expect(tools.tree()['a.txt']).toBe('one\nx\ny\ntwo\nthree\n');
  expect(tools.entries.map(({ type }) => type)).toEqual(['change']);
});

test.each([
  ['a.txt', 0, 'x', 'x\none\ntwo\nthree\n'],
  ['a.txt', 3, 'x', 'one\ntwo\nthree\nx\n'],
  ['a.txt', -1, 'x\n', 'one\ntwo\nthree\nx\n'],
  ['a.txt', '-1', 'x', 'one\ntwo\nthree\nx\n'],
  ['a.txt', '2', '', 'one\ntwo\n\nthree\n'],
  ['a.txt', 2, '\n', 'one\ntwo\n\nthree\n'],
  ['a.txt', 2, '  x\n\n', 'one\ntwo\n  x\n\nthree\n'],
  ['a.txt', 1, 'x\r\ny\r\n', 'one\nx\ny\ntwo\nthree\n'],
  ['open.txt', -1, 'x\n', 'one\ntwo\nx'],
  ['open.txt', 1, 'x', 'one\nx\ntwo'],
  ['crlf.txt', 0, 'x\ny', '\ufeffx\r\ny\r\none\r\ntwo\r\n'],
  ['crlf.txt', -1, 'x', '\ufeffone\r\ntwo\r\nx\r\n'],
  ['mixed.txt', 1, 'x', 'one\nx\ntwo\r\nthree\n'],
  ['mixed.txt', 2, 'x', 'one\ntwo\r\nx\r\nthree\n'],
  ['empty', 0, 'x', 'x\n'],
  ['empty', -1, 'x\ny', 'x\ny\n'],
])('in %s after line %j, the text is inserted as %j', async (path, line, text, after) => {
  await tools.call('insert_text', { path, line, text });
  expect(tools.tree()[path]).toBe(Buffer.from(after).toString('latin1'));
});

test('a file that is not UTF-8 keeps its bytes', async () => {
  await tools.call('insert_text', { path: 'latin.txt', line: 1, text: 'b\u00e4r' });
  expect(tools.tree()['latin.txt']).toBe('caf\xe9\nb\xe4r\n');
});

test.each([
  { file_path: 'a.txt', insert_line: 1, new_str: 'x' },
  { path: 'a.txt', insert_line: '1', insert_text: 'x' },
  { path: 'a.txt', line: 1, content: 'x' },
])('insert accepts %j', async (input) => {
  await tools.call('insert', input);
  expect(tools.tree()['a.txt']).toBe('one\nx\ntwo\nthree\n');
});

test.each([
  [
    { path: 'a.txt', line: 4, text: 'x' },
    'invalid_input: a.txt has 3 lines; line 4 is past its end. Give 0 to 3, or -1 for the end.',
  ],
  [
    { path: 'empty', line: 1, text: 'x' },
    'invalid_input: empty has 0 lines; line 1 is past its end. Give 0 to 0, or -1 for the end.',
  ],
  [{ path: 'b.txt', line: 0, text: 'x' }, 'not_found: b.txt does not exist. Near it: a.txt.'],
  [{ path: '.', line: 0, text: 'x' }, 'is_directory: . is a directory; give the path of a file.'],
  [
    { path: 'a.txt', line: 1, text: '\ud83d' },
    'invalid_input: The change would leave half of a character (a lone surrogate) in a.txt. Give whole characters.',
  ],
])('%j is refused', async (input, words) => {
  const before = tools.tree();
  expect(await tools.say('insert_text', input)).toBe(words);
  expect(tools.tree()).toEqual(before);
});
