import { expect, test } from 'vitest';
import { quotedAnswer } from '../../../src/webhooks/command/quoted-answer.ts';

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
])('What stands below a quote of the question answers it: %j', (body, answer) => {
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
])('Talk about it does not: %j', (body) => {
  expect(quotedAnswer(body.slice(0, 7_000), question)).toBeNull();
});
