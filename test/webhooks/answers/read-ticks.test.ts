import { expect, test } from 'vitest';
import { readTicks, setTicks, tickedBoxes } from '../../../src/webhooks/answers/read-ticks.ts';

const means = (option: string) => ({ question: 0, option });
const [red, blue] = [
  { line: 3, means: means('red') },
  { line: 4, means: means('blue') },
];
const posted = {
  text: '<!-- m -->\n- [ ] a box in the words of a model\n\n- [ ] 1. **Red**\n- [x] 2. **Blue**\n\nend',
  boxes: [red, blue],
};
const { text: from } = posted;
const now = (body: string) => readTicks(posted, { from, body });
const edit = (before: string, after: string) => now(from.replace(before, after));
const more = 'more than a box of ours was changed';

test('our boxes can be ticked and unticked, on the page and in the editor', () => {
  const both = posted.text.replace('[ ] 1', '[x] 1');
  expect([
    edit('[ ] 1', '[x] 1'),
    now(`${both.replaceAll('\n', '\r\n')}\r\n`),
    edit('[x] 2', '[ ] 2'),
    tickedBoxes(posted),
    setTicks(posted, [red, blue]) === both,
  ]).toEqual([
    { kind: 'ticks', text: both, ticked: [red, blue] },
    { kind: 'ticks', text: both, ticked: [red, blue] },
    { kind: 'ticks', text: posted.text.replace('[x]', '[ ]'), ticked: [] },
    [blue],
    true,
  ]);
});

test.each([
  ['a word', 'Red', 'Rad'],
  ['a box in the text of a model', '[ ] a box', '[x] a box'],
  ['the number of lines, by one more', '\nend', '\nend\nmore'],
  ['the number of lines, by one less', '\n\nend', '\nend'],
  ['the marker', '<!-- m -->', '<!-- n -->'],
  ['the mark of a list', '- [ ] 1', '* [ ] 1'],
  ['the sign in a box', '[ ] 1', '[y] 1'],
  ['the order of boxes', '- [ ] 1. **Red**\n- [x] 2. **Blue**', '- [x] 2. **Blue**\n- [ ] 1. **Red**'],
])('a change of %s is more than a tick', (_, before, after) => {
  expect(edit(before, after)).toEqual({ kind: 'changed', reason: more });
});

test('an earlier unauthorised tick is not accepted', () => {
  const both = from.replace('[ ] 1', '[x] 1');
  expect(readTicks(posted, { from: both, body: both.replace('[x] 2', '[ ] 2') })).toEqual({
    kind: 'changed',
    reason: 'the comment was not as we know it when it was edited',
  });
});

test('a box has a list mark and is ticked in either letter case', () => {
  const marks = [
    '- [x] a',
    '* [X] a',
    '+ [x] a',
    '  - [X] a',
    '- [ ] a',
    'a - [x] b',
    '-[x] a',
    '1. [x] a',
    '- [y] a',
  ];
  const boxed = { text: marks.join('\n'), boxes: marks.map((_, line) => ({ line })) };
  expect(tickedBoxes(boxed).map(({ line }) => line)).toEqual([0, 1, 2, 3]);
  const { text } = boxed;
  expect(setTicks(boxed, []).split('\n')).toEqual([
    ...[
      '- [ ] a',
      '* [ ] a',
      '+ [ ] a',
      '  - [ ] a',
      '- [ ] a',
      'a - [x] b',
      '-[x] a',
      '1. [x] a',
      '- [y] a',
    ],
  ]);
  expect(readTicks(boxed, { from: text, body: text })).toEqual({
    kind: 'changed',
    reason: expect.any(String),
  });
  const gone = { text: 'a', boxes: [{ line: 3 }] };
  expect([tickedBoxes(gone), setTicks(gone, []).split('\n')[0]]).toEqual([[], 'a']);
});

test('line endings and trailing white space do not count', () => {
  const spaced = from.replaceAll('\n', '  \r');
  expect(readTicks(posted, { from: `${spaced}\n \n`, body: spaced.replace('[ ] 1', '[X] 1') })).toEqual({
    ...{ kind: 'ticks', text: from.replace('[ ] 1', '[x] 1'), ticked: [red, blue] },
  });
});
