import { expect, test } from 'vitest';
import type { Question } from '../../../src/contract/question.ts';
import { defaultAnswer, tickedAnswer, withTicked } from '../../../src/webhooks/answers/answer-text.ts';

const options = [
  { id: 'pg', label: 'PostgreSQL' },
  { id: 'lite', label: 'SQLite' },
];
const asked = { question: 'Which database?', options, allow_freeform: true, required: false };
const one: Question = { ...asked, questions: [] };
const three: Question = {
  ...asked,
  required: true,
  questions: [
    { ...asked, question: 'Which tests?\nAll?', multiple: true },
    { ...asked, question: 'Which year?' },
  ],
};
const box = (question: number, option: string) => ({ line: 0, means: { question, option } });
const send = { line: 9, means: null };

test('One question with one choice is answered by its option, several line by line', () => {
  expect([
    tickedAnswer(one, [box(0, 'lite')]),
    tickedAnswer(three, [box(0, 'pg'), box(1, 'pg'), box(1, 'lite'), send]),
  ]).toEqual([
    { kind: 'whole', text: 'lite' },
    {
      kind: 'whole',
      text: '1. Which database? pg (PostgreSQL)\n2. Which tests? pg (PostgreSQL), lite (SQLite)\n3. Which year? no answer',
    },
  ]);
});

test('Nothing, two of one, and nothing where something has to be are no answer', () => {
  expect([
    tickedAnswer(one, []),
    tickedAnswer(one, [box(0, 'pg'), box(0, 'lite')]),
    tickedAnswer(three, [box(2, 'pg'), send]),
    tickedAnswer(three, [box(0, 'pg'), box(2, 'pg'), box(2, 'lite'), send]),
  ]).toEqual([
    { kind: 'open', problem: 'Nothing is ticked.' },
    { kind: 'open', problem: 'The question takes one option, and 2 are ticked.' },
    { kind: 'open', problem: 'Question 1 has to be answered.' },
    { kind: 'open', problem: 'Question 3 takes one option, and 2 are ticked.' },
  ]);
});

test('Words that answer several questions bring along what was ticked before', () => {
  expect([
    withTicked('the newest', three, [box(0, 'pg')]),
    withTicked('the newest', three, []),
    withTicked('the newest', one, [box(0, 'pg')]),
  ]).toEqual([
    '1. Which database? pg (PostgreSQL)\n2. Which tests? no answer\n3. Which year? no answer\n\nIn their own words: the newest',
    'the newest',
    'the newest',
  ]);
});

test('Where nobody answers, defaults hold as far as there are any', () => {
  expect([defaultAnswer(one), defaultAnswer({ ...one, default: 'pg' })]).toEqual([
    'Nobody answered in time. Go on without an answer: decide yourself, and say what you assumed.',
    'Nobody answered in time. What you named as default holds:\npg (PostgreSQL)',
  ]);
});
