import { describe, expect, test } from 'vitest';
import {
  gitNames,
  headerPath,
  parseFileHeader,
  parseQuotedPath,
  strippedGit,
  strippedPlain,
  wholeName,
  withoutFolders,
} from '../../../src/tools/patch/parse-file-header.ts';

/** The header at a line of a patch, or the words in which it is refused. */
function header(lines: readonly string[], at = 0, strip: number | null = null) {
  const cursor = { lines: [...lines], at };
  try {
    return { read: parseFileHeader(cursor, strip), at: cursor.at };
  } catch (error) {
    return (error as Error).message;
  }
}
const plain = {
  ...{ oldPath: 'x', newPath: 'x', added: false, deleted: false, copy: false },
  ...{ git: false, mode: null, preimage: null },
};
const git = { ...plain, git: true };
const begin = 'diff --git a/x b/x';

test.each([
  // The end of the patch, right there and after the first line.
  [['q'], 1, { read: null, at: 1 }],
  [['q', '--- a/x'], 1, { read: null, at: 1 }],
  // Without prefixes, where nothing else can be taken off.
  [['--- x', '+++ x'], 0, { read: plain, at: 2 }],
  [['q', '--- a/x', '+++ '], 1, 'Patch line 3: the file name is missing.'],
  [['q', '--- ', '+++ b/x'], 1, 'Patch line 2: the file name is missing.'],
  [['q', begin, '--- a/x', '+++ '], 1, 'Patch line 4: the file name is missing.'],
  [['q', begin, '--- ', '+++ b/x'], 1, 'Patch line 3: the file name is missing.'],
  [['q', begin, '--- a/x'], 1, 'Patch line 4: a line "+++ b/file" must follow "--- a/file".'],
  [['q', begin], 1, { read: git, at: 2 }],
  // Words in the middle of a line are no header of git.
  [[begin, ' GIT binary patch'], 0, { read: git, at: 1 }],
  [[begin, ' Binary files a and b differ'], 0, { read: git, at: 1 }],
  [[begin, ' index 0123456..0123456'], 0, { read: git, at: 1 }],
  [[begin, 'index z0123456..0123456'], 0, { read: git, at: 2 }],
  [[begin, 'similarity index 0123456..9'], 0, { read: git, at: 2 }],
  [[begin, `index ${'0'.repeat(64)}..1`], 0, { read: { ...git, preimage: '0'.repeat(64) }, at: 2 }],
  [[begin, `index ${'0'.repeat(65)}..1`], 0, { read: git, at: 2 }],
  // Half a rename is none.
  [['diff --git a/x b/y', 'rename to y', '--- a/x', '+++ b/y'], 0, { read: { ...git, newPath: 'y' }, at: 4 }],
  [
    ['diff --git a/x b/y', 'rename from q', '--- a/x', '+++ b/y'],
    0,
    { read: { ...git, newPath: 'y' }, at: 4 },
  ],
  [
    ['diff --git a/x b/y', 'copy from x', 'rename to y'],
    0,
    { read: { ...git, newPath: 'y', copy: true }, at: 3 },
  ],
  [
    ['diff --git a/x b/y', 'rename from x', 'copy to y'],
    0,
    { read: { ...git, newPath: 'y', copy: true }, at: 3 },
  ],
  [[begin, 'new mode 100755 '], 0, { read: { ...git, mode: 0o755 }, at: 2 }],
  [[begin, 'new mode 100711'], 0, { read: { ...git, mode: 0o755 }, at: 2 }],
  [[begin, 'new mode 100655'], 0, { read: { ...git, mode: 0o644 }, at: 2 }],
  [
    [begin, 'new mode 0100644'],
    0,
    'Patch line 2: the mode 0100644 is not supported; only 100644 and 100755 files can be patched.',
  ],
  [['--- a/x\t1970-01-01 00:00:00 +0000  ', '+++ b/x'], 0, { read: { ...plain, oldPath: null }, at: 2 }],
  [['--- a/x\t1970-01-01 00:00:00 +0000 z', '+++ b/x'], 0, { read: plain, at: 2 }],
])('%j from %d', (lines, at, expected) => {
  expect(header(lines, at)).toEqual(expected);
});

