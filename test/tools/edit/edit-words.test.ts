import { describe, expect, test } from 'vitest';
import { overwritten } from '../../../src/tools/edit/create-file.ts';
import { editItem, editItemOfFile, editShape, replacementOf } from '../../../src/tools/edit/edit-shape.ts';
import { editorCall } from '../../../src/tools/edit/editor-call.ts';
import { unescapings, withoutLineNumbers } from '../../../src/tools/edit/find-text.ts';
import { insertLines } from '../../../src/tools/edit/insert-text.ts';
import { refuseOmission } from '../../../src/tools/edit/omitted-text.ts';
import { replaceText } from '../../../src/tools/edit/replace-text.ts';
import { changedPlaces } from '../../../src/tools/write/changed-places.ts';
import { nearestLines } from '../../../src/tools/write/nearest-lines.ts';

const reply = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    const { kind, message } = error as { kind: string; message: string };
    return `${kind}: ${message}`;
  }
};

describe('a failed replacement', () => {
  const replaced = (text: string, old: string, next: string, occurrence: number | 'all' = 0) =>
    reply(() => {
      const { text: after, count, firstLine } = replaceText('f', text, { old, new: next, occurrence });
      return [after, count, firstLine];
    });
  const same = 'invalid_input: The new text is the same as the old; nothing would change in f.';

  test('reports the reason and the line of the text', () => {
    const lines = 'x\n'.repeat(11);
    expect([
      replaced('a', '', 'x'),
      replaced('a', '\ufeff', 'x'),
      replaced('a', 'a', 'a'),
      replaced('a\r\n', 'a\r\n', 'a\n'),
      replaced('x\nx\n', 'x', 'y'),
      replaced(lines, 'x', 'y'),
      replaced('x\nx\n', 'x', 'y', 3),
      replaced('one thing\n', 'one thong', 'x'),
      replaced('one\n', 'zzzz', 'x'),
    ]).toEqual([
      'invalid_input: The old text is empty, which would match everywhere in f. Give the lines to replace; to add lines use insert_text, to write the whole file create_file with overwrite.',
      'invalid_input: The old text is empty, which would match everywhere in f. Give the lines to replace; to add lines use insert_text, to write the whole file create_file with overwrite.',
      same,
      same,
      'ambiguous: The old text occurs 2 times in f, at lines 1, 2. Add the lines around it to the old text until it is unique, or set occurrence (from 1) or replace_all.',
      'ambiguous: The old text occurs 11 times in f, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …. Add the lines around it to the old text until it is unique, or set occurrence (from 1) or replace_all.',
      'not_found: There is no occurrence 3 in f: the old text occurs 2 times, at lines 1, 2.',
      'not_found: The old text is not in f. The nearest lines are:\n1\tone thing\nCopy the lines as they are in the file (without line numbers).',
      'not_found: The old text is not in f, nor anything like it. Read the file and copy the lines as they are.',
    ]);
  });

  test('reports the number of matches and the first one if there are several', () => {
    expect([
      replaced('a\nx\nx', 'x', 'y', 'all'),
      replaced('a\nx\nx', 'x', 'y', 2),
      replaced('a\nx', 'x', 'y', 'all'),
      replaced('a\nx', 'x', 'y', 1),
      replaced('  a = 1\n', ' a = 1', 'b'),
    ]).toEqual([
      ['a\ny\ny', 2, 2],
      ['a\nx\ny', 1, 3],
      ['a\ny', 1, 2],
      ['a\ny', 1, 2],
      [' b\n', 1, 1],
    ]);
  });
});

