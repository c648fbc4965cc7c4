import { expect, test } from 'vitest';
import { neutraliseOutgoing } from '../../src/untrusted-text/neutralise.ts';

test('a code span over two lines becomes one of one line, but code blocks stay', () => {
  const block = '```js\nconst text = `one\ntwo`;\n```\n';
  expect([
    neutraliseOutgoing('Read `first and\n  second` here.'),
    neutraliseOutgoing(block),
    neutraliseOutgoing('A ` mark\n\nand ` another.'),
  ]).toEqual(['Read `first and second` here.', block, 'A &#96; mark\n\nand &#96; another.']);
});
