import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fixAttributes, setDiffAttribute } from '../../../src/workspace/git/own-attributes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'anode-attributes-'));
const git = { cwd: folder, gitDirectory: folder };
afterAll(() => rmSync(folder, { recursive: true }));

const none = '* !text !crlf !eol !ident !filter !working-tree-encoding';
const written = () => readFileSync(path.join(folder, 'info/attributes'), 'utf8').trimEnd().split('\n');

test('conversion rules apply to the folder of their file, deeper ones last', () => {
  fixAttributes(git, [
    { folder: 'a/b', text: '*.txt text\n' },
    { folder: '', text: '* text=auto\r\n*.png binary\n*.md diff=md\n# text\n[attr]x text\n!no text\n' },
    { folder: 'a', text: '/one.txt eol=crlf\nsub/*.ps1 eol=crlf -diff ident\n"sp ace" -text\n' },
    { folder: 'we[i]rd*?', text: '*.x text' },
  ]);
  expect(written()).toEqual([
    none,
    '* text=auto',
    '*.png -text',
    '/a/one.txt eol=crlf',
    '/a/sub/*.ps1 eol=crlf ident',
    '"/a/**/sp ace" -text',
    '"/we\\\\[i\\\\]rd\\\\*\\\\?/**/*.x" text',
    '/a/b/**/*.txt text',
  ]);
});

test('filters, other words and lines without a word are ignored', () => {
  fixAttributes(git, [{ folder: '', text: '* filter=lfs diff=lfs merge=lfs\n*.a\n*.b textual -textx\n\n' }]);
  expect(written()).toEqual([none]);
});

test.each([
  ['*.a text', '*.a text'],
  ['*.a -crlf', '*.a -crlf'],
  ['*.a !eol', '*.a !eol'],
  ['  *.a   ident  \t', '*.a ident'],
  ['*.a working-tree-encoding=UTF-16', '*.a working-tree-encoding=UTF-16'],
  ['*.a -text diff=x eol=lf', '*.a -text eol=lf'],
  ['*.a binary ident', '*.a -text ident'],
  ['*.a -binary', '*.a -binary'],
  ['a"b text', '"a\\"b" text'],
  ['\\#a text', '"\\\\#a" text'],
  ['"a\\"b" text', '"a\\"b" text'],
  ['"a" text', '"a" text'],
  ['*.a xtext', null],
  ['*.a text2', null],
  ['*.a --text', null],
  ['*.a xbinary', null],
  ['#a text', null],
  ['"a text', null],
  ['"a"text', null],
  ['!a text', null],
  ['"!a" text', null],
  ['[attr]a text', null],
  ['*.a', null],
  ['text', null],
])('of the rule %j at the root %j applies', (text, held) => {
  fixAttributes(git, [{ folder: '', text }]);
  expect(written()).toEqual(held === null ? [none] : [none, held]);
});

test('rules of deeper folders follow those of their parents, in any order of input', () => {
  const folders = ['a/b/c', 'z', '', 'a/b', 'b/a/c', 'a'];
  fixAttributes(
    git,
    folders.map((folder) => ({ folder, text: '/x[attr] text\n' })),
  );
  expect(written()).toEqual([
    none,
    ...['/x[attr]', '/z/x[attr]', '/a/x[attr]', '/a/b/x[attr]', '/a/b/c/x[attr]', '/b/a/c/x[attr]'].map(
      (pattern) => `${pattern} text`,
    ),
  ]);
});

test('the diff attribute is set once, and a later value replaces it', () => {
  fixAttributes(git, [{ folder: '', text: '*.a text' }]);
  setDiffAttribute(git, '-diff');
  setDiffAttribute(git, '!diff');
  expect(written()).toEqual([none, '*.a text', '* !diff']);
  rmSync(path.join(folder, 'info'), { recursive: true });
  setDiffAttribute(git, '-diff');
  expect(written()).toEqual(['* -diff']);
});
