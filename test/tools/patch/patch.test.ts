import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

const lines = (...all: string[]) => `${all.join('\n')}\n`;
const numbers = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
const files = {
  'n.txt': lines(...numbers),
  'sub/b.txt': 'b\n',
  'twice.txt': lines('x', 'same', 'y', 'same', 'z'),
};

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools(files);
});
afterEach(() => tools.close());

const header = ['--- a/n.txt', '+++ b/n.txt'];
const hunk = (at: number) => [
  `@@ -${at},7 +${at},7 @@`,
  ...numbers.slice(2, 5).map((line) => ` ${line}`),
  '-line 6',
  '+LINE 6',
  ...numbers.slice(6, 9).map((line) => ` ${line}`),
];

test('a hunk at its stated line applies without a remark', async () => {
  expect(await tools.say('patch', { patch: lines(...header, ...hunk(3)) })).toBe(
    'Patch applied: changed n.txt (1 hunk).',
  );
  expect(tools.tree()['n.txt']).toBe(files['n.txt'].replace('line 6', 'LINE 6'));
});

test('a hunk is searched for around its line, and later hunks move along', async () => {
  const second = ['@@ -2,2 +2,3 @@', ' line 11', '+between', ' line 12'];
  const { content, data } = await tools.call('patch', {
    diff: lines(...header, ...hunk(1), ...second.map((line) => line.replace('-2,2 +2,3', '-9,2 +9,3'))),
  });
  expect({ content, data }).toEqual({
    content: [
      'Patch applied: changed n.txt (2 hunks).',
      'Hunk 1 of n.txt went in 2 lines further down than stated.',
      'Hunk 2 of n.txt went in 2 lines further down than stated.',
      'n.txt:\n4\tline 4\n5\tline 5\n6\tLINE 6\n7\tline 7\n8\tline 8',
      '…\n10\tline 10\n11\tline 11\n12\tbetween\n13\tline 12',
    ].join('\n'),
    data: {
      hunks: [
        { path: 'n.txt', number: 1, fuzz: 0, offset: 2 },
        { path: 'n.txt', number: 2, fuzz: 0, offset: 2 },
      ],
      changes: [{ path: 'n.txt', kind: 'modify' }],
    },
  });
});

const outer = (head: string, next: string) =>
  hunk(3).map((line) => (line === ' line 3' ? head : line === ' line 4' ? next : line));

test.each([
  [0, ' other', ' line 4', null],
  [1, ' other', ' line 4', 1],
  [1, ' other', ' other', null],
  [2, ' other', ' other', 2],
])('with fuzz %j the context lines %j and %j apply with fuzz %j', async (fuzz, first, second, went) => {
  const reply = await tools.say('patch', { patch: lines(...header, ...outer(first, second)), fuzz });
  if (went === null) {
    expect(reply).toMatch(/^not_found: The hunk "@@ -3,7 \+3,7 @@" does not fit n\.txt\. /);
    expect(tools.tree()).toEqual(files);
    return;
  }
  expect(reply).toBe(
    `Patch applied: changed n.txt (1 hunk).\nHunk 1 of n.txt went in with fuzz ${went}.\nn.txt:\n4\tline 4\n5\tline 5\n6\tLINE 6\n7\tline 7\n8\tline 8`,
  );
  // The file's own context lines stay.
  expect(tools.tree()['n.txt']).toBe(files['n.txt'].replace('line 6', 'LINE 6'));
});

test('a removed line must match, whatever the fuzz', async () => {
  const patch = lines(...header, ...hunk(3)).replace('-line 6', '-line six');
  expect(await tools.say('patch', { patch, fuzz: 3 })).toMatch(
    /^not_found: .*the patch has "line six" where line 6/s,
  );
});

