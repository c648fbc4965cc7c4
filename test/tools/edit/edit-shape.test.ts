import { expect, test } from 'vitest';
import { searchBlocks } from '../../../src/tools/edit/edit-shape.ts';

test.each([
  ['<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE', [{ old: 'a\n', new: 'b\n' }]],
  [
    '------- SEARCH>\na\n=======\n+++++++ REPLACE>\n\n<<<<<<< SEARCH\n=======\nc\n>>>>>>> REPLACE\n',
    [
      { old: 'a\n', new: '' },
      { old: '', new: 'c\n' },
    ],
  ],
  ['Before\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE', null],
  ['<<<<<<< SEARCH\na\n=======\nb\n', null],
  ['@@ -1 +1 @@\n-a\n+b\n', null],
  ['', null],
])('%j', (text, blocks) => {
  expect(searchBlocks(text)).toEqual(blocks);
});