test('an edit has exactly one form', () => {
  const one = { old: 'a', new: 'b' };
  const shape = (input: object) => reply(() => editShape(input));
  const exactly = 'invalid_input: Give exactly one of edits, old_str with new_str, or unified_diff;';
  const replacement = { ...one, occurrence: 0 };
  expect([
    shape({}),
    shape({ edits: [], unified_diff: ' ' }),
    shape({ edits: [one], old_str: '', new_str: '' }),
    shape({ edits: [one], old_str: 'x' }),
    shape({ edits: [one], unified_diff: '@@\n-a\n+b' }),
    shape({ old_str: 'a', new_str: 'b', unified_diff: 'x' }),
    shape({ unified_diff: '@@\n-a\n+b', old_str: '' }),
    shape({ old_str: 'a' }),
    shape({ new_str: 'b' }),
    shape({ old_str: '', new_str: 'b', edits: [] }),
    shape({ old_str: 'a', new_str: 'b', replace_all: true }),
    shape({ edits: [one, { ...one, occurrence: 2 }, { ...one, replace_all: false }], replace_all: true }),
  ]).toEqual([
    `${exactly} none was given.`,
    `${exactly} none was given.`,
    { kind: 'replacements', replacements: [replacement] },
    `${exactly} given were edits, old_str and new_str.`,
    `${exactly} given were edits, unified_diff.`,
    `${exactly} given were old_str and new_str, unified_diff.`,
    { kind: 'unified_diff', diff: '@@\n-a\n+b' },
    'invalid_input: old_str and new_str belong together; to delete text, give an empty new_str.',
    'invalid_input: old_str and new_str belong together; to delete text, give an empty new_str.',
    { kind: 'replacements', replacements: [{ old: '', new: 'b', occurrence: 0 }] },
    { kind: 'replacements', replacements: [{ ...one, occurrence: 'all' }] },
    {
      kind: 'replacements',
      replacements: [
        { ...one, occurrence: 'all' },
        { ...one, occurrence: 2 },
        { ...one, occurrence: 0 },
      ],
    },
  ]);
  expect(reply(() => replacementOf({ ...one, occurrence: 2, replace_all: true }, {}))).toBe(
    'invalid_input: occurrence 2 wants one place and replace_all wants every one; give only one of the two.',
  );
  expect(replacementOf({ ...one, occurrence: 0, replace_all: true }, {})).toEqual({
    ...one,
    occurrence: 'all',
  });
});

test("one of several edits accepts other agents' argument names", () => {
  const given = [
    { old: 'a', new: 'b', path: 'p' },
    { old_str: 'a', new_str: 'b', file_path: 'p' },
    { old_string: 'a', new_string: 'b', path: 'p', occurrence: null, replace_all: 'true' },
  ];
  const all = given.map((one) => editItemOfFile.parse(one) as Record<string, unknown>);
  expect(all.map(({ old, new: next, path, replace_all }) => [old, next, path, replace_all])).toEqual([
    ['a', 'b', 'p', undefined],
    ['a', 'b', 'p', undefined],
    ['a', 'b', 'p', true],
  ]);
  expect([
    editItem.safeParse({ old: 'a' }).success,
    editItem.safeParse('a').success,
    editItem.safeParse(null).success,
  ]).toEqual([false, false, false]);
});

test('commands of another editor map to the tools that do the same', () => {
  const intended = (input: unknown, tool = 'edit_file') => editorCall(tool, input as never);
  expect([
    intended({ command: 'view', path: 'a', view_range: [1, 2] }),
    intended({ command: 'view', file_path: 'a' }),
    intended({ command: 'create', path: 'a', file_text: 'x' }),
    intended({ command: 'create', path: 'a', content: 'y' }),
    intended({ command: 'insert', path: 'a', insert_line: 3, insert_text: 'x' }),
    intended({ command: 'insert', path: 'a', insert_line: 0, new_str: 'y' }),
    intended({ command: 'str_replace', path: 'a' }),
    intended({ command: 'view' }, 'read'),
    ...[null, 'view', ['view']].map((input) => intended(input)),
  ]).toEqual([
    { tool: 'read', input: { path: 'a', read_range: [1, 2] } },
    { tool: 'read', input: { path: 'a' } },
    { tool: 'create_file', input: { path: 'a', content: 'x', overwrite: true } },
    { tool: 'create_file', input: { path: 'a', content: 'y', overwrite: true } },
    { tool: 'insert_text', input: { path: 'a', line: 3, text: 'x' } },
    { tool: 'insert_text', input: { path: 'a', line: 0, text: 'y' } },
    ...[null, null, null, null, null],
  ]);
});

test('an over-escaped text is tried without its quotes, then without any escapes', () => {
  const tried = (text: string) => unescapings(text).map((one) => one.text);
  expect([
    tried('say(\\"a\\")'),
    tried('a\\nb\\tc\\r\\nd'),
    tried('\\"a\\"\\n'),
    tried("\\'\\`\\$\\\\"),
    tried('a\\\nb'),
    tried('plain \\x'),
  ]).toEqual([['say("a")'], ['a\nb\tc\nd'], ['"a"\\n', '"a"\n'], ["'`$\\"], ['a\nb'], []]);
  const adapted = (text: string, next: string) => unescapings(text).map((one) => one.adapt(next));
  expect([
    adapted('\\"a\\"', '\\"b\\"'),
    adapted('\\"a\\"', '"b\\"'),
    adapted('\\"a\\"', 'b\\n'),
    adapted('a\\nb', 'c\\nd'),
    adapted('a\\nb', 'c\nd\\n'),
    adapted('\\"a\\"', '\\\\b'),
  ]).toEqual([['"b"'], ['"b\\"'], ['b\\n'], ['c\nd'], ['c\nd\\n'], ['\\b']]);
});

