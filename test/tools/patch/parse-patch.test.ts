import { describe, expect, test } from 'vitest';
import { isEnvelope, parseEnvelope } from '../../../src/tools/patch/parse-patch.ts';

/** The parsed text between the markers, each update by its hunks. */
const read = (...lines: string[]) => parseEnvelope(['*** Begin Patch', ...lines, '*** End Patch'].join('\n'));
const hunks = (...lines: string[]) => {
  const [patch] = read('*** Update File: a', ...lines);
  return patch?.kind === 'update' ? patch.hunks : [];
};
const refused = (...lines: string[]): string => {
  try {
    read(...lines);
    return 'read';
  } catch (error) {
    return (error as Error).message;
  }
};
const hunk = (label: string, lines: readonly string[], more: object = {}) => ({
  ...{ label, lines: lines.map((line) => ({ mark: line[0], text: line.slice(1) })) },
  ...{ line: null, locators: [], atEnd: false, finalNewline: true, ...more },
});

test('an envelope is recognised by its beginning', () => {
  expect(
    ['*** Begin Patch', ' \n*** Begin Patch\n', 'x *** Begin Patch', '*** Begin'].map(isEnvelope),
  ).toEqual([...[true, true, false, false]]);
});

test('each kind of file is parsed', () => {
  const update = { kind: 'update', copy: false, overwrite: true, mode: null, preimage: null };
  expect(
    read(
      '*** Environment ID: x',
      '',
      ...[
        '*** Add File: new/a',
        '+one',
        '+',
        '*** Add File:  empty  ',
        '*** Delete File: b',
        '  *** Update File: c',
      ],
      ...['*** Move to: d ', '*** Update File: e', '@@', '-x'],
    ),
  ).toEqual([
    { kind: 'add', path: 'new/a', content: 'one\n\n', mode: null },
    { kind: 'add', path: 'empty', content: '', mode: null },
    { kind: 'delete', path: 'b', hunks: [] },
    { ...update, path: 'c', to: 'd', hunks: [] },
    { ...update, path: 'e', to: null, hunks: [hunk('@@', ['-x'])] },
  ]);
});

describe('a chunk', () => {
  test('may have locator lines, without the numbers of a unified diff', () => {
    expect(
      hunks(
        ...[
          '@@ class A',
          '@@   def f',
          ' x',
          '@@ -1,2 +3,4 @@ def g',
          '-y',
          '@@ -1 +2 @@',
          '+z',
          '@@ def h @@',
          '+w',
        ],
      ),
    ).toEqual([
      hunk('@@ class A', [' x'], { locators: ['class A', 'def f'] }),
      hunk('@@ -1,2 +3,4 @@ def g', ['-y'], { locators: ['def g'] }),
      hunk('@@ -1 +2 @@', ['+z']),
      hunk('@@ def h @@', ['+w'], { locators: ['def h'] }),
    ]);
  });

  test('may be marked as the end, and contain blank lines, but none before the next', () => {
    expect([
      hunks(' a', '', '-b', '', '', '@@', '+c', '*** End of File'),
      hunks('@@', ' a', '', '*** End of File ', '@@', '+b'),
      hunks('', '@@', ' a', ' ', ''),
      hunks('@@', '+a', '', '*** Delete File: b').length,
    ]).toEqual([
      [hunk(' a', [' a', ' ', '-b']), hunk('@@', ['+c'], { atEnd: true })],
      [hunk('@@', [' a', ' '], { atEnd: true }), hunk('@@', ['+b'])],
      [hunk('@@', [' a', ' '])],
      1,
    ]);
  });
});

test.for([
  [['x'], 'Patch line 2: "x" is no file header (*** Add File: …, *** Update File: …, *** Delete File: …).'],
  [
    ['*** Rename File: a'],
    'Patch line 2: "*** Rename File: a" is no file header (*** Add File: …, *** Update File: …, *** Delete File: …).',
  ],
  [
    ['*** Update File: a'],
    'Patch line 2: the update of a has no chunk; add @@ and lines with " ", "-" or "+".',
  ],
  [
    ['*** Update File: a', '*** Delete File: b'],
    'Patch line 2: the update of a has no chunk; add @@ and lines with " ", "-" or "+".',
  ],
  [['*** Update File: a', 'x'], 'Patch line 3: "x" must begin with " ", "-", "+" or "@@".'],
  [
    ['*** Update File: a', '@@ f', 'x'],
    'Patch line 4: the chunk "@@ f" has no lines that begin with " ", "-" or "+".',
  ],
  [
    ['*** Update File: a', '@@'],
    'Patch line 4: the chunk "@@" has no lines that begin with " ", "-" or "+".',
  ],
  [
    ['*** Update File: a', '@@', '*** End of File'],
    'Patch line 5: the chunk "@@" has no lines that begin with " ", "-" or "+".',
  ],
  [['*** Update File: a', '@@', ' b', 'x'], 'Patch line 5: "x" must begin with " ", "-", "+" or "@@".'],
  [
    ['*** Update File: a', '@@', ' b', '*** End of File', '+c'],
    'Patch line 7: the chunk "+c" has no lines that begin with " ", "-" or "+".',
  ],
] as const)('%j is refused with its line', ([lines, words]) => {
  expect(refused(...lines)).toBe(words);
});

test('an envelope without its end is invalid', () => {
  expect(() => parseEnvelope('*** Begin Patch\n*** Delete File: a\n')).toThrow(
    'Patch line 2: the last line must be "*** End Patch".',
  );
});
