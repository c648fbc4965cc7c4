import { chmodSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

const files = {
  'a.txt': 'one\ntwo\nthree\n',
  'twice.txt': 'head\nsame\nmiddle\nsame\ntail\n',
  'sub/b.txt': 'b\n',
  'run.sh': 'true\n',
  'crlf.txt': 'one\r\ntwo\r\n',
};
const lines = (...all: string[]) => `${all.join('\n')}\n`;
const envelope = (...all: string[]) => lines('*** Begin Patch', ...all, '*** End Patch');

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools(files);
});
afterEach(() => tools.close());

test('one envelope adds, changes, moves and deletes', async () => {
  const patch = envelope(
    '*** Add File: new/c.txt',
    '+c',
    '*** Update File: a.txt',
    '@@',
    ' one',
    '-two',
    '+TWO',
    '*** Update File: run.sh',
    '*** Move to: bin/run.sh',
    '@@',
    '-true',
    '+false',
    '*** Delete File: sub/b.txt',
  );
  const prepared = await tools.prepare('apply_patch', { patch });
  expect(prepared.targets).toEqual({
    what: 'new/c.txt, a.txt, run.sh, bin/run.sh, sub/b.txt',
    paths: ['new/c.txt', 'a.txt', 'run.sh', 'bin/run.sh', 'sub/b.txt'].map((file) => ({
      path: file,
      access: 'write',
    })),
  });
  expect(tools.tree()).toEqual(files);
  expect(await tools.say('apply_patch', { input: patch })).toBe(
    'Patch applied: added new/c.txt; changed a.txt (1 hunk); moved run.sh to bin/run.sh; deleted sub/b.txt.',
  );
  expect(tools.tree()).toEqual({
    'a.txt': 'one\nTWO\nthree\n',
    'twice.txt': files['twice.txt'],
    'crlf.txt': files['crlf.txt'],
    'new/c.txt': 'c\n',
    'bin/run.sh': 'false\n',
  });
});

test('a patch that fails in its last file changes none', async () => {
  const patch = lines(
    '--- a/a.txt',
    '+++ b/a.txt',
    '@@ -1 +1 @@',
    '-one',
    '+ONE',
    '--- a/sub/b.txt',
    '+++ b/sub/b.txt',
    '@@ -1 +1 @@',
    '-c',
    '+d',
  );
  expect(await tools.say('apply_patch', { patch })).toMatch(
    /^not_found: The hunk "@@ -1 \+1 @@" does not fit sub\/b\.txt\. [\s\S]*Nothing was changed/,
  );
  expect(tools.tree()).toEqual(files);
});

test('hunks applied at another line or with small differences are reported', async () => {
  const moved = lines('--- a/a.txt', '+++ b/a.txt', '@@ -7 +7 @@', '-one', '+ONE');
  expect(await tools.say('apply_patch', { patch: moved })).toMatch(
    /^Patch applied: changed a\.txt \(1 hunk\)\.\na\.txt:\n1\tONE/,
  );
  const spaced = envelope('*** Update File: sub/b.txt', '@@', '-  b', '+B');
  expect(await tools.say('apply_patch', { patch: spaced })).toMatch(/\nsub\/b\.txt:\n1\tB/);
});

test('a hunk that matches twice is refused unless a line number or a locator decides', async () => {
  const change = ['-same', '+other'];
  const vague = envelope('*** Update File: twice.txt', '@@', ...change);
  expect(await tools.say('apply_patch', { patch: vague })).toBe(
    'ambiguous: The hunk "@@" fits 2 places in twice.txt, at lines 2, 4. Nothing was changed. Add lines of context until it fits one.',
  );
  const header = ['--- twice.txt', '+++ twice.txt'];
  expect(await tools.say('apply_patch', { patch: lines(...header, '@@ -3 +3 @@', ...change) })).toMatch(
    /^ambiguous:/,
  );
  await tools.call('apply_patch', { diff: lines(...header, '@@ -4 +4 @@', ...change) });
  expect(tools.tree()['twice.txt']).toBe('head\nsame\nmiddle\nother\ntail\n');
  await tools.call('apply_patch', {
    patch: envelope('*** Update File: twice.txt', '@@ head', '-same', '+first'),
  });
  expect(tools.tree()['twice.txt']).toBe('head\nfirst\nmiddle\nother\ntail\n');
});

