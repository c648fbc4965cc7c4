import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

const main = 'import x from "x";\n\nexport function main() {\n  const a = 1;\n  return a;\n}\n';

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools({
    'src/main.ts': main,
    'crlf.txt': 'one\r\ntwo\r\nthree',
    'mixed.txt': 'one\r\ntwo\nthree\r\n',
    'latin.txt': Buffer.from('caf\xe9\nbar\n', 'latin1'),
    'image.png': Buffer.from([1, 0, 2]),
    'link.ts': { symlink: 'src/main.ts' },
  });
});
afterEach(() => tools.close());

test('an edit is written, reported with its lines, and recorded in the change ledger', async () => {
  const output = await tools.call('edit_file', {
    path: './src/main.ts',
    old_str: '  const a = 1;\n',
    new_str: '  const a = 2;\n  log(a);\n',
  });
  expect(output).toEqual({
    content:
      'Edited src/main.ts, line 4:\n2\t\n3\texport function main() {\n4\t  const a = 2;\n5\t  log(a);\n6\t  return a;\n7\t}',
    data: {
      path: 'src/main.ts',
      strategies: ['exact'],
      changes: [{ path: 'src/main.ts', kind: 'modify' }],
    },
  });
  expect(tools.tree()['src/main.ts']).toBe(main.replace('a = 1;', 'a = 2;\n  log(a);'));
});

test('prepare returns the diff and the path, and changes nothing', async () => {
  const prepared = await tools.prepare('edit_file', {
    path: 'src/main.ts',
    old_str: 'a = 1',
    new_str: 'a = 2',
  });
  expect(prepared).toMatchObject({
    targets: { what: 'src/main.ts', paths: [{ path: 'src/main.ts', access: 'write' }] },
  });
  expect(prepared.diff).toContain('--- a/src/main.ts\n+++ b/src/main.ts\n@@ -1,6 +1,6 @@');
  expect(prepared.diff).toContain('-  const a = 1;\n+  const a = 2;\n');
  expect(tools.tree()['src/main.ts']).toBe(main);
});

test("an edit is refused if its file changed after the gate's decision", async () => {
  const tool = { path: 'src/main.ts', old_str: 'a = 1', new_str: 'a = 2' };
  const prepared = await tools.prepare('edit_file', tool);
  tools.write('src/main.ts', 'something else\n');
  const { editFile } = await import('../../../src/tools/edit/edit-file.ts');
  await expect(editFile.execute(tool, tools.context, prepared)).rejects.toMatchObject({
    kind: 'changed_since_read',
  });
  expect(tools.tree()['src/main.ts']).toBe('something else\n');
});

test('several edits apply one after the other, or none does', async () => {
  const first = { old: 'const a = 1', new: 'const b = 1' };
  await tools.call('edit_file', {
    path: 'src/main.ts',
    edits: [first, { old: 'return a', new: 'return b' }],
  });
  expect(tools.tree()['src/main.ts']).toBe(
    main.replace('const a', 'const b').replace('return a', 'return b'),
  );

  const answer = await tools.say('edit_file', {
    path: 'src/main.ts',
    edits: [
      { old_string: 'const b', new_string: 'const c' },
      { old: 'const d', new: 'x' },
    ],
  });
  expect(answer).toMatch(
    /^not_found: Edit 2 of 2: The old text is not in src\/main\.ts\.[\s\S]*No edit was made\.$/,
  );
  expect(tools.tree()['src/main.ts']).toContain('const b = 1');
});

test('several edits are displayed once each, in their final form', async () => {
  const answer = await tools.say('edit_file', {
    path: 'src/main.ts',
    edits: [
      { old: 'const a = 1', new: 'const a = 2' },
      { old: 'import x from "x";', new: 'import x from "x";\nimport y from "y";\nimport z from "z";' },
      { old: 'const a = 2', new: 'const a = 3' },
    ],
  });
  expect(answer).toBe(
    [
      'Edited src/main.ts, 3 edits:',
      '1\timport x from "x";',
      '2\timport y from "y";',
      '3\timport z from "z";',
      '4\t',
      '5\texport function main() {',
      '6\t  const a = 3;',
      '7\t  return a;',
      '8\t}',
    ].join('\n'),
  );
});