/** The message of what a call throws. */
function thrown(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}

describe('a path in quotes', () => {
  test.each([
    ['"a b" c', { path: 'a b', rest: ' c' }],
    [String.raw`"\a\b\t\n\v\f\r\"\\" x`, { path: '\u0007\b\t\n\v\f\r"\\', rest: ' x' }],
    [String.raw`"\303\244.ts"`, { path: 'ä.ts', rest: '' }],
    [String.raw`"ä\303\266\q1"`, { path: 'äöq1', rest: '' }],
    [String.raw`"\1014"`, { path: 'A4', rest: '' }],
    ['"open', { path: '"open', rest: '' }],
    ['x "a"', { path: 'x "a"', rest: '' }],
    ['"a\nb"', { path: 'a\nb', rest: '' }],
    ['""', { path: '', rest: '' }],
  ])('%s', (text, expected) => {
    expect(parseQuotedPath(text)).toEqual(expected);
  });
});

describe('a name after --- or +++', () => {
  test.each([
    ['a/x.ts', 'a/x.ts'],
    ['a/x.ts\r', 'a/x.ts'],
    ['a/x y.ts\t', 'a/x y.ts'],
    ['a/x.ts\t2024-01-02 03:04:05.123 +0100', 'a/x.ts'],
    ['a/x.ts 2024-01-02 03:04', 'a/x.ts'],
    ['a/x.ts 2024-01-02 03:04:05', 'a/x.ts'],
    ['a/x.ts 2024-01-02 03:04:05.5 -01:00  ', 'a/x.ts'],
    ['a/x 2024-01-02 03:04\ty', 'a/x'],
    ['a/x 2024-01-02', 'a/x 2024-01-02'],
    ['a/x  ', 'a/x'],
    ['a/x  \t', 'a/x  '],
    ['"a/\\303\\244" z', 'a/ä'],
    ['/dev/null', null],
    ['/dev/null\t1970-01-01 00:00:00', null],
    ['"/dev/null"', '/dev/null'],
  ])('%j', (text, expected) => {
    expect(headerPath(text, 3)).toBe(expected);
  });

  test('must exist and be UTF-8', () => {
    const odd = 'Patch line 4: the file name is not UTF-8, which file tools cannot write; use a command.';
    expect([
      thrown(() => headerPath('', 3)),
      thrown(() => headerPath('"\\377"', 3)),
      thrown(() => headerPath('\ufffd', 3)),
      thrown(() => wholeName('\r', 0)),
    ]).toEqual([
      'Patch line 4: the file name is missing.',
      odd,
      odd,
      'Patch line 1: the file name is missing.',
    ]);
  });
});

test('a name after "rename from" is the whole line', () => {
  expect(
    ['a b\tc 2024-01-02 03:04', 'x\r', '"\\303\\244" z', 'x '].map((text) => wholeName(text, 0)),
  ).toEqual(['a b\tc 2024-01-02 03:04', 'x', 'ä', 'x ']);
});

describe('the names of a git line', () => {
  test.each([
    ['a/x.ts b/x.ts', null, ['x.ts', 'x.ts']],
    ['a/x.ts b/x.ts\r', null, ['x.ts', 'x.ts']],
    ['a/x y b/x y', null, ['x y', 'x y']],
    ['a/x.ts b/y.ts', null, null],
    ['a/x.ts', null, null],
    ['x x', null, ['x', 'x']],
    ['a/q/x.ts b/q/x.ts', 2, ['x.ts', 'x.ts']],
    ['"a/\\303\\244" b/z', null, ['ä', 'z']],
    ['"a/1"  "b/2"', null, ['1', '2']],
    ['a/1 2 "b/\\303\\244"', null, ['1 2', 'ä']],
  ] as const)('%s', (text, strip, expected) => {
    expect(gitNames(text, 0, strip)).toEqual(expected);
  });
});

