import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '../../src/workspace/unified-diff.ts';

const file = (text: string, mode = 0o644) => ({ content: Buffer.from(text), mode });
const diffOf = (before: string, after: string) =>
  unifiedDiff({ path: 'a.txt', before: file(before), after: file(after) });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

test('a small change in a long file is told by its own lines, numbered as in the file', () => {
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

test('a final newline that goes is told, also far from the beginning', () => {
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

test('a mode alone has no lines', () => {
  const text = numbered(300).join('');
  expect(unifiedDiff({ path: 'a.sh', before: file(text), after: file(text, 0o755) })).toBe(
    'diff --git a/a.sh b/a.sh\nold mode 100644\nnew mode 100755\n',
  );
});

test('what a diff says makes the one text of the other, whatever they are', () => {
  // Few different lines and long runs of them: what is alike at both ends then overlaps.
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

test('thousands of changed lines all over a file are told, and at once', () => {
  const lines = Array.from({ length: 6000 }, (_, index) => `line ${index}`);
  const now = lines.map((line, index) => (index % 2 === 0 ? line : `${line}!`));
  const diff = diffOf(`${lines.join('\n')}\n`, `${now.join('\n')}\n`);
  expect(diff.split('\n').filter((line) => /^[-+] ?line/.test(line))).toHaveLength(6000);
});
