import { expect, test } from 'vitest';
import { columnOf, readLineStart } from '../../src/untrusted-text/line-start.ts';

/** The mark of a fence (`?` where it may be none), the column and the place it stands at, and the items that are open. */
function start(line: string, open: readonly number[], afterBlank: boolean) {
  const { items, mark, column, at, doubtful } = readLineStart(line, open, afterBlank);
  return [`${mark ?? 'none'}${doubtful ? '?' : ''} ${column} ${at}`, items];
}

test.each<[line: string, open: number[], afterBlank: boolean, start: string, items: number[]]>([
  ['', [], true, 'none? 0 0', []],
  ['   a', [], true, 'none? 3 3', []],
  ['\ta', [], true, 'none? 4 0', []],
  [' \ta', [], true, 'none? 4 1', []],
  ['    \ta', [], true, 'none? 8 4', []],
  ['- a', [], true, 'none? 2 2', [2]],
  ['* a', [], true, 'none? 2 2', [2]],
  ['+ a', [], true, 'none? 2 2', [2]],
  ['-a', [], true, 'none? 0 0', []],
  ['-', [], true, 'none? 0 0', []],
  ['- ', [], true, 'none? 0 0', []],
  ['-    a', [], true, 'none? 5 5', [5]],
  ['-     a', [], true, 'none? 0 0', []],
  ['1. a', [], true, 'none? 3 3', [3]],
  ['1) a', [], true, 'none? 3 3', [3]],
  ['123456789. a', [], true, 'none? 11 11', [11]],
  ['1234567890. a', [], true, 'none? 0 0', []],
  ['2. a', [], false, 'none? 0 0', []],
  ['1. a', [], false, 'none? 3 3', [3]],
  ['- a', [], false, 'none? 2 2', [2]],
  ['2. a', [], true, 'none? 3 3', [3]],
  ['2. a', [2], false, 'none? 3 3', [3]],
  ['  2. a', [2], false, 'none? 2 2', [2]],
  ['- - a', [], true, 'none? 4 4', [2, 4]],
  ['- 2. a', [], false, 'none? 5 5', [2, 5]],
  ['   - a', [], true, 'none? 5 5', [5]],
  ['    - a', [], true, 'none? 4 4', []],
  ['     - a', [2], true, 'none? 7 7', [2, 7]],
  ['      - a', [2], true, 'none? 6 6', [2]],
  ['  a', [2], true, 'none? 2 2', [2]],
  [' a', [2], true, 'none? 1 1', []],
  ['   a', [2, 4], true, 'none? 3 3', [2]],
  ['    a', [2, 4], true, 'none? 4 4', [2, 4]],
  ['- - -', [], true, 'none? 0 0', []],
  ['***', [], true, 'none? 0 0', []],
  ['**', [], true, 'none? 0 0', []],
  ['* * a', [], true, 'none? 4 4', [2, 4]],
  ['_ _ _ ', [], true, 'none? 0 0', []],
  ['- - - a', [], true, 'none? 6 6', [2, 4, 6]],
  ['-\t-\t-', [], true, 'none? 0 0', []],
  ['- * * *', [], true, 'none? 2 2', [2]],
  ['-*-', [], true, 'none? 0 0', []],
  ['```', [], true, '``` 0 0', []],
  ['``', [], true, 'none? 0 0', []],
  ['````', [], true, '```` 0 0', []],
  ['~~~', [], true, '~~~ 0 0', []],
  ['~~', [], true, 'none? 0 0', []],
  ['```a', [], true, '``` 0 0', []],
  ['```a`', [], true, 'none? 0 0', []],
  ['~~~a`', [], true, '~~~ 0 0', []],
  ['   ```', [], true, '``` 3 3', []],
  ['    ```', [], true, '```? 4 4', []],
  ['- ```', [], true, '``` 2 2', [2]],
  ['-  ~~~~ x', [], true, '~~~~ 3 3', [3]],
  ['> ```', [], true, 'none? 0 0', []],
  ['>```', [], true, 'none? 0 0', []],
  ['>', [], true, 'none? 0 0', []],
  ['a```', [], true, 'none? 0 0', []],
  ['1.```', [], true, '```? 0 0', []],
  ['1)  ```', [], true, '``` 4 4', [4]],
  ['2. ```', [], false, '```? 0 0', []],
  ['[^a]: ```', [], true, '```? 0 0', []],
  ['[^a]:```', [], true, '```? 0 0', []],
  ['[a]: ```', [], true, 'none? 0 0', []],
  ['x ~~~', [], true, 'none? 0 0', []],
  ['+~~~', [], true, '~~~? 0 0', []],
  ['*```', [], true, '```? 0 0', []],
  ['-```', [], true, '```? 0 0', []],
  ['     ```', [2], true, '``` 5 5', [2]],
  ['      ```', [2], true, '```? 6 6', [2]],
  ['\t```', [4], true, '```? 4 0', [4]],
  ['\t```', [], true, '```? 4 0', []],
  ['1234567890.```', [], true, 'none? 0 0', []],
  ['```a` ~~~', [], true, 'none? 0 0', []],
  ['-\u00a0```', [], true, '```? 0 0', []],
])('the line %j, with items open at %j and after a blank line: %j', (line, open, afterBlank, ...rest) => {
  expect(start(line, open, afterBlank)).toEqual(rest);
});

test('items deeper than twenty are not followed', () => {
  const columns = Array.from({ length: 20 }, (_, at) => 2 * at + 2);
  expect([start(`${'- '.repeat(20)}\`\`\``, [], true), start(`${'- '.repeat(21)}\`\`\``, [], true)]).toEqual([
    ['``` 40 40', columns],
    ['```? 40 40', columns],
  ]);
});

test('a tab leads to the next column of four', () => {
  const lines = ['', 'a', ' a', '\t', ' \t', '   \t', '    \ta', '\t ', '\u00a0 a', 'a  '];
  expect(lines.map(columnOf)).toEqual([0, 0, 1, 4, 4, 4, 8, 5, 0, 0]);
});
