import { expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { replaceText } from '../../../src/tools/edit/replace-text.ts';
import { applyHunks } from '../../../src/tools/patch/apply-hunks.ts';
import type { HunkLine } from '../../../src/tools/patch/file-patch.ts';
import { parsePatch } from '../../../src/tools/patch/parse-patch.ts';
import { searchedLines } from '../../../src/tools/patch/searched-lines.ts';
import { editEffort } from '../../../src/tools/write/edit-effort.ts';
import { growsTooFast } from '../../support/grows-too-fast.ts';

const many = (line: string, count: number) => `${line}\n`.repeat(count);
const edit = (text: string, old: string, given = 'new', occurrence: number | 'all' = 0) =>
  replaceText('a.ts', text, { old, new: given, occurrence });
const hunk = (wanted: readonly HunkLine[], locators: readonly string[] = []) => ({
  ...{ label: '@@', lines: wanted, line: null, locators, atEnd: false, finalNewline: null },
});
const stored = (text: string): HunkLine => ({ mark: ' ', text });
const gone = (text: string): HunkLine => ({ mark: '-', text });
const patched = (text: string, ...hunks: ReturnType<typeof hunk>[]) =>
  applyHunks('a.ts', { text, encoding: 'utf8', bom: false }, hunks);
const lines = (text: string, count: number) => Array.from({ length: count }, () => stored(text));

/**
 * Edits of texts with this many lines or characters; the searched text was once compared again at
 * every position.
 */
const edits: Readonly<Record<string, (length: number) => unknown>> = {
  'equal lines and another': (n) => edit(many('x', n), `${many('x', n / 8)}y`),
  'equal lines, indented otherwise': (n) => edit(many(' x', n), `${many('  x', n / 8)}\tx`, 'z', 'all'),
  'a block between lines that repeat': (n) => edit(many('a\nb', n), `a\n${many('c', n / 8)}b`),
  'many blocks that are alike': (n) => edit(many('a\nbcdefghijkl\nc', n), 'a\nbcdefghijkX\nc'),
  'blank lines in the old text': (n) => edit(many('x', n), `q${`\n${' '.repeat(50)}`.repeat(n / 8)}q`),
  'empty lines in the old text': (n) => edit(many('x', n), `${'\n'.repeat(n)}q`),
  'a long line among many': (n) => edit('x', `${' '.repeat(n)}word${' '.repeat(n)}${'\nz'.repeat(n)}`),
  'one line that is nearly the old text': (n) => edit('a'.repeat(8 * n), `${'a'.repeat(n)}b${'a'.repeat(n)}`),
  'places in one line': (n) => edit('a'.repeat(n), 'a', 'b', 'all'),
  'places in one line, broken': (n) => edit(`${'a'.repeat(n)}\r\n`, 'a', 'b\nc', 'all'),
  'lines that a change indents otherwise': (n) => edit(many(' x', n), many('x', n), many('x', n + 1)),
  'a hunk of equal lines': (n) => patched(many('x', n), hunk([...lines('x', n / 8), gone('y')])),
  'a hunk that fits at many lines': (n) => patched(many('x', n), hunk([...lines('x', n / 8), gone('x')])),
  'locators that repeat': (n) =>
    patched(many('class A\nx', n), hunk([gone('q')], ['class A', 'class A', 'y'])),
  'a hunk below a locator that repeats': (n) =>
    patched(many('class A\nx', n), hunk([gone('q')], ['class A'])),
  'empty lines of a patch': (n) => parsePatch(`--- a\n+++ b\n@@ @@\n-x${'\n'.repeat(n)}+y`),
  'spaces before a mark': (n) =>
    parsePatch(`*** Begin Patch\n*** Update File: a\n@@ x${' '.repeat(n)}y\n-x\n*** End Patch`),
};

/** The result, or an error for the model. */
function tried(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}

test('the time of an edit or a patch grows linearly with the file', () => {
  const slow = Object.entries(edits).filter(([, made]) =>
    // A suspicious one is measured again, because the machine may be busy.
    [1, 2, 3].every(() =>
      growsTooFast(
        (work: () => unknown) => tried(work),
        (length) => () => made(length),
      ),
    ),
  );
  expect(slow.map(([name]) => name)).toEqual([]);
});

test('an edit that would make a file of more than 32 Mi characters is refused', () => {
  expect(() => edit('a'.repeat(10_000), 'a', 'b'.repeat(10_000), 'all')).toThrow(
    'The new text in all its places would make a.ts longer than 33554432 characters. Nothing was changed. Replace fewer places, or use a command.',
  );
});

test('hunks that need too many searches in a large file are refused', () => {
  const file = searchedLines('a.ts', ['a', 'b', 'c'], 12);
  const fold = (line: string) => line;
  const [found, again] = [file.find(fold, ['b'], 0), file.find(fold, ['c'], 0)];
  expect([found, again]).toEqual([[1], [2]]);
  file.find(fold, ['c'], 1);
  expect(() => file.find(fold, ['c'], 0)).toThrow(
    'The patch has too many hunks to search for in the 3 lines of a.ts. Nothing was changed. Give the hunks their real line numbers, or make several smaller patches, or change the file with a command.',
  );
});

test('the edits of one call that repeatedly change large files are refused', () => {
  const effort = editEffort(10);
  effort('a.ts', 6);
  effort('b.ts', 4);
  expect(() => effort('c.ts', 1)).toThrow(
    'The edits of one call may change files as large as c.ts 3 times at most. Nothing was changed. Make them in several calls, or change the file with a command.',
  );
});