test('line numbers are removed if each line has one and they increase', () => {
  const forms = ['1\ta', '1: a', '1:a', '1| a', '1|a', ' 12→a', 'L3\ta'];
  expect(forms.map(withoutLineNumbers)).toEqual(['a', 'a', 'a', 'a', 'a', 'a', 'a']);
  expect([
    withoutLineNumbers('1\ta\n2\tb\n'),
    withoutLineNumbers('2\ta\n2\tb'),
    withoutLineNumbers('1\ta\nb'),
    withoutLineNumbers('1\ta\n\n2\tb'),
    withoutLineNumbers(''),
    withoutLineNumbers('1 a'),
    withoutLineNumbers('0\ta\n1\tb'),
  ]).toEqual(['a\nb\n', null, null, null, null, null, 'a\nb']);
});

test('lines are inserted after a line, with the line endings around them', () => {
  const insert = (file: string, after: number, text: string) =>
    reply(() => {
      const made = insertLines('f', file, after, text);
      return [made.text, made.firstLine, made.count];
    });
  expect([
    insert('a\nb\n', 0, 'x'),
    insert('a\nb\n', 1, 'x\ny\n'),
    insert('a\nb\n', -1, 'x'),
    insert('a\nb', 2, 'x'),
    insert('a\nb', 1, 'x\r\n'),
    insert('a\r\nb\r\n', 1, 'x\ny'),
    insert('a\r\nb', -1, 'x'),
    insert('', 0, 'x'),
    insert('', -1, ''),
    insert('a\n', 2, 'x'),
    insert('a\nb\n', 3, 'x'),
  ]).toEqual([
    ['x\na\nb\n', 1, 1],
    ['a\nx\ny\nb\n', 2, 2],
    ['a\nb\nx\n', 3, 1],
    ['a\nb\nx', 3, 1],
    ['a\nx\nb', 2, 1],
    ['a\r\nx\r\ny\r\nb\r\n', 2, 2],
    ['a\r\nb\r\nx', 3, 1],
    ['x\n', 1, 1],
    ['\n', 1, 1],
    'invalid_input: f has 1 line; line 2 is past its end. Give 0 to 1, or -1 for the end.',
    'invalid_input: f has 2 lines; line 3 is past its end. Give 0 to 2, or -1 for the end.',
  ]);
});

test('a rewritten file keeps its byte order mark and its line endings', () => {
  const over = (before: string | Buffer, text: string) => {
    const { content, preserved } = overwritten(Buffer.from(before as string), text);
    return [content.toString(), preserved];
  };
  expect([
    over('a\r\nb\r\n', 'x\ny\n'),
    over('a\r\nb', 'x\n'),
    over('a\r\nb\n', 'x\n'),
    over('a\r\n', 'x\r\ny\n'),
    over('a\r\n', 'x'),
    over('ab', 'x\n'),
    over('\ufeffa\r\n', 'x\n'),
    over('\ufeffa', '\ufeffx'),
    over(Buffer.from([0xff]), 'x\n'),
    over('\0\r\n', 'x\n'),
  ]).toEqual([
    ['x\r\ny\r\n', ', CRLF line endings kept'],
    ['x\r\n', ', CRLF line endings kept'],
    ['x\n', ''],
    ['x\r\ny\n', ''],
    ['x', ''],
    ['x\n', ''],
    ['\ufeffx\r\n', ', byte order mark kept, CRLF line endings kept'],
    ['\ufeffx', ''],
    ['x\n', ''],
    ['x\n', ''],
  ]);
});

