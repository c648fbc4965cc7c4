import { expect, test } from 'vitest';
import { parseRawDiff, splitByChange } from '../../../src/workspace/git/raw-diff.ts';
import { isBinaryPatch } from '../../../src/workspace/git/tree-diff.ts';

const modes = '100644 100755 1a 2b';
const change = (status: string, ...paths: string[]) => [`:${modes} ${status}`, ...paths].join('\0');
const shared = { oldMode: '100644', newMode: '100755', oldObject: '1a', newObject: '2b' };
const plain = { ...shared, oldPath: null, typeChange: false };

test('each status of git becomes a kind of change, with one or two paths', () => {
  const output = [
    change('A', 'a'),
    change('M', 'm'),
    change('D', 'd'),
    change('T', 't'),
    change('R090', 'from', 'to'),
    change('C100', 'from', 'copy'),
    change('X', 'x'),
    '',
  ].join('\0');
  expect(parseRawDiff(output)).toEqual([
    { ...plain, kind: 'add', path: 'a' },
    { ...plain, kind: 'modify', path: 'm' },
    { ...plain, kind: 'delete', path: 'd' },
    { ...plain, kind: 'modify', path: 't', typeChange: true },
    { ...plain, kind: 'rename', path: 'to', oldPath: 'from' },
    { ...plain, kind: 'add', path: 'copy' },
    { ...plain, kind: 'modify', path: 'x' },
  ]);
  expect(parseRawDiff('')).toEqual([]);
});

test('a patch is split by change, with two parts for a changed file type', () => {
  const changes = parseRawDiff(
    [change('M', 'a'), change('T', 'b'), change('D', 'c'), change('A', 'd'), ''].join('\0'),
  );
  const parts = [
    'diff --git a/a b/a\n+diff --git x\n+one\rdiff --git y\n',
    'diff --git a/b b/b\n-x\n',
    'diff --git a/b b/b\n+y\n',
    'diff --git a/c b/c\n-z',
  ] as const;
  expect(splitByChange(parts.join(''), changes)).toEqual([parts[0], parts[1] + parts[2], parts[3], '']);
  expect(splitByChange('', changes)).toEqual(['', '', '', '']);
});

test('a binary patch is recognised by a whole line, not by similar text', () => {
  const binary = [
    'x\nGIT binary patch\nliteral 1',
    'GIT binary patch',
    'a\nBinary files a/x and b/x differ\n',
  ];
  const text = [
    '+GIT binary patch\n',
    '+Binary files a and b differ',
    'GIT binary patches',
    'Binary files a differ!',
    '',
  ];
  expect([binary.filter((patch) => !isBinaryPatch(patch)), text.filter(isBinaryPatch)]).toEqual([[], []]);
});
