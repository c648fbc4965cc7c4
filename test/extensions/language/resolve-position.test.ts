import { describe, expect, test } from 'vitest';
import type { ToolError } from '../../../src/contract/errors.ts';
import {
  nameAt,
  type RequestedPosition,
  resolvePosition,
} from '../../../src/extensions/language/resolve-position.ts';

const text = [
  'import { add } from "./a.ts";',
  '',
  'export const x = add(1, add(2, 3));',
  '// adder: ünïcode 😀 add',
  '  return $scope.added;',
].join('\r\n');

/** Line and character from 0, or what is said in place of them. */
function at(requested: RequestedPosition): string {
  try {
    const { line, character } = resolvePosition({ path: 'x.ts', text }, requested);
    return `${line}:${character}`;
  } catch (error) {
    return (error as ToolError).message;
  }
}

const noName = (symbol: string): string =>
  `symbol must end with a name, and "${symbol}" does not. Give the name alone, or with its container: Class.method, module::name.`;

describe('a position given by numbers', () => {
  test.for([
    [{ line: 2, character: 17 }, '2:17'],
    // Just behind a name still means it.
    [{ line: 2, character: 20 }, '2:20'],
    [{ line: 2 }, '2:0'],
    [{ line: 4 }, '4:2'],
    [{ line: 3, character: 22 }, '3:22'],
  ] as const)('%j is %s', ([requests, place]) => {
    expect(at(requests)).toBe(place);
  });

  test.for([
    [
      { line: 5 },
      'x.ts has 5 lines: line counts from 0, so 4 is the last, which read shows as 5. line was 5.',
    ],
    [
      { line: 1, character: 4 },
      'There is nothing at character 4 on line 1 of x.ts (both count from 0; read shows it as line 2): "". There is no name on it. Line 0 is: import { add } from "./a.ts"; You may give symbol in place of character.',
    ],
    [
      { line: 4, character: 1 },
      'There is nothing at character 1 on line 4 of x.ts (both count from 0; read shows it as line 5): "return $scope.added;". Names on it: return at 2, $scope at 9, added at 16. You may give symbol in place of character.',
    ],
    [
      {},
      'Say where: path and symbol (a name in the file), or path, line and character, both counted from 0.',
    ],
  ] as const)('%j is an error that quotes the line', ([requestLog, words]) => {
    expect(at(requestLog)).toBe(words);
  });
});

describe('a position given by a name', () => {
  test.for([
    // Alone: where it stands first.
    [{ symbol: 'add' }, '0:9'],
    [{ symbol: 'Sum.add' }, '0:9'],
    // With its line from 0, and with that of read, one more.
    [{ symbol: 'x', line: 2 }, '2:13'],
    [{ symbol: 'x', line: 3 }, '2:13'],
    // The nearest line, and on it the nearest to the character.
    [{ symbol: 'add', line: 2, character: 30 }, '2:24'],
    [{ symbol: 'add', line: 3 }, '3:21'],
    [{ symbol: '$scope', line: 4 }, '4:9'],
    [{ symbol: 'import', line: 2 }, '0:0'],
  ] as const)('%j is %s', ([asked, place]) => {
    expect(at(asked)).toBe(place);
  });

  test.for([
    [{ symbol: 'scope' }, 'x.ts does not hold the name scope. Look for it with grep or workspaceSymbol.'],
    [
      { symbol: '$scope', line: 0 },
      '$scope does not stand near line 0 (line 1 of read) of x.ts. It is on line 4 counted from 0.',
    ],
    [
      { symbol: 'sub', line: 0 },
      'sub does not stand near line 0 (line 1 of read) of x.ts. x.ts does not hold it at all.',
    ],
    [{ symbol: 'add.' }, noName('add.')],
    [{ symbol: '.', line: 0 }, noName('.')],
    [{ symbol: 'Sum::', line: 2 }, noName('Sum::')],
    [{ symbol: 'Sum#', line: 3, character: 4 }, noName('Sum#')],
  ] as const)('%j is reported with its other lines, or as no name', ([asked, words]) => {
    expect(at(asked)).toBe(words);
  });

  test.for([
    ['xadd, add', 6],
    ['add2 add', 5],
    ['add', 0],
    ['x.add(y)', 2],
  ] as const)('is, in %j, the whole name only', ([text, character]) => {
    expect(resolvePosition({ path: 'x.ts', text }, { symbol: 'add' })).toEqual({ line: 0, character });
  });

  test("is the server's definition", () => {
    const defined = { line: 2, character: 17 };
    expect(resolvePosition({ path: 'x.ts', text }, { symbol: 'add' }, defined)).toEqual(defined);
  });
});

describe('the name at a position', () => {
  test('is the one at or directly before the position', () => {
    const at = [0, 2, 5, 6, 9, 10, 11, 14, 99];
    expect(at.map((character) => nameAt('\na.ünï -- x_$ (', { line: 1, character }))).toEqual([
      ...['a', 'ünï', 'ünï', '', 'x_$', 'x_$', 'x_$', '', ''],
    ]);
  });

  test('is found immediately on a line of a million characters', () => {
    const long = `${'a'.repeat(1_000_000)} b`;
    expect(nameAt(long, { line: 0, character: 1_000_002 })).toBe('b');
  });
});