describe('names without their prefixes', () => {
  test.each([
    [['a/x', 'b/x'], null, ['x', 'x']],
    [['i/x', 'w/x'], null, ['x', 'x']],
    [['c/x', 'o/x'], null, ['x', 'x']],
    [['a/x', 'a/x'], null, ['a/x', 'a/x']],
    [['a/x', 'x'], null, ['a/x', 'x']],
    [['d/x', 'e/x'], null, ['d/x', 'e/x']],
    [['a/x', null], null, ['x', null]],
    [[null, 'b/x'], null, [null, 'x']],
    [['a/x', 'b/x'], 0, ['a/x', 'b/x']],
    [['a/x/y', 'b/z/y'], 2, ['y', 'y']],
  ] as const)('%j of a git header with %j', (names, strip, expected) => {
    expect(strippedGit([...names], strip)).toEqual(expected);
  });

  test.each([
    [['old/f.c', 'new/f.c'], null, ['f.c', 'f.c']],
    [['old/s/f.c', 'new/s/f.c'], null, ['s/f.c', 's/f.c']],
    [['old/s/f.c', 'new/f.c'], null, ['new/f.c', 'new/f.c']],
    [['f.c', 'f.c.new'], null, ['f.c', 'f.c']],
    [['f.c.orig', 'f.c'], null, ['f.c', 'f.c']],
    [['x/f.c', 'y/g.c'], null, ['y/g.c', 'y/g.c']],
    [['old/f.c', 'new/f.c'], 0, ['new/f.c', 'new/f.c']],
    [['a/f.c', 'b/f.c'], null, ['f.c', 'f.c']],
    [[null, 'b/f.c'], null, [null, 'f.c']],
    [['a/f.c', null], null, ['f.c', null]],
  ] as const)('%j of a plain header with %j', (names, strip, expected) => {
    expect(strippedPlain([...names], strip)).toEqual(expected);
  });

  test('never loses more folders than a path has', () => {
    expect([
      withoutFolders('a//b/c', 1),
      withoutFolders('a', 0),
      withoutFolders(null, 2),
      withoutFolders('a/b', 1),
    ]).toEqual(['b/c', 'a', null, 'b']);
    expect(thrown(() => withoutFolders('a/b', 2))).toBe(
      'a/b has not 2 leading folders to strip; set strip lower.',
    );
  });
});

