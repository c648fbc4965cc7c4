import { expect, test } from 'vitest';
import { rankAlike } from '../../../src/webhooks/plan/rank-alike.ts';

const thread = (number: number, title: string, body = '') => ({ number, title, body, state: 'open' });

test('the threads that share most and rarest words come first, and strangers not at all', () => {
  const others = [
    thread(1, 'Dark mode for the settings page'),
    thread(2, 'Login fails with an expired token', 'The refresh endpoint answers 401.'),
    thread(3, 'Expired tokens are refreshed twice', 'On login.'),
    thread(4, 'Typo in the readme'),
  ];
  const one = { title: 'Login with expired token fails', body: 'The refresh gives 401 and the page hangs.' };
  expect(rankAlike(one, others, 5).map(({ number }) => number)).toEqual([2, 3]);
  expect(rankAlike(one, others, 1).map(({ number }) => number)).toEqual([2]);
  expect(rankAlike({ title: '', body: '' }, others, 5)).toEqual([]);
  expect(rankAlike(one, [], 5)).toEqual([]);
});