const advice = 'Nothing was changed. Read the file and make the patch from its exact lines.';

test.each([
  [
    ['@@ -1 +1 @@', '-head', '+HEAD', '@@ -3,3 +3,3 @@', ' middle', '-sane', '+other', ' tail'],
    'not_found: Hunk 2 of 2 ("@@ -3,3 +3,3 @@") does not fit twice.txt. The first line that differs: the patch has "sane" where line 4 is "same". The lines there:\n3\tmiddle\n4\tsame\n5\ttail',
  ],
  [
    ['@@ -4,3 +4,3 @@', ' same', '-tail', ' more', '+less'],
    'not_found: The hunk "@@ -4,3 +4,3 @@" does not fit twice.txt. The first line that differs: the patch has "more" where the file ends. The lines there:\n4\tsame\n5\ttail',
  ],
  [
    ['@@ -3 +3 @@', '-middle', '+x', '@@ -1 +1 @@', '-head', '+y'],
    'not_found: Hunk 2 of 2 ("@@ -1 +1 @@") does not fit twice.txt. Its lines stand at line 1, above the hunk before; give the hunks in the order of the file.',
  ],
  [
    ['@@ -3 +3 @@', '-midle of it', '+x'],
    'not_found: The hunk "@@ -3 +3 @@" does not fit twice.txt. The nearest lines are:\n3\tmiddle',
  ],
])('the hunks %j are refused with the line that differs', async (hunks, words) => {
  const patch = lines('--- twice.txt', '+++ twice.txt', ...hunks);
  expect(await tools.say('apply_patch', { patch })).toBe(`${words}\n${advice}`);
});

test.each([
  [
    ['@@ mitdle', '-same', '+x'],
    'The hunk "@@ mitdle" is to be found by "@@ mitdle", but twice.txt has no such line. The nearest lines are:\n3\tmiddle',
  ],
  [
    ['@@ tail', '-head', '+x'],
    'The hunk "@@ tail" does not fit twice.txt. Its lines stand at line 1, not below its @@ line.',
  ],
  [
    ['@@', ' head', '+x', '*** End of File'],
    'The hunk "@@" does not fit twice.txt. Its lines stand at line 1, which is not the end of the file.',
  ],
])('the chunk %j is refused with the text found there', async (chunk, words) => {
  const patch = envelope('*** Update File: twice.txt', ...chunk);
  expect(await tools.say('apply_patch', { patch })).toBe(`not_found: ${words}\n${advice}`);
});

test('wrong counts, a fence and a missing space before an empty line are tolerated', async () => {
  tools.write('gap.txt', 'one\n\ntwo\n');
  const patch = [
    '```diff',
    '--- a/gap.txt',
    '+++ b/gap.txt',
    '@@ -1,9 +1,9 @@',
    ' one',
    '',
    '-two',
    '+TWO',
    '```',
  ].join('\n');
  await tools.call('apply_patch', { patch });
  expect(tools.tree()['gap.txt']).toBe('one\n\nTWO\n');
});

test('a file with carriage returns keeps them under a patch without', async () => {
  await tools.call('apply_patch', {
    patch: lines('--- a/crlf.txt', '+++ b/crlf.txt', '@@ -1,2 +1,3 @@', ' one', '+half', ' two'),
  });
  expect(tools.tree()['crlf.txt']).toBe('one\r\nhalf\r\ntwo\r\n');
});

