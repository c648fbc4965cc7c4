import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '../../../src/workspace/changes/unified-diff.ts';
import { isBinary } from '../../../src/workspace/files/is-binary.ts';

const file = (text: string, mode = 0o644) => ({ content: Buffer.from(text), mode });
const diffOf = (before: string, after: string) =>
  unifiedDiff({ path: 'a.txt', before: file(before), after: file(after) });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

test('shows a small change in a long file with the line numbers of the file', () => {
  const lines = numbered(20_000);
  const after = lines.with(9_999, 'other\n').toSpliced(15_000, 1).join('');
  expect(diffOf(lines.join(''), after)).toBe(`diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -9997,7 +9997,7 @@
 line 9997
 line 9998
 line 9999
-line 10000
+other
 line 10001
 line 10002
 line 10003
@@ -14998,7 +14998,6 @@
 line 14998
 line 14999
 line 15000
-line 15001
 line 15002
 line 15003
 line 15004
`);
});

test('shows a removed final newline, also far from the beginning', () => {
  const lines = numbered(300).join('');
  expect(diffOf(lines, lines.slice(0, -1)).split('\n').slice(3)).toEqual([
    '@@ -297,4 +297,4 @@',
    ' line 297',
    ' line 298',
    ' line 299',
    '-line 300',
    '+line 300',
    '\\ No newline at end of file',
    '',
  ]);
});

test('a change of mode alone has no lines', () => {
  const text = numbered(300).join('');
  expect(unifiedDiff({ path: 'a.sh', before: file(text), after: file(text, 0o755) })).toBe(
    'diff --git a/a.sh b/a.sh\nold mode 100644\nnew mode 100755\n',
  );
});

test('applying the diff to the old text gives the new one, for any texts', () => {
  // A few different lines in long runs make the equal parts at both ends overlap.
  const line = fc.constantFrom('', 'a', 'b', 'ä', '\r');
  const text = fc
    .tuple(fc.array(fc.tuple(line, fc.integer({ min: 1, max: 90 })), { maxLength: 5 }), fc.boolean())
    .map(([runs, ends]) => {
      const lines = runs.flatMap(([one, count]) => Array.from({ length: count }, () => one));
      return lines.join('\n') + (ends && lines.length > 0 ? '\n' : '');
    });
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      expect(applyPatch(before, diffOf(before, after))).toBe(after);
    }),
    { numRuns: 300 },
  );
});

test('shows thousands of changed lines', () => {
  const lines = Array.from({ length: 6000 }, (_, index) => `line ${index}`);
  const now = lines.map((line, index) => (index % 2 === 0 ? line : `${line}!`));
  const diff = diffOf(`${lines.join('\n')}\n`, `${now.join('\n')}\n`);
  expect(diff.split('\n').filter((line) => /^[-+] ?line/.test(line))).toHaveLength(6000);
});

test('shows added, deleted and renamed files with names and modes', () => {
  const one = file('one\ntwo\n');
  const script = file('one\n2\n', 0o755);
  expect([
    unifiedDiff({ path: 'src/a', before: null, after: one }),
    unifiedDiff({ path: 'src/a', before: file('one', 0o700), after: null }),
    unifiedDiff({ path: 'b', oldPath: 'src/a', before: one, after: script }),
    unifiedDiff({ path: 'b', oldPath: 'src/a', before: one, after: one }),
    unifiedDiff({ path: 'b', before: script, after: file('one\n2\n3\n', 0o700) }),
    unifiedDiff({ path: 'e', before: null, after: file('') }),
  ]).toEqual([
    'diff --git a/src/a b/src/a\nnew file mode 100644\n--- /dev/null\n+++ b/src/a\n@@ -0,0 +1,2 @@\n+one\n+two\n',
    'diff --git a/src/a b/src/a\ndeleted file mode 100755\n--- a/src/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n\\ No newline at end of file\n',
    'diff --git a/src/a b/b\nold mode 100644\nnew mode 100755\nrename from src/a\nrename to b\n--- a/src/a\n+++ b/b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    'diff --git a/src/a b/b\nrename from src/a\nrename to b\n',
    'diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1,2 +1,3 @@\n one\n 2\n+3\n',
    'diff --git a/e b/e\nnew file mode 100644\n',
  ]);
});

test('changes with at most six lines between them share a hunk', () => {
  const lines = numbered(30);
  const hunks = (...changed: readonly number[]) =>
    diffOf(lines.join(''), lines.map((line, at) => (changed.includes(at + 1) ? 'other\n' : line)).join(''))
      .split('\n')
      .filter((line) => line.startsWith('@@'));
  expect([hunks(10, 17), hunks(10, 18), hunks(1, 30), hunks(3), hunks(28)]).toEqual([
    ['@@ -7,14 +7,14 @@'],
    ['@@ -7,7 +7,7 @@', '@@ -15,7 +15,7 @@'],
    ['@@ -1,4 +1,4 @@', '@@ -27,4 +27,4 @@'],
    ['@@ -1,6 +1,6 @@'],
    ['@@ -25,6 +25,6 @@'],
  ]);
});

test('added and removed lines shift the line numbers of later hunks', () => {
  const lines = numbered(40);
  const now = lines.toSpliced(29, 1).toSpliced(9, 0, 'new\n', 'new too\n').join('');
  expect(diffOf(lines.join(''), now).split('\n').slice(3)).toEqual([
    ...['@@ -7,6 +7,8 @@', ' line 7', ' line 8', ' line 9', '+new', '+new too', ' line 10', ' line 11'],
    ...[' line 12', '@@ -27,7 +29,6 @@', ' line 27', ' line 28', ' line 29', '-line 30', ' line 31'],
    ...[' line 32', ' line 33', ''],
  ]);
});

test('a file is binary if either side has a NUL byte in its first 8,000', () => {
  const nul = (at: number) => `${'x'.repeat(at)}\0`;
  expect([
    ...[7_999, 8_000].map((at) => isBinary(Buffer.from(nul(at)))),
    diffOf('a', '\0'),
    diffOf('\0', 'a'),
    unifiedDiff({ path: 'a', before: null, after: file('\0') }),
  ]).toEqual([true, false, '', '', '']);
});

test('shows a diff of 256 KiB and omits one that is a byte longer', () => {
  const header = 'diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+'
    .length;
  const room = 256 * 1024 - header - 1;
  const lengths = [room, room + 1, 300_000].map(
    (size) => unifiedDiff({ path: 'a', before: null, after: file(`${'x'.repeat(size)}\n`) }).length,
  );
  expect(lengths).toEqual([256 * 1024, 0, 0]);
});
