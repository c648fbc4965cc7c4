import { expect, test } from 'vitest';
import type { Question } from '../../../src/contract/run-results.ts';
import { answerProblem } from '../../../src/webhooks/answers/answer-problem.ts';

const options = [
  { id: 'blue', label: 'The blue one' },
  { id: 'red', label: 'The red one' },
];
const asked: Question = {
  ...{ question: 'Which?', options, allow_freeform: false, required: true, questions: [] },
};
const problem = (words: string, change: Partial<Question> = {}, ticked: readonly string[] = []) =>
  answerProblem(
    words,
    { ...asked, ...change },
    ticked.map((option, question) => ({ line: question, means: { question, option } })),
  );
const only =
  'This does not answer the question, which takes only its own options. Allowed answers: 1. The blue one, 2. The red one.';

test('a question without free text accepts its options by number, label or id, and lists them', () => {
  const given = ['blue', '2', 'The red one.', '**Blue**'].map((words) => problem(words));
  expect(given).toEqual([null, null, null, null]);
  expect([problem('purple'), problem('blue and red'), problem('')]).toEqual([only, only, only]);
  expect([problem('purple', { allow_freeform: true }), problem('purple', { options: [] })]).toEqual([
    null,
    null,
  ]);
});

test('a question with several choices accepts a list of options', () => {
  const many = (words: string) => problem(words, { multiple: true });
  expect([many('blue, red'), many('1 and 2'), many('blue')]).toEqual([null, null, null]);
  expect(many('blue, purple')).toBe(only.replace('answers:', 'answers (several may be chosen):'));
});

test('several questions are answered one per line, or by ticked boxes and text', () => {
  const when = { question: 'When?', options: [], allow_freeform: true, required: false };
  const questions = { questions: [when] };
  const lines = `Answer each of the 2 questions on a line of its own. ${only.replace('Allowed answers', 'Question 1')}`;
  expect([
    problem('1. blue\n2. tomorrow', questions),
    problem('tomorrow', questions, ['blue']),
    problem('purple\ntomorrow', questions),
    problem('tomorrow', questions),
  ]).toEqual([null, null, only.replace('Allowed answers', 'Question 1'), lines]);
});
