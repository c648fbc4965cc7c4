import { expect, test } from 'vitest';
import { chosenOption } from '../../../src/webhooks/commands/chosen-option.ts';

const question = {
  question: 'Which?',
  options: [
    { id: 'blue', label: 'The blue one' },
    { id: '1', label: 'One of *them*' },
    { id: 'red', label: 'Red (a) ' },
  ],
  allow_freeform: true,
  required: true,
  questions: [],
};

test('a comment chooses an option by its whole id, label or number', () => {
  const picked = (body: string) => chosenOption(body, question)?.id ?? null;
  expect(
    [
      'blue',
      ' BLUE. ',
      'blue)',
      'blue!',
      '**blue**',
      '_the Blue one_',
      '`blue`',
      '1',
      '2',
      '3.',
      'red (a',
    ].map(picked),
  ).toEqual(['blue', 'blue', 'blue', 'blue', 'blue', 'blue', 'blue', '1', '1', 'red', 'red']);
  expect(['', '**', '0', '4', 'blue?', '> blue', 'a `blue`', 'not blue'].map(picked)).toEqual(
    ['', '', '', '', '', '', '', ''].map(() => null),
  );
});