test('separate changes are displayed separately, and a long one is cut', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  tools.write('long.txt', `${lines.join('\n')}\n`);
  const answer = await tools.say('edit_file', {
    path: 'long.txt',
    edits: [
      { old: 'line 1\n', new: 'line one\n' },
      { old: 'line 20', new: 'line 20\nnew\n'.repeat(20).trimEnd() },
    ],
  });
  const middle = Array.from({ length: 23 }, (_, at) => `${20 + at}\t${at % 2 === 0 ? 'line 20' : 'new'}`);
  expect(answer.split('\n')).toEqual([
    'Edited long.txt, 2 edits:',
    '1\tline one',
    '2\tline 2',
    '3\tline 3',
    '…',
    '19\tline 19',
    ...middle,
    '[19 more lines]',
  ]);
});

test('edits that undo each other are no change', async () => {
  const edits = [
    { old: 'a = 1', new: 'a = 2' },
    { old: 'a = 2', new: 'a = 1' },
  ];
  expect(await tools.say('edit_file', { path: 'src/main.ts', edits })).toBe(
    'invalid_input: The edit would change nothing in src/main.ts.',
  );
});

test.each([
  [{ old_str: 'o', new_str: '0', occurrence: '3' }, 'one two\n0ne'],
  [{ old_str: 'o', new_str: '0', occurrence: 1, replace_all: false }, '0ne two\none'],
  [{ old_str: 'o', new_str: '0', replace_all: 'true', edits: [], unified_diff: '' }, '0ne tw0\n0ne'],
  [{ old_str: 'two', new_str: '2', edits: null, unified_diff: null, occurrence: null }, 'one 2\none'],
  [{ edits: [{ old_str: 'two', new_str: '2' }], old_str: '', new_str: '' }, 'one 2\none'],
  [{ edits: [{ old: 'two', new: '2', occurrence: null, replace_all: null }], command: null }, 'one 2\none'],
  [{ edits: '[{"old": "two", "new": "2"}]' }, 'one 2\none'],
  [{ edits: [{ old: 'one', new: '1', replace_all: true }] }, '1 two\n1'],
  [
    {
      edits: [
        { old: 'e', new: 'E' },
        { old: 'w', new: 'W', occurrence: 1 },
      ],
      replace_all: true,
    },
    'onE tWo\nonE',
  ],
  [{ unified_diff: '@@ -1,1 +1,1 @@\n-one two\n+1\n', old_str: '', new_str: '' }, '1\none'],
])('the edit %j is accepted', async (edit, after) => {
  tools.write('b.txt', 'one two\none');
  await tools.call('edit_file', { path: 'b.txt', ...edit });
  expect(tools.tree()['b.txt']).toBe(after);
});

test.each([
  ['Edit', { file_path: 'src/main.ts', old_string: 'a = 1', new_string: 'a = 2' }],
  ['str_replace', { path: 'src/main.ts', old_str: 'a = 1', new_str: 'a = 2' }],
  ['str_replace_editor', { command: 'str_replace', path: 'src/main.ts', old_str: 'a = 1', new_str: 'a = 2' }],
  ['Write', { file_path: 'src/main.ts', content: main.replace('a = 1', 'a = 2') }],
])('%s changes a file as in its own agent', async (name, input) => {
  await tools.call(name, input);
  expect(tools.tree()['src/main.ts']).toBe(main.replace('a = 1', 'a = 2'));
});

test('a call with an unsupported editor command names the tools for it', async () => {
  expect(await tools.say('str_replace_based_edit_tool', { command: 'view', path: 'src/main.ts' })).toBe(
    'invalid_input: edit_file only replaces text; it has no command "view". Use read to see a file, create_file to write one, and insert_text to insert lines.',
  );
});

