import { expect, test } from 'vitest';
import type { Question } from '../../../src/contract/run-results.ts';
import { unaddressedAnswer } from '../../../src/webhooks/commands/unaddressed-answer.ts';

const question: Question = {
  question: 'Which colour?',
  options: [
    { id: 'blue', label: 'Blue' },
    { id: 'green', label: 'Green' },
  ],
  allow_freeform: true,
  required: false,
  questions: [],
};

test.each([
  ['Blue', 'Blue', 'Blue'],
  ['the second one, please', 'the second one, please', 'the second one, please'],
  ['> Which colour?\n\nPurple', 'Purple', 'Purple'],
  ['Purple, as on the poster', null, 'Purple, as on the poster'],
  ['Why do you ask? It is on the poster.', null, null],
  ['What about purple?', null, null],
  ['@bob knows it', null, null],
  ['> Another thing\n\nPurple', null, null],
  ['  ', null, null],
  ['See a?b=c', null, 'See a?b=c'],
])('%j in the conversation is %j, and in the thread of the question %j', (body, elsewhere, inThread) => {
  expect([unaddressedAnswer(body, question, false), unaddressedAnswer(body, question, true)]).toEqual([
    elsewhere,
    inThread,
  ]);
});
