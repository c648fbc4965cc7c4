import type { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import type { PendingRequest } from '../../../src/webhooks/records/pending-request.ts';
import { postPendingRequest } from '../../../src/webhooks/replies/post-pending-request.ts';
import { react } from '../../../src/webhooks/replies/react.ts';
import { memoryStore } from '../memory-store.ts';

const trigger: Trigger = {
  kind: 'task',
  automated: false,
  event: 'issue_comment.created',
  repository: { owner: 'acme', name: 'shop' },
  thread: { kind: 'pull_request', number: 5 },
  actor: { login: 'rex', id: 7, type: 'User' },
  text: 'fix it',
  note: null,
  comment: { id: 9, kind: 'issue_comment' },
  location: null,
  at: '2026-01-02T03:04:05.000Z',
  head_sha: null,
  installation_id: null,
};
const held: PendingRequest = {
  version: 1,
  hash: '0123456789abcdef',
  head: 'a'.repeat(40),
  request: { kind: 'task', text: 'fix it', location: null },
  posted: null,
};

test('a held request is kept before it is asked about, and then with the comment and its box', async () => {
  const store = memoryStore();
  const posted: unknown[] = [];
  const createComment = async (comment: { body: string }) => {
    posted.push(comment, JSON.parse(store.values.get('held/5/0123456789abcdef') ?? ''));
    return { data: { id: 77, html_url: 'https://github.test/c/77', body: `${comment.body}\n` } };
  };
  const octokit = { rest: { issues: { createComment } } } as unknown as Octokit;
  await postPendingRequest(
    octokit,
    trigger,
    { kind: 'pending', pending: held, body: 'One.\nTwo.', box: '- [ ] Run it' },
    store,
  );
  const body = '<!-- anode:head v1 hash=0123456789abcdef -->\nOne.\nTwo.\n\n- [ ] Run it';
  expect(posted).toEqual([{ owner: 'acme', repo: 'shop', issue_number: 5, body }, held]);
  expect([...store.values].map(([key, value]) => [key, JSON.parse(value)])).toEqual([
    [
      'held/5/0123456789abcdef',
      {
        ...held,
        posted: {
          ...{ version: 1, comment_id: 77, url: 'https://github.test/c/77', text: `${body}\n` },
          boxes: [{ line: 4, means: null }],
        },
      },
    ],
  ]);
});

test('a reaction goes to the comment that asked, by what kind of comment it is', async () => {
  const made: unknown[] = [];
  const reactions = {
    createForIssueComment: async (reaction: unknown) => made.push('issue', reaction),
    createForPullRequestReviewComment: async (reaction: unknown) => made.push('review', reaction),
  };
  const octokit = { rest: { reactions } } as unknown as Octokit;
  await react(octokit, trigger, 'eyes');
  await react(octokit, { ...trigger, comment: { id: 10, kind: 'review_comment' } }, '+1');
  await react(octokit, { ...trigger, comment: null }, '-1');
  expect(made).toEqual([
    ...['issue', { owner: 'acme', repo: 'shop', comment_id: 9, content: 'eyes' }],
    ...['review', { owner: 'acme', repo: 'shop', comment_id: 10, content: '+1' }],
  ]);
});
