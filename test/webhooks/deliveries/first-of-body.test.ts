import { expect, test } from 'vitest';
import { isFirstOfBody } from '../../../src/webhooks/deliveries/first-of-body.ts';
import { memoryStore } from '../memory-store.ts';

test('a body counts once, whatever its delivery id and event name', async () => {
  const store = memoryStore();
  const came = (name: string, delivery_id: string | null, text: string) =>
    isFirstOfBody({ name, delivery_id, payload: { comment: { body: text } } }, store);
  expect([
    await came('issue_comment', 'one', 'fix it'),
    await came('issue_comment', 'one', 'fix it'),
    await came('issue_comment', 'two', 'fix it'),
    await came('pull_request_review_comment', 'three', 'fix it'),
    await came('issue_comment', 'four', 'fix it, please'),
    await came('issue_comment', null, 'fix it'),
    await came('issue_comment', 'one', 'fix it'),
  ]).toEqual([true, true, false, false, true, true, true]);
  expect([await came('check_run', 'five', 'press'), await came('check_run', 'six', 'press')]).toEqual([
    true,
    true,
  ]);
});
