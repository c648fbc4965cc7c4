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

test('a single choice is answered by its option, and several questions line by line', () => {
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

test('no tick, two ticks for one choice, or a missing required answer is reported', () => {
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

test('text that answers several questions is added to the ticked options', () => {
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

test('a line for each question gives its answer, with options by label or number', () => {
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

test('without an answer the defaults apply, if there are any', () => {
  expect([defaultAnswer(one), defaultAnswer({ ...one, default: 'pg' })]).toEqual([
    'No one answered in time. Go on without an answer: decide yourself, and say what you assumed.',
    'No one answered in time. What you named as default holds:\npg (PostgreSQL)',
  ]);
});

test('several choices are answered by all ticked options with their labels', () => {
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

test('a default is listed with the other questions, which have no answer', () => {
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

test('only one question with a single choice is answered by one tick', () => {
  expect(
    [one, { ...one, multiple: false }, { ...one, multiple: true }, three].map(isAnsweredByOneTick),
  ).toEqual([...[true, true, false, false]]);
});
