import { expect, test } from 'vitest';
import { quotedAnswer, quotesQuestion } from '../../../src/webhooks/commands/quoted-answer.ts';

const question = {
  question: 'Which **calendar** is meant?',
  options: [],
  allow_freeform: true,
  required: false,
  questions: [],
};

test.each([
  ['> Which **calendar** is meant?\n\nThe ISO one.', 'The ISO one.'],
  ['> Which calendar is meant?\r\n\r\nISO\r\n\r\n`code` too', 'ISO\n\n`code` too'],
  ['> **A question before this can go on**\n>\n> Which calendar is meant?\n>\n> Why: x\n\nISO', 'ISO'],
])('the text below a quote of the question is the answer: %j', (body, answer) => {
  expect(quotedAnswer(body, question)).toBe(answer);
});

test.each([
  '> Something else.\n\nThe ISO one.',
  '> Which calendar is meant?',
  '> Which calendar is meant?\n\nWhat do you think, @bob?',
  '> Which calendar is meant?\n\n> and so on',
  'Which calendar is meant?\n\nISO',
  `${'> '.repeat(4000)}Which calendar is meant?\n\nISO`,
  '>',
  '',
])('any other text is no answer: %j', (body) => {
  expect(quotedAnswer(body.slice(0, 7_000), question)).toBeNull();
});

test('a quote is recognised by any whole line of its questions, without marks', () => {
  const several = {
    ...question,
    question: 'First line\n\nWhy now',
    questions: [{ question: '2. Which `colour`  is it?', options: [], allow_freeform: true, required: true }],
  };
  const quotes = (body: string) => quotesQuestion(body, several);
  expect(
    [
      '> first  LINE',
      '> 1. First line',
      '> Why now\n\nBecause',
      '> other\n> _Which_ colour is it?',
      '  > **Why** now',
    ].map(quotes),
  ).toEqual([true, true, true, true, true]);
  expect(['> First', '> Why', '> 2', 'First line', '> a\n\nFirst line', ''].map(quotes)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
  const short = { ...question, question: 'Why\nWhen' };
  expect([quotesQuestion('> Why', short), quotesQuestion('> When', short)]).toEqual([false, true]);
});

test('text with a mention, deep nesting or too many characters is no answer', () => {
  const answer = (below: string) => quotedAnswer(`> Which calendar is meant?\n\n${below}`, question);
  expect(['ask @bob', '(@bob)', 'mail a@b', '`@bob` is code', '@ is a sign'].map(answer)).toEqual([
    ...[null, null],
    ...['mail a@b', '`@bob` is code', '@ is a sign'],
  ]);
  expect([answer('ok\n>>> three'), answer('ok\n> > > > four')]).toEqual(['ok\n>>> three', null]);
  const head = '> Which calendar is meant?\n\n'.length;
  expect([answer('a'.repeat(8_000 - head)), answer('a'.repeat(8_001 - head))]).toEqual([
    'a'.repeat(8_000 - head),
    null,
  ]);
});
