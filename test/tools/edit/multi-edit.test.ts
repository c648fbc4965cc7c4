import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools({ 'a.ts': 'one\ntwo\nthree\n', 'b.ts': 'const a = 1;\r\nuse(a);\r\n' });
});
afterEach(() => tools.close());

test('each edit applies to the result of the one before, and a file has one entry in the ledger', async () => {
  const output = await tools.call('multi_edit', {
    path: 'a.ts',
    edits: [
      { old: 'one', new: '1' },
      { old: '1\ntwo', new: '1\n2' },
      { old: 'e', new: 'E', replace_all: true },
    ],
  });
  expect(output).toEqual({
    content: 'Edited a.ts, 3 edits (edit 3 in 2 places):\n1\t1\n2\t2\n3\tthrEE',
    data: { strategies: ['exact', 'exact', 'exact'], changes: [{ path: 'a.ts', kind: 'modify' }] },
  });
  expect(tools.tree()['a.ts']).toBe('1\n2\nthrEE\n');
  expect(tools.entries.map(({ type }) => type)).toEqual(['change']);
});

test('edits of several files apply together, each file listed separately', async () => {
  const output = await tools.call('multi_edit', {
    path: 'a.ts',
    edits: [
      { old: 'one', new: 'ONE' },
      { path: 'b.ts', old: 'const a = 1;\nuse(a);', new: 'use(1);\nuse(2);' },
      { path: './a.ts', old: 'three', new: 'THREE', occurrence: 1 },
      { path: 'c.ts', old: '', new: 'new\n' },
    ],
  });
  expect(output).toEqual({
    content: [
      'Edited 3 files, 4 edits.',
      'a.ts:\n1\tONE\n2\ttwo\n3\tTHREE',
      'b.ts:\n1\tuse(1);\n2\tuse(2);',
      'c.ts:\n(new)',
    ].join('\n'),
    data: {
      strategies: ['exact', 'exact', 'exact', 'exact'],
      changes: [
        { path: 'a.ts', kind: 'modify' },
        { path: 'b.ts', kind: 'modify' },
        { path: 'c.ts', kind: 'add' },
      ],
    },
  });
  expect(tools.tree()).toEqual({
    'a.ts': 'ONE\ntwo\nTHREE\n',
    'b.ts': 'use(1);\r\nuse(2);\r\n',
    'c.ts': 'new\n',
  });
});

test.each([
  [
    [
      { old: 'one', new: '1' },
      { path: 'b.ts', old: 'nothing like it', new: 'x' },
    ],
    /^not_found: Edit 2 of 2: The old text is not in b\.ts.* No edit was made\.$/s,
  ],
  [
    [
      { old: 'one', new: '1' },
      { path: 'gone.ts', old: 'x', new: 'y' },
    ],
    /^not_found: Edit 2 of 2: gone\.ts does not exist\..* No edit was made\.$/,
  ],
  [
    [
      { path: 'new.ts', old: '', new: 'one' },
      { path: 'new.ts', old: '', new: 'two' },
    ],
    /^invalid_input: Edit 2 of 2: The old text is empty, which would match everywhere in new\.ts\./,
  ],
  [[{ old: 'e', new: 'x' }], /^ambiguous: The old text occurs 3 times in a\.ts, at lines 1, 3, 3\./],
  [
    [
      { old: 'one', new: '1' },
      { old: '1', new: 'one' },
    ],
    /^invalid_input: The edit would change nothing in a\.ts\.$/,
  ],
  [[], /^invalid_input: Wrong arguments for multi_edit: edits: /],
])('none of the edits %j is applied', async (edits, words) => {
  const before = tools.tree();
  expect(await tools.say('multi_edit', { path: 'a.ts', edits })).toMatch(words);
  expect(tools.tree()).toEqual(before);
});

test('an edit without a file is refused with its number', async () => {
  const edits = [
    { path: 'a.ts', old: 'one', new: '1' },
    { old: 'x', new: 'y' },
  ];
  expect(await tools.say('multi_edit', { edits })).toBe(
    'invalid_input: Edit 2 of 2 names no file. Give path, for all edits or in each.',
  );
});

test.each([
  {
    file_path: 'a.ts',
    edits: [{ old_string: 'two', new_string: '2', replace_all: false }],
  },
  { path: 'a.ts', edits: '[{"old_str": "two", "new_str": "2", "occurrence": null}]' },
  { edits: [{ file_path: 'a.ts', old: 'two', new: '2' }] },
])('MultiEdit accepts %j', async (input) => {
  expect(await tools.say('MultiEdit', input)).toBe('Edited a.ts, line 2:\n1\tone\n2\t2\n3\tthree');
});

test('prepare names every file and changes none', async () => {
  const before = tools.tree();
  const prepared = await tools.prepare('multi_edit', {
    edits: [
      { path: 'a.ts', old: 'one', new: '1' },
      { path: 'b.ts', old: 'a = 1', new: 'a = 2' },
    ],
  });
  expect(prepared.targets).toEqual({
    what: 'a.ts, b.ts',
    paths: [
      { path: 'a.ts', access: 'write' },
      { path: 'b.ts', access: 'write' },
    ],
  });
  expect(prepared.diff).toMatch(/-one\n\+1[\s\S]*-const a = 1;/);
  expect(tools.tree()).toEqual(before);
});
