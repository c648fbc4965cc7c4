import { expect, test } from 'vitest';
import { diffCounts } from '../../../src/reporting/diff/git-patch.ts';
import { renderDiff } from '../../../src/reporting/html/render-changes.ts';

/** Each row of a diff: its class, its numbers and its words. */
function rows(diff: string, { lines = 100, budget = 100_000, whole = diff.length } = {}) {
  const { html } = renderDiff(diff, whole, { lines, budget }).html;
  const found = [...html.matchAll(/<tr class="(.)"><td>(\d*)<\/td><td>(\d*)<\/td><td>(.*?)<\/td><\/tr>/gs)];
  const cut = /<p class="cut">(.*)<\/p>/.exec(html)?.[1];
  return [...found.map((one) => one.slice(1).join(' ')), ...(cut === undefined ? [] : [cut])];
}

const head = 'diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n';

test('numbers lines on both sides', () => {
  const diff = `${head}@@ -9,3 +19,3 @@ f()\n a\n-gone\n-too\n+new\n b\n\\ No newline\n\n@@ -1 +1 @@\n+c\n`;
  expect(rows(diff)).toEqual([
    ...['h   @@ -9,3 +19,3 @@ f()', 's 9 19  a', 'd 10  -gone', 'd 11  -too', 'a  20 +new', 's 12 21  b'],
    ...['h   \\ No newline', 'h   @@ -1 +1 @@', 'a  1 +c'],
  ]);
});

const notes = [
  'old mode 1',
  'new mode 2',
  'new file mode 1',
  'deleted file mode 1',
  'rename from a',
  'copy to b',
];

test.each([
  ...notes,
  'similarity index 90%',
  'Binary files differ',
  'GIT binary patch',
])('displays the header line of a file: %s', (note) => {
  expect(rows(`diff --git a/x b/x\n${note}\nindex 1..2\n`)).toEqual([`h   ${note}`]);
});

const changed = (before: string, after: string) => rows(`@@ -1 +1 @@\n-${before}\n+${after}`).slice(1);

test.each([
  ['const a = 1;', 'const b = 1;', '-const <b>a</b> = 1;', '+const <b>b</b> = 1;'],
  ['abcdef', 'abcdefg', '-abcdef<b></b>', '+abcdef<b>g</b>'],
  ['abc', 'xyz', '-abc', '+xyz'],
  ['abcde', 'abxyz', '-ab<b>cde</b>', '+ab<b>xyz</b>'],
  ['abcde', 'axyzv', '-a<b>bcde</b>', '+a<b>xyzv</b>'],
  ['abcdef', 'axyzvw', '-abcdef', '+axyzvw'],
  ['aaaa😀b', 'aaaa😁b', '-aaaa<b>😀</b>b', '+aaaa<b>😁</b>b'],
  ['aaaa\u{1F600}bb', 'aaaa\u{1FA00}bb', '-aaaa<b>\u{1F600}</b>bb', '+aaaa<b>\u{1FA00}</b>bb'],
  ['aaaa', 'aaaaaa', '-aaaa<b></b>', '+aaaa<b>aa</b>'],
])('marks the difference between %j and %j', (before, after, old, fresh) => {
  expect(changed(before, after)).toEqual([`d 1  ${old}`, `a  1 ${fresh}`]);
});

test('marks no parts in lines that were not changed one for one', () => {
  expect(rows('@@ -1,2 +1,1 @@\n-abc1\n-abc2\n+abc3').slice(1)).toEqual([
    'd 1  -abc1',
    'd 2  -abc2',
    'a  1 +abc3',
  ]);
  expect(rows('@@ -1,2 +1,2 @@\n-abc1\n-xyz1\n+abc2\n+xyz2').slice(1)).toEqual([
    ...['d 1  -abc<b>1</b>', 'd 2  -xyz<b>1</b>', 'a  1 +abc<b>2</b>', 'a  2 +xyz<b>2</b>'],
  ]);
});

test('counts omitted lines', () => {
  const diff = '@@ -1 +1 @@\n a\n b';
  const size = '<tr class="h"><td></td><td></td><td>@@ -1 +1 @@</td></tr>'.length;
  expect([
    rows(diff, { lines: 2 }),
    rows(diff, { budget: size }),
    rows(diff, { budget: size - 1 }),
    rows(diff, { whole: diff.length + 1 }),
    rows(`@@ -1 +1 @@\n ${'x'.repeat(2_000)}`).at(-1)?.length,
    renderDiff(diff, diff.length, { lines: 1, budget: 1_000 }).bytes,
  ]).toEqual([
    ['h   @@ -1 +1 @@', 's 1 1  a', '1 more line left out here.'],
    ['h   @@ -1 +1 @@', '2 more lines left out here.'],
    ['3 more lines left out here.'],
    ['h   @@ -1 +1 @@', 's 1 1  a', 's 2 2  b', '0 more lines and what follows them left out here.'],
    's 1 1 '.length + 2_001,
    size + 200,
  ]);
});

test('counts added and removed lines below the header of a diff', () => {
  expect([diffCounts(`${head}@@ -1 +1 @@\n-a\n+b\n+c\n d`), diffCounts('+a\n-b'), diffCounts('')]).toEqual([
    { added: 2, removed: 1 },
    { added: 1, removed: 1 },
    { added: 0, removed: 0 },
  ]);
});
