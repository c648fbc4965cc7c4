import { expect, it } from 'vitest';
import { editorCall } from '../../../src/tools/edit/editor-call.ts';

it.each([
  [
    { command: 'view', path: 'a', view_range: [2, 5] },
    { tool: 'read', input: { path: 'a', read_range: [2, 5] } },
  ],
  [
    { command: 'create', path: 'a', file_text: 'x' },
    { tool: 'create_file', input: { path: 'a', content: 'x', overwrite: true } },
  ],
  [
    { command: 'insert', path: 'a', insert_line: 0, new_str: 'x', view_range: null },
    { tool: 'insert_text', input: { path: 'a', line: 0, text: 'x' } },
  ],
  [{ command: 'str_replace', path: 'a', old_str: 'x', new_str: 'y' }, null],
  [{ command: 'undo_edit', path: 'a' }, null],
  [{ path: 'a', old_str: 'x', new_str: 'y' }, null],
])("an editor's call maps to the tool for its command: %j", (input, intended) => {
  expect(editorCall('edit_file', input)).toEqual(intended);
});

it('other tools keep an argument with that name', () => {
  expect(editorCall('bash', { command: 'view' })).toBeNull();
});