test('a unified diff edits the one file, with or without headers', async () => {
  const hunk = '@@ -4,2 +4,1 @@\n-  const a = 1;\n-  return a;\n+  return 1;\n';
  const diff = `--- a/src/main.ts\n+++ b/src/main.ts\n${hunk}`;
  const { diff: prepared } = await tools.prepare('edit_file', { path: 'src/main.ts', unified_diff: diff });
  await tools.call('edit_file', { path: 'src/main.ts', diff: hunk });
  expect(tools.tree()['src/main.ts']).toBe(main.replace('  const a = 1;\n  return a;', '  return 1;'));
  expect(prepared).toContain('+  return 1;');
});

test.each([
  ['crlf.txt', 'two\nthree', 'TWO\nTHREE', 'one\r\nTWO\r\nTHREE'],
  ['crlf.txt', 'one\n', 'one\nhalf\n', 'one\r\nhalf\r\ntwo\r\nthree'],
  ['mixed.txt', 'two', 'zwei', 'one\r\nzwei\nthree\r\n'],
  ['latin.txt', 'bar', 'b\u00e4r', 'caf\xe9\nb\xe4r\n'],
  ['src/main.ts', 'const a = 1;', "const a = '$& $1 $$';", main.replace('a = 1;', () => "a = '$& $1 $$';")],
])('an edit of %s leaves the rest unchanged byte for byte (%j)', async (path, old_str, new_str, after) => {
  await tools.call('edit_file', { path, old_str, new_str });
  expect(tools.tree()[path]).toBe(after);
});

test('git reports no problem with the line endings of an edit', async () => {
  const converted = await openTools(
    { '.gitattributes': '* text=auto\n', 'crlf.txt': 'one\r\ntwo\r\n' },
    { git: true },
  );
  expect(await converted.say('edit_file', { path: 'crlf.txt', old_str: 'two', new_str: 'TWO' })).toBe(
    'Edited crlf.txt, line 2:\n1\tone\n2\tTWO',
  );
  expect(await converted.say('bash', { command: 'touch crlf.txt' })).toBe('(no output)');
  await converted.close();
});

test('new lines take the indentation of the lines they replace', async () => {
  const answer = await tools.say('edit_file', {
    path: 'src/main.ts',
    old_str: 'const a = 1;\nreturn a;',
    new_str: 'if (x) {\n  return 1;\n}',
  });
  expect(answer).toContain('found with other indentation');
  expect(tools.tree()['src/main.ts']).toBe(
    main.replace('  const a = 1;\n  return a;', '  if (x) {\n    return 1;\n  }'),
  );
});