test('two equally distant matches are refused, and a nearer one is used', async () => {
  const change = (at: number) =>
    lines('--- twice.txt', '+++ twice.txt', `@@ -${at} +${at} @@`, '-same', '+other');
  expect(await tools.say('patch', { patch: change(3) })).toMatch(
    /^ambiguous: The hunk "@@ -3 \+3 @@" fits 2 places in twice\.txt, at lines 2, 4\./,
  );
  await tools.call('patch', { patch: change(5) });
  expect(tools.tree()['twice.txt']).toBe(lines('x', 'same', 'y', 'other', 'z'));
});

test('a hunk with no lines after its change matches the end of the file', async () => {
  const patch = lines(...header, '@@ -1,2 +1,3 @@', ' line 3', ' line 4', '+more');
  expect(await tools.say('patch', { patch, fuzz: 1 })).toContain('belongs to the end of the file');
  await tools.call('patch', { patch: lines(...header, '@@ -9,2 +9,3 @@', ' line 11', ' line 12', '+more') });
  expect(tools.tree()['n.txt']).toBe(`${files['n.txt']}more\n`);
});

test('an already applied patch is recognised', async () => {
  const patch = lines(...header, ...hunk(3));
  await tools.call('patch', { patch });
  expect(await tools.say('patch', { patch })).toContain(
    'Its result is already at line 3: was it applied before?',
  );
});

test('strip and workdir define the folder of the names', async () => {
  const change = ['@@ -1 +1 @@', '-b', '+c'];
  await tools.call('patch', {
    patch: lines('--- x/y/b.txt', '+++ x/y/b.txt', ...change),
    strip: '2',
    workdir: 'sub',
  });
  expect(tools.tree()['sub/b.txt']).toBe('c\n');
  const back = ['@@ -1 +1 @@', '-c', '+b'];
  await tools.call('patch', { patch: lines('--- sub/b.txt', '+++ sub/b.txt', ...back), p: 0 });
  expect(tools.tree()['sub/b.txt']).toBe('b\n');
  expect(await tools.say('patch', { patch: lines('--- b.txt', '+++ b.txt', ...back), strip: 1 })).toBe(
    'invalid_patch: b.txt has not 1 leading folders to strip; set strip lower.',
  );
});

test.each([
  [{ patch: lines(...header, ...hunk(3)), fuzz: 4 }, /^invalid_input: .*fuzz/],
  [
    { patch: '*** Begin Patch\n*** Delete File: n.txt\n*** End Patch\n' },
    /^invalid_patch: .*goes to apply_patch/,
  ],
  [{ patch: lines('--- a/../x', '+++ b/../x', '@@ -0,0 +1 @@', '+x') }, /^outside_workspace:/],
])('the call %j is refused with a message', async (input, words) => {
  expect(await tools.say('patch', input)).toMatch(words);
  expect(tools.tree()).toEqual(files);
});

test('a hunk moves with the hunks before it, even if its lines also match at its own number', async () => {
  const rest = ['a', 'b', 'same', 'c'];
  tools.write('moved.txt', lines('1', '2', 'first', ...rest, 'same', 'd'));
  await tools.call('apply_patch', {
    patch: lines(
      ...['--- a/moved.txt', '+++ b/moved.txt', '@@ -1,2 +1,2 @@', '-first', '+FIRST', ' a'],
      ...['@@ -6,1 +6,1 @@', '-same', '+SAME'],
    ),
  });
  expect(tools.tree()['moved.txt']).toBe(lines('1', '2', 'FIRST', ...rest, 'SAME', 'd'));
});

test('a hunk without a newline at its end applies only at the end of the file', async () => {
  tools.write('end.txt', 'a\nb\nc\n');
  const [header, none] = [['--- a/end.txt', '+++ b/end.txt'], '\\ No newline at end of file'];
  const say = (tool: string, ...hunk: string[]) =>
    tools.say(tool, { patch: lines(...header, ...hunk, none) });
  for (const tool of ['patch', 'apply_patch'])
    expect(await say(tool, '@@ -2,1 +2,1 @@', '-b', '+B')).toMatch(/^not_found: /);
  await say('patch', '@@ -3,1 +3,1 @@', '-c', '+C');
  expect(tools.tree()['end.txt']).toBe('a\nb\nC');
});