describe('the nearest lines', () => {
  test('are those similar to the longest line, counted from the start of the text', () => {
    const text = ['alpha', 'beta', 'const total = sum(items);', 'gamma', 'delta'].join('\n');
    expect([
      nearestLines(text, 'const total = sun(items);'),
      nearestLines(text, 'x\nconst total = sun(items);\ny'),
      nearestLines(text, 'const total = sun(items);\na\nb\nc\nd\ne'),
      nearestLines(text, 'zzzz yyyy'),
      nearestLines(text, 'a'),
      nearestLines(text, ''),
      nearestLines('ab\r\n', 'abc'),
    ]).toEqual([
      '3\tconst total = sum(items);',
      '2\tbeta\n3\tconst total = sum(items);\n4\tgamma',
      '3\tconst total = sum(items);\n4\tgamma\n5\tdelta',
      null,
      null,
      null,
      '1\tab',
    ]);
  });

  test('are twelve at most, six of them before', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line number ${index}`);
    const wanted = [
      ...Array.from({ length: 9 }, () => 'x'),
      'line number 20 or so',
      ...Array.from({ length: 9 }, () => 'x'),
    ];
    const displayed = nearestLines(lines.join('\n'), wanted.join('\n'))?.split('\n') ?? [];
    expect([displayed.length, displayed[0], displayed.at(-1)]).toEqual([
      12,
      '15\tline number 14',
      '26\tline number 25',
    ]);
  });
});

test.for([
  ...[
    '// ... existing code ...',
    '# … rest of the code',
    '... rest of code',
    '/* ... remaining methods unchanged ... */',
  ],
  ...[
    '<!-- ... other lines here ... -->',
    '(rest of the long method ...)',
    '// ... remainder of this class',
    '# ... all the other functions',
  ],
  ...[
    '// ... previous implementation stays the same',
    '// ... unchanged content',
    '-- ... existing line remains unchanged',
    '// ... rest of it as before',
  ],
])('%s is a placeholder for code', (line) => {
  const refuse = (path: string, before: string) =>
    reply(() => refuseOmission(path, before, `a\n  ${line}\nb`));
  expect([refuse('f.ts', ''), refuse('f.ts', ` ${line} `), refuse('f.md', ''), refuse('f.rst', '')]).toEqual([
    `invalid_input: The new text of f.ts has the line "${line}" in place of code, which would be written literally. Give all the lines, or change less.`,
    undefined,
    undefined,
    undefined,
  ]);
});

test.for([
  ...[
    'rest of the code',
    'a ... existing code ...',
    '"... existing code ..."',
    '// ... code',
    `// ... existing code ${'.'.repeat(90)}`,
  ],
  ...['// ... existing code is here', '// ... rest of one two three four words', 'x(...rest)'],
])('%s is no placeholder', (line) => {
  expect(reply(() => refuseOmission('f.ts', '', line))).toBeUndefined();
});

test('changes are displayed with two lines around them', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `l${index + 1}`);
  const changed = (...at: number[]) =>
    lines.map((line, index) => (at.includes(index + 1) ? `${line}!` : line)).join('\n');
  const before = lines.join('\n');
  expect([
    changedPlaces(before, changed(5)),
    changedPlaces(before, changed(5, 10)),
    changedPlaces(before, changed(5, 11)),
    changedPlaces(before, lines.filter((_, index) => index !== 4).join('\n')),
    changedPlaces('a\n', 'a\n'),
  ]).toEqual([
    '3\tl3\n4\tl4\n5\tl5!\n6\tl6\n7\tl7',
    '3\tl3\n4\tl4\n5\tl5!\n6\tl6\n7\tl7\n8\tl8\n9\tl9\n10\tl10!\n11\tl11\n12\tl12',
    '3\tl3\n4\tl4\n5\tl5!\n6\tl6\n7\tl7\n…\n9\tl9\n10\tl10\n11\tl11!\n12\tl12\n13\tl13',
    '3\tl3\n4\tl4\n5\tl6\n6\tl7',
    '',
  ]);
});

test('24 lines of a long change are displayed, and 80 of all', () => {
  const many = Array.from({ length: 26 }, (_, index) => `n${index}`).join('\n');
  const long = changedPlaces('a\n', `${many}\n`).split('\n');
  expect([long.length, long.at(-1)]).toEqual([25, '[2 more lines]']);
  const lines = Array.from({ length: 400 }, (_, index) => `l${index}`);
  const each = lines.map((line, index) => (index % 10 === 5 ? `${line}!` : line)).join('\n');
  const displayedText = changedPlaces(lines.join('\n'), each).split('\n…\n');
  expect([displayedText.length, displayedText.at(-1)]).toEqual([17, '[24 more places]']);
});
