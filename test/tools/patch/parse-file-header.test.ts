import { expect, test } from 'vitest';
import { parseFileHeader } from '../../../src/tools/patch/parse-file-header.ts';

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