describe('the header of a file', () => {
  const read = (text: string, strip: number | null = null) => {
    const cursor = { lines: text.split('\n'), at: 0 };
    return { header: parseFileHeader(cursor, strip), at: cursor.at };
  };
  const plain = { added: false, deleted: false, copy: false, git: false, mode: null, preimage: null };
  const git = { ...plain, git: true };

  test.each([
    ['--- a/x\n+++ b/x\n@@', { ...plain, oldPath: 'x', newPath: 'x' }, 2],
    ['--- x\n@@', null, 0],
    ['+++ x\n+++ y', null, 0],
    [
      '--- a/x\t1970-01-01 00:00:00.000000000 +0000\n+++ b/x\t2024-01-01 10:00:00 +0000',
      { ...plain, oldPath: null, newPath: 'x' },
      2,
    ],
    [
      '--- a/x\t2024-01-01 10:00:00 +0000\n+++ b/x\t1970-01-01 01:00:00 +01:00',
      { ...plain, oldPath: 'x', newPath: null },
      2,
    ],
    [
      '--- a/x\t1970-01-01 00:00:00 +0100\n+++ b/x\t1970-01-01 00:00:00',
      { ...plain, oldPath: 'x', newPath: 'x' },
      2,
    ],
    [
      'diff --git a/x b/x\nindex 0123456..89abcde 100644\n--- a/x\n+++ b/x\n@@',
      { ...git, oldPath: 'x', newPath: 'x', preimage: '0123456' },
      4,
    ],
    ['diff --git a/x b/x\nindex 012345..89abcde\n@@', { ...git, oldPath: 'x', newPath: 'x' }, 2],
    [
      'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n',
      { ...git, oldPath: 'x', newPath: 'x', mode: 0o755 },
      3,
    ],
    [
      'diff --git a/x b/x\nnew file mode 100664\nindex 0000000..e69de29',
      { ...git, oldPath: null, newPath: 'x', added: true, mode: 0o644, preimage: '0000000' },
      3,
    ],
    [
      'diff --git a/x b/x\ndeleted file mode 100755',
      { ...git, oldPath: 'x', newPath: null, deleted: true },
      2,
    ],
    [
      'diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y',
      { ...git, oldPath: 'x', newPath: 'y' },
      4,
    ],
    [
      'diff --git a/x b/y\ndissimilarity index 90%\ncopy from x\ncopy to y',
      { ...git, oldPath: 'x', newPath: 'y', copy: true },
      4,
    ],
    ['diff --git a/x b/y\n--- a/x\n+++ b/y', { ...git, oldPath: 'x', newPath: 'y' }, 3],
  ])('%j', (text, header, at) => {
    expect(read(text)).toEqual({ header, at });
  });

  test('loses one folder less for a rename', () => {
    const text = 'diff --git a/q/p/x b/q/p/y\nrename from q/p/x\nrename to q/p/y';
    expect([read(text, 2).header, read(text, 1).header, read(text.replaceAll('q/', ''), 0).header]).toEqual([
      { ...git, oldPath: 'p/x', newPath: 'p/y' },
      { ...git, oldPath: 'q/p/x', newPath: 'q/p/y' },
      { ...git, oldPath: 'p/x', newPath: 'p/y' },
    ]);
  });

  test('that cannot be applied gives an error with its line', () => {
    expect([
      thrown(() => read('diff --git a/x b/x\n--- a/x\n@@')),
      thrown(() => read('diff --git a/x b/x\nGIT binary patch')),
      thrown(() => read('diff --git a/x b/x\nBinary files a/x and b/x differ')),
      thrown(() => read('diff --git a/x b/y\n@@')),
      thrown(() => read('diff --git a/x b/y\nrename from x\n@@')),
      thrown(() => read('diff --git a/x b/x\nnew file mode 120000')),
      thrown(() => read('diff --git a/x b/x\nold mode 1006440')),
    ]).toEqual([
      'Patch line 3: a line "+++ b/file" must follow "--- a/file".',
      'Patch line 2: binary patches cannot be applied; write the file with a command instead.',
      'Patch line 2: binary patches cannot be applied; write the file with a command instead.',
      'Patch line 1: the file name is missing; add --- a/file and +++ b/file.',
      'Patch line 1: the file name is missing; add --- a/file and +++ b/file.',
      'Patch line 2: the mode 120000 is not supported; only 100644 and 100755 files can be patched.',
      'Patch line 2: the mode 1006440 is not supported; only 100644 and 100755 files can be patched.',
    ]);
  });
});

test.each([
  ['a b', 'a b', ''],
  ['"a b"', 'a b', ''],
  ['"a" "b"', 'a', ' "b"'],
  ['x"a"', 'x"a"', ''],
  ['"a', '"a', ''],
  ['"', '"', ''],
  ['""', '', ''],
  ['"\\303\\244\\060"', 'ä0', ''],
  ['"\\a\\b\\t\\n\\v\\f\\r\\"\\\\"', '\u0007\b\t\n\v\f\r"\\', ''],
  ['"\\x\\1"', 'x1', ''],
  ['"a\\""b', 'a"', 'b'],
  ['"a\nä"\tb', 'a\nä', '\tb'],
])('%j is the path %j, and then %j', (text, path, rest) => {
  expect(parseQuotedPath(text)).toEqual({ path, rest });
});
