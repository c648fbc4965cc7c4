import { expect, test } from 'vitest';
import { commitBody } from '../../../src/reporting/changes/commit-body.ts';

const body = (...blocks: readonly string[]) => commitBody(blocks.join('\n\n'), 'Keep the later end');

test('takes the first prose, without headings, code, tables, HTML, lists of files and addresses', () => {
  expect([
    body(
      '## What changed',
      '- `src/ranges.ts`: the loop\n- src/days.ts',
      '<details><summary>1 file</summary>',
      '```ts\nconst a = 1;\n```',
      '| File | Change |\n| --- | --- |\n| a | b |',
      'A range **inside** an earlier one cut it short, as [the report](https://a.b/c) of `merge()`\nsays <b>now</b>. ![x](y)',
      'All tests pass.',
    ),
    body('## Summary', '- Takes `loads` as **last**,\n  too.\n- [x] Adds a test.', '---'),
    body('Two things:', '1. one\n2. two', 'More.'),
    body('Two files:', '- `a.ts`\n- `b/c.d.ts`, new', 'More.'),
  ]).toEqual([
    'A range inside an earlier one cut it short, as the report of `merge()`\nsays now.',
    '- Takes `loads` as last, too.\n- Adds a test.',
    'Two things:\n- one\n- two',
    'More.',
  ]);
});

test('says nothing twice, and nothing without a reason', () => {
  expect([
    body('Keep the later end.'),
    commitBody('Keep the later end.\n\nIt was lost.', 'fix(ranges): keep the later end'),
    body('# Title', '`a.ts`', '```\ncode\n```'),
    body(''),
  ]).toEqual(['', 'It was lost.', '`a.ts`', '']);
});

test('wraps lines at 72 characters, and ends with a sentence within 400', () => {
  const words = `${'word '.repeat(20).trim()}. `;
  expect([
    body('x'.repeat(72), 'y'),
    body(words.repeat(9)),
    body('w '.repeat(300)),
    body(`- ${words}\n- b`),
  ]).toEqual([
    'x'.repeat(72),
    wrappedWords(60),
    expect.stringMatching(/^(?:(?:w ){35}w\n){5}(?:w ){19}w…$/),
    `- ${'word '.repeat(14).trim()}\n  ${'word '.repeat(6).trim()}.\n- b`,
  ]);
});

/** Words with a full stop after each twentieth, in lines of at most 72 characters. */
function wrappedWords(count: number): string {
  const words = Array.from({ length: count }, (_, index) => ((index + 1) % 20 === 0 ? 'word.' : 'word'));
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > 72) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}
