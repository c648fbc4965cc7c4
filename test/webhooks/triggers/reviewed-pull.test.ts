import { expect, test } from 'vitest';
import { reviewedPull } from '../../../src/webhooks/triggers/reviewed-pull.ts';

const read = (name: string, payload: object) =>
  reviewedPull({
    ...{ name, delivery_id: null },
    payload: {
      repository: { name: 'app', owner: { login: 'acme' } },
      pull_request: { number: 7, head: { sha: 'a1' } },
      ...payload,
    },
  }) !== null;

test('finds the pull request whose head, base or approvals may have changed', () => {
  const found = [
    read('pull_request', { action: 'opened' }),
    read('pull_request', { action: 'synchronize' }),
    read('pull_request', { action: 'edited', changes: { base: { ref: { from: 'main' } } } }),
    read('pull_request_review', { action: 'submitted', review: { state: 'approved' } }),
    read('pull_request_review', { action: 'dismissed', review: { state: 'dismissed' } }),
  ];
  const others = [
    read('pull_request', { action: 'edited', changes: { title: { from: 'One' } } }),
    read('pull_request', { action: 'closed' }),
    read('pull_request_review', { action: 'submitted', review: { state: 'commented' } }),
    read('issue_comment', { action: 'created' }),
    read('pull_request', { action: 'opened', pull_request: { number: 7 } }),
  ];
  expect([found, others]).toEqual([
    [true, true, true, true, true],
    [false, false, false, false, false],
  ]);
});