test('modes follow the patch and stay if it names none', async () => {
  chmodSync(path.join(tools.root, 'a.txt'), 0o755);
  const executable = lines('diff --git a/run.sh b/run.sh', 'old mode 100644', 'new mode 100755');
  await tools.call('apply_patch', { patch: executable });
  await tools.call('apply_patch', {
    patch: lines(
      'diff --git a/a.txt b/new name.txt',
      'similarity index 100%',
      'rename from a.txt',
      'rename to new name.txt',
    ),
  });
  const mode = (name: string) => statSync(path.join(tools.root, name)).mode & 0o777;
  expect([mode('run.sh'), mode('new name.txt'), tools.tree()['a.txt']]).toEqual([0o755, 0o755, undefined]);
});

test('quoted names and names with spaces are parsed as in git', async () => {
  const quoted = String.raw`"b/tab\there \303\251.txt"`;
  await tools.call('apply_patch', {
    patch: lines(
      `diff --git ${quoted.replace('b/', 'a/')} ${quoted}`,
      'new file mode 100644',
      '--- /dev/null',
      `+++ ${quoted}`,
      '@@ -0,0 +1 @@',
      '+x',
    ),
  });
  expect(tools.tree()['tab\there \u00e9.txt']).toBe('x\n');
});

test('a patch with a folder other than the root finds its files there', async () => {
  const patch = envelope('*** Update File: b.txt', '@@', '-b', '+B');
  await tools.call('apply_patch', { patch, workdir: 'sub' });
  expect(tools.tree()['sub/b.txt']).toBe('B\n');
});

test('a patch for a file that changed since it was read is refused', async () => {
  await tools.call('read', { path: 'a.txt' });
  tools.write('a.txt', 'one\ntwo\nthree\nfour\n');
  const patch = envelope('*** Update File: a.txt', '@@', '-two', '+TWO');
  expect(await tools.say('apply_patch', { patch })).toMatch(/^changed_since_read: a\.txt changed/);
});

test.each([
  ['', /^invalid_input:/],
  ['hello', /^invalid_patch: The patch changes no file\. Give a unified diff/],
  [lines('*** Begin Patch', '*** End Patch'), /^invalid_patch: The patch changes no file/],
  [
    lines('*** Begin Patch', '*** Add File: x', '+x'),
    /^invalid_patch: Patch line 3: the last line must be "\*\*\* End Patch"/,
  ],
  [envelope('*** Rename File: x'), /^invalid_patch: Patch line 2: "\*\*\* Rename File: x" is no file header/],
  [envelope('*** Add File: a.txt', '+x'), /^file_exists: a\.txt exists already/],
  [envelope('*** Add File: ../x', '+x'), /^outside_workspace:/],
  [envelope('*** Delete File: none.txt'), /^not_found: none\.txt does not exist/],
  [
    envelope('*** Update File: a.txt', '@@ nowhere', '+x'),
    /^not_found: The hunk "@@ nowhere" is to be found by "@@ nowhere", but a\.txt has no such line\. Nothing there is like it\./,
  ],
  [lines('@@ -1 +1 @@', '-a', '+b'), /^invalid_patch: Patch line 1: a hunk stands before any file/],
  [
    lines('--- a/a.txt', '+++ b/a.txt', '@@ -one +one @@', '-one'),
    /^invalid_patch: Patch line 3: .* is no hunk header/,
  ],
  [
    lines('--- a/a.txt', '+++ /dev/null', '@@ -1 +0,0 @@', '-one'),
    /^invalid_patch: a\.txt is to be deleted, but has more lines/,
  ],
  [
    lines('diff --git a/l b/l', 'new file mode 120000', '--- /dev/null', '+++ b/l', '@@ -0,0 +1 @@', '+/etc'),
    /^invalid_patch: .*mode 120000 is not supported/,
  ],
  [
    lines('diff --git a/i b/i', 'index 1..2 100644', 'GIT binary patch', 'literal 1'),
    /^invalid_patch: .*binary patches/,
  ],
  [lines('diff --cc a.txt', '@@@ -1,1 -1,1 +1,1 @@@', '--one', '++1'), /^invalid_patch: .*combined diff/],
  [lines('--- /dev/null', '+++ "b/\\377"', '@@ -0,0 +1 @@', '+x'), /^invalid_patch: .*not UTF-8/],
  [
    lines('diff --git a/run.sh b/run.sh', 'new mode 100644'),
    /^invalid_patch: The patch would change nothing/,
  ],
])('the patch %j is refused with a message', async (patch, words) => {
  expect(await tools.say('apply_patch', { patch })).toMatch(words);
  expect(tools.tree()).toEqual(files);
});

