import { expect, test } from 'vitest';
import type { Question } from '../../../src/contract/run-results.ts';
import {
  defaultAnswer,
  isAnsweredByOneTick,
  tickedAnswer,
  withTicked,
} from '../../../src/webhooks/answers/answer-text.ts';

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
    { ...asked, question: 'Which tests?\nAll?\nOr none?', multiple: true },
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

test('As many lines as there are questions are their answers, options by name or number', () => {
  const told = (words: string) => withTicked(words, three, []);
  expect([
    told('SQLite\n\n2\n the oldest '),
    told('1. pg\n2) all of them\n3. 1'),
    told(' 1.  pg\n12)  all 3. of them\n3.1 is not one'),
    told('pg\nlite'),
  ]).toEqual([
    '1. Which database? lite (SQLite)\n2. Which tests? lite (SQLite)\n3. Which year? the oldest',
    '1. Which database? pg (PostgreSQL)\n2. Which tests? all of them\n3. Which year? pg (PostgreSQL)',
    '1. Which database? pg (PostgreSQL)\n2. Which tests? all 3. of them\n3. Which year? 3.1 is not one',
    'pg\nlite',
  ]);
});

test('Where nobody answers, defaults hold as far as there are any', () => {
  expect([defaultAnswer(one), defaultAnswer({ ...one, default: 'pg' })]).toEqual([
    'No one answered in time. Go on without an answer: decide yourself, and say what you assumed.',
    'No one answered in time. What you named as default holds:\npg (PostgreSQL)',
  ]);
});

test('One question with several choices is answered by all that are ticked, with their labels', () => {
  const many: Question = { ...one, multiple: true };
  expect([
    tickedAnswer(many, [box(0, 'pg'), box(0, 'lite'), send]),
    tickedAnswer(many, [box(0, 'gone')]),
    tickedAnswer({ ...many, required: true }, [send]),
    tickedAnswer(many, [send]),
    withTicked('or none', many, [box(0, 'pg'), send]),
    withTicked('or none', many, [send]),
  ]).toEqual([
    { kind: 'whole', text: 'pg (PostgreSQL), lite (SQLite)' },
    { kind: 'whole', text: 'gone' },
    { kind: 'open', problem: 'The question has to be answered.' },
    { kind: 'open', problem: 'Nothing is ticked.' },
    'pg (PostgreSQL)\n\nIn their own words: or none',
    'or none',
  ]);
});

test('A default of one question is told beside the others, which have no answer', () => {
  const [, second, third] = [one, ...three.questions];
  const questions = [second, third].flatMap((other) => (other === undefined ? [] : [other]));
  const given = {
    ...three,
    questions: questions.map((other, at) => (at === 0 ? { ...other, default: 'lite' } : other)),
  };
  expect(defaultAnswer(given)).toBe(
    'No one answered in time. What you named as default holds:\n1. Which database? no answer\n2. Which tests? lite (SQLite)\n3. Which year? no answer',
  );
});

test('One tick says it all only where there is one question with one choice', () => {
  expect(
    [one, { ...one, multiple: false }, { ...one, multiple: true }, three].map(isAnsweredByOneTick),
  ).toEqual([...[true, true, false, false]]);
});
