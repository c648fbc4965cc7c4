import { expect, test } from 'vitest';
import { rankSimilar } from '../../../src/webhooks/plan/rank-alike.ts';

const thread = (number: number, title: string, body = '') => ({ number, title, body, state: 'open' });

test('threads that share the most and rarest words come first, and others are omitted', () => {
  const others = [
    thread(1, 'Dark mode for the settings page'),
    thread(2, 'Login fails with an expired token', 'The refresh endpoint answers 401.'),
    thread(3, 'Expired tokens are refreshed twice', 'On login.'),
    thread(4, 'Typo in the readme'),
  ];
  const one = { title: 'Login with expired token fails', body: 'The refresh gives 401 and the page hangs.' };
  expect(rankSimilar(one, others, 5).map(({ number }) => number)).toEqual([2, 3]);
  expect(rankSimilar(one, others, 1).map(({ number }) => number)).toEqual([2]);
  expect(rankSimilar({ title: '', body: '' }, others, 5)).toEqual([]);
  expect(rankSimilar(one, [], 5)).toEqual([]);
});

const numbers = (one: { title: string; body: string }, others: readonly ReturnType<typeof thread>[]) =>
  rankSimilar(one, others, 9).map(({ number }) => number);

test('a title word counts as three body words, and a match under 15 of 100 is omitted', () => {
  const others = ['calendar', 'weeks', 'number', 'locale', 'monday'].map((word, number) =>
    thread(number, word),
  );
  expect([
    numbers({ title: 'Calendar', body: 'weeks number locale' }, others.slice(0, 4)),
    numbers({ title: 'Calendar', body: 'weeks number locale monday' }, others),
  ]).toEqual([[0, 3, 2, 1], [0]]);
});

test('compares the first 4,000 characters of each body', () => {
  const long = `${' '.repeat(3_996)}calendar`;
  expect([
    numbers({ title: '', body: long }, [thread(1, 'cale')]),
    numbers({ title: 'cale', body: '' }, [thread(1, '', long)]),
  ]).toEqual([[1], [1]]);
});