test.each([
  ['words before it', `Here it is:\n\n${envelope('*** Update File: a.txt', '@@', '-two', '+2')}\nDone.\n`],
  [
    'words and a fence around it',
    `This does it:\n\`\`\`diff\n${lines('--- a/a.txt', '+++ b/a.txt', '@@ -2 +2 @@', '-two', '+2')}\`\`\`\n- done\n`,
  ],
  [
    'line endings of transport',
    lines('--- a/a.txt', '+++ b/a.txt', '@@ -2 +2 @@', '-two', '+2').replaceAll('\n', '\r\n'),
  ],
  [
    'names of a plain diff',
    lines('--- a.txt.orig\t2024-01-01 00:00:00', '+++ a.txt', '@@ -2 +2 @@', '-two', '+2'),
  ],
  ['two folders', lines('--- old/a.txt', '+++ new/a.txt', '@@ -2 +2 @@', '-two', '+2')],
])('a patch with %s is accepted', async (_, patch) => {
  await tools.call('apply_patch', { patch });
  expect(tools.tree()).toEqual({ ...files, 'a.txt': 'one\n2\nthree\n' });
});

test("a diff's line endings are used as written once it contains those of the file", async () => {
  const change = ['--- a/crlf.txt', '+++ b/crlf.txt', '@@ -1,2 +1,2 @@', ' one\r', '-two\r', '+two'];
  await tools.call('apply_patch', { patch: lines(...change) });
  expect(tools.tree()['crlf.txt']).toBe('one\r\ntwo\n');
});

test('a PATCH of the text protocol is stored for a person and changes nothing', async () => {
  const patch = envelope('*** Update File: a.txt', '@@', '-two', '+TWO');
  const { data } = await tools.call('PATCH', { patch });
  expect(tools.entries).toEqual([
    {
      type: 'approval.required',
      approval: {
        tool: 'PATCH',
        what: 'a.txt',
        reason: 'A PATCH is only applied by a person.',
        hash: expect.stringMatching(/^[0-9a-f]{16}$/),
        diff: expect.stringContaining('-two\n+TWO\n'),
        call_id: 'call_1',
      },
    },
  ]);
  expect(data).toEqual({ hash: expect.any(String) });
  expect(tools.tree()).toEqual(files);
});

test.each([
  ['is there', envelope('*** Add File: a.txt/x', '+x')],
  ['the patch makes', envelope('*** Add File: new', '+x', '*** Add File: new/x', '+x')],
  ['the patch deletes', envelope('*** Delete File: a.txt', '*** Add File: a.txt/x', '+x')],
])('a file below one that %s is refused before any write', async (_which, patch) => {
  await expect(tools.prepare('apply_patch', { patch })).rejects.toThrow(
    /lies below .*, which is not a directory/,
  );
  expect(tools.tree()).toEqual(files);
});

test('an indented file header starts the next file and is no line of the file before', async () => {
  const patch = envelope(
    ...['*** Update File: a.txt', '@@', '-two', '+TWO', ' three'],
    ...['  *** Update File: sub/b.txt', '@@', '-b', '+B'],
  );
  await tools.call('apply_patch', { patch });
  expect([tools.tree()['a.txt'], tools.tree()['sub/b.txt']]).toEqual(['one\nTWO\nthree\n', 'B\n']);
});
