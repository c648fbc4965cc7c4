import { describe, expect, test } from 'vitest';
import type { ToolError } from '../../../src/contract/errors.ts';
import { parseHunksOnly, parseUnified } from '../../../src/tools/patch/parse-unified.ts';

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;
const reply = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return `${(error as ToolError).kind}: ${(error as Error).message}`;
  }
};
/** Files as they are patched, each hunk by its lines. */
const read = (text: string, strip: number | null = null) =>
  reply(() =>
    parseUnified(text, strip).map((patch) => ({
      ...patch,
      ...('hunks' in patch
        ? {
            hunks: patch.hunks.map((hunk) => hunk.lines.map(({ mark, text: line }) => mark + line).join('|')),
          }
        : {}),
    })),
  );
const update = {
  ...{ kind: 'update', path: 'x', to: null, copy: false, overwrite: false },
  ...{ mode: null, preimage: null, hunks: ['-a|+b'] },
};
const head = ['--- a/x', '+++ b/x'];
const hunk = ['@@ -1 +1 @@', '-a', '+b'];

describe('the effect of a diff on a file', () => {
  test.each([
    [lines(...head, ...hunk), [update]],
    [lines('Dear all,', '', ...head, ...hunk, '-- ', '2.40'), [update]],
    [
      lines(...head, ...hunk, '@@ -9 +9 @@', '-c', '+d', '--- a/y', '+++ b/y', ...hunk),
      [
        { ...update, hunks: ['-a|+b', '-c|+d'] },
        { ...update, path: 'y' },
      ],
    ],
    [
      lines(
        'diff --git a/x b/y',
        'similarity index 90%',
        'copy from x',
        'copy to y',
        'new mode 100755',
        ...hunk,
      ),
      [{ ...update, to: 'y', copy: true, mode: 0o755 }],
    ],
    [
      lines('diff --git a/x b/x', 'index 0123456..89abcde 100644', ...head, ...hunk),
      [{ ...update, preimage: '0123456' }],
    ],
    [
      lines('diff --git a/x b/x', 'old mode 100644', 'new mode 100755'),
      [{ ...update, mode: 0o755, hunks: [] }],
    ],
    [lines('diff --git a/x b/y', 'rename from x', 'rename to y'), [{ ...update, to: 'y', hunks: [] }]],
    // Git names files of which nothing changed.
    [lines('diff --git a/x b/x', 'index 0123456..89abcde 100644'), []],
    [
      lines('--- a/x', '+++ /dev/null', '@@ -1 +0,0 @@', '-a'),
      [{ kind: 'delete', path: 'x', hunks: ['-a'] }],
    ],
    [lines('diff --git a/x b/x', 'deleted file mode 100644'), [{ kind: 'delete', path: 'x', hunks: [] }]],
    [
      lines('--- /dev/null', '+++ b/x', '@@ -0,0 +1,2 @@', '+a', '+b'),
      [{ kind: 'add', path: 'x', content: 'a\nb\n', mode: null }],
    ],
    [
      lines('--- /dev/null', '+++ b/x', '@@ -0,0 +1 @@', '+a', '\\ No newline at end of file'),
      [{ kind: 'add', path: 'x', content: 'a', mode: null }],
    ],
    [
      lines('diff --git a/x b/x', 'new file mode 100755'),
      [{ kind: 'add', path: 'x', content: '', mode: 0o755 }],
    ],
    [lines('nothing'), []],
    [lines('Not: diff --cc x', ' @@@ -1'), []],
    ['', []],
  ])('%j', (text, patches) => {
    expect(read(text)).toEqual(patches);
  });

  test('applies to the path without the stripped folders', () => {
    expect(read(lines('--- a/q/x', '+++ b/q/x', ...hunk), 2)).toEqual([update]);
  });

  test.each([
    [
      lines('', ...hunk),
      'Patch line 2: a hunk stands before any file; put --- a/file and +++ b/file before it.',
    ],
    [
      lines('diff --cc x', 'index 1,2..3'),
      'Patch line 1: a combined diff of a merge cannot be applied; give the diff to one parent.',
    ],
    [
      lines('diff --combined x'),
      'Patch line 1: a combined diff of a merge cannot be applied; give the diff to one parent.',
    ],
    [
      lines('q', '@@@ -1 -1 +1 @@@'),
      'Patch line 2: a combined diff of a merge cannot be applied; give the diff to one parent.',
    ],
    [
      lines('--- /dev/null', '+++ /dev/null', ...hunk),
      'Patch line 3: both sides of the change are /dev/null.',
    ],
    [lines(...head, 'q'), 'Patch line 3: x has file headers but no hunk (@@ -1,2 +1,3 @@).'],
    [lines('--- /dev/null', '+++ b/x', ...hunk), 'x is a new file, so every line of it must begin with "+".'],
  ])('is refused: %j', (text, words) => {
    expect(read(text)).toBe(`invalid_patch: ${words}`);
  });
});

describe('the hunks for a given file', () => {
  const hunks = (text: string) =>
    reply(() =>
      parseHunksOnly(text).map((one) => one.lines.map(({ mark, text: line }) => mark + line).join('|')),
    );
  const other =
    'invalid_patch: unified_diff must change just this one existing file. Use apply_patch to add, delete, rename, or change several.';
  test.each([
    [lines(...hunk), ['-a|+b']],
    [`\n\n${lines(...hunk)}\n\n`, ['-a|+b']],
    [lines(...hunk, '@@ -9 +9 @@', '-c', '+d'), ['-a|+b', '-c|+d']],
    [lines(...head, ...hunk), ['-a|+b']],
    [lines(...head, ...hunk, '--- a/y', '+++ b/y', ...hunk), other],
    [lines('--- a/x', '+++ /dev/null', '@@ -1 +0,0 @@', '-a'), other],
    [lines('diff --git a/x b/y', 'rename from x', 'rename to y'), other],
    ['', other],
    [
      lines(...hunk, 'more words', 'and more'),
      'invalid_patch: Patch line 4: "more words" does not belong to a hunk.',
    ],
  ])('%j', (text, expected) => {
    expect(hunks(text)).toEqual(expected);
  });
});