test.each([
  [
    { old_str: 'a', new_str: 'b' },
    /^ambiguous: The old text occurs \d+ times in src\/main\.ts, at lines 3, .*, or set occurrence \(from 1\) or replace_all\.$/,
  ],
  [
    { edits: [{ old: 'const', new: 'let', occurrence: 2 }] },
    /^not_found: There is no occurrence 2 in src\/main\.ts: the old text occurs 1 times, at lines 4\./,
  ],
  [
    { old_str: 'const b = 1;', new_str: 'x' },
    /^not_found: The old text is not in src\/main\.ts\. The nearest lines are:\n4\t {2}const a = 1;\nCopy/,
  ],
  [
    { old_str: 'zzz', new_str: 'x' },
    /^not_found: The old text is not in src\/main\.ts, nor anything like it\./,
  ],
  [{ old_str: '', new_str: 'x' }, /^invalid_input: The old text is empty/],
  [
    { old_str: 'a', new_str: 'b', occurrence: 2, replace_all: true },
    /^invalid_input: occurrence 2 wants one place and replace_all wants every one/,
  ],
  [{ old_str: 'const', new_str: 'const' }, /^invalid_input: The new text is the same as the old/],
  [{ old_str: 'const' }, /^invalid_input: old_str and new_str belong together/],
  [{}, /^invalid_input: Give exactly one of .*none was given/],
  [
    { old_str: 'a', new_str: 'b', unified_diff: '@@' },
    /^invalid_input: Give exactly one of .*given were old_str and new_str, unified_diff/,
  ],
  [
    { unified_diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-nothing\n+y\n' },
    /^not_found: The hunk "@@ -1 \+1 @@" does not fit src\/main\.ts\. Nothing there is like it\./,
  ],
])('an edit %j is refused with a message', async (edit, words) => {
  expect(await tools.say('edit_file', { path: 'src/main.ts', ...edit })).toMatch(words);
  expect(tools.tree()['src/main.ts']).toBe(main);
});

test.each([
  ['src/mian.ts', 'not_found: src/mian.ts does not exist. Near it: src/main.ts.'],
  ['src', 'is_directory: src is a directory; give the path of a file.'],
  ['link.ts', 'not_a_file: link.ts is a symbolic link; change the file it points to.'],
  ['image.png', 'binary: image.png is a binary file; it cannot be edited as text.'],
])('%s cannot be edited', async (path, words) => {
  expect(await tools.say('edit_file', { path, old_str: 'a', new_str: 'b' })).toBe(words);
});

test('text that a Latin-1 file cannot hold is refused', async () => {
  expect(await tools.say('edit_file', { path: 'latin.txt', old_str: 'bar', new_str: '\u20ac' })).toMatch(
    /^invalid_input: latin\.txt is not UTF-8/,
  );
});

test('an empty old text creates a missing file and is refused for an existing one', async () => {
  expect(await tools.call('edit_file', { path: 'new/a.txt', old_str: '', new_str: 'one\ntwo\n' })).toEqual({
    content: 'Created new/a.txt (2 lines).',
    data: {
      path: 'new/a.txt',
      strategies: ['exact'],
      changes: [{ path: 'new/a.txt', kind: 'add' }],
    },
  });
  expect(tools.tree()['new/a.txt']).toBe('one\ntwo\n');
  expect(await tools.say('edit_file', { path: 'new/a.txt', old_str: '', new_str: 'x' })).toMatch(
    /^invalid_input: The old text is empty, which would match everywhere in new\/a\.txt\./,
  );
  expect(await tools.say('edit_file', { path: 'folder/', old_str: '', new_str: 'x' })).toBe(
    'invalid_input: folder/ names a folder; give the path of a file in it.',
  );
});

test('an old text that matches only approximately is reported as such', async () => {
  const answer = await tools.say('edit_file', {
    path: 'src/main.ts',
    old_str: 'export function main() {\n  const a = 2;\n  return a;\n}',
    new_str: 'export function main() {\n  const a = 2;\n  return a + 1;\n}',
  });
  const [reported, displayed] = answer.split('\nNow:\n');
  expect(reported?.split('\n')).toEqual([
    'Edited src/main.ts, line 3, found only by similar text: check what was replaced. Replaced:',
    '-export function main() {',
    '-  const a = 1;',
    '-  return a;',
    '-}',
  ]);
  expect(displayed).toContain('\t  return a + 1;');
  expect(tools.tree()['src/main.ts']).toBe(main.replace('return a', 'return a + 1'));
});

test.each([
  [
    'replace',
    { file_path: 'src/main.ts', instruction: 'x', old_string: 'a', new_string: 'b' },
    /^ambiguous: /,
  ],
  [
    'replace',
    { file_path: 'two.txt', old_string: 'a', new_string: 'o', expected_replacements: 3 },
    'ambiguous: The old text occurs 2 times in two.txt, not 3 times as expected_replacements says. Nothing was changed.',
  ],
  [
    'replace',
    { file_path: 'two.txt', old_string: 'a', new_string: 'o', expected_replacements: 2 },
    'Edited two.txt, 2 places:\n1\to o',
  ],
  [
    'search_replace',
    { file_path: 'two.txt', old_string: 'a a', new_string: 'a b' },
    'Edited two.txt, line 1:\n1\ta b',
  ],
  [
    'replace_in_file',
    { path: 'two.txt', diff: '------- SEARCH\na a\n=======\na c\n+++++++ REPLACE\n' },
    'Edited two.txt, line 1:\n1\ta c',
  ],
])('the editing tools of other agents are accepted: %s %j', async (name, input, words) => {
  tools.write('two.txt', 'a a\n');
  const reply = await tools.say(name, input);
  if (typeof words === 'string') expect(reply).toBe(words);
  else expect(reply).toMatch(words);
});
