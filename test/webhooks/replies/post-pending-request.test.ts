import type { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import type { PendingRequest } from '../../../src/webhooks/records/pending-request.ts';
import { postPendingRequest } from '../../../src/webhooks/replies/post-pending-request.ts';
import { react } from '../../../src/webhooks/replies/react.ts';
import { apiError } from '../event-request.ts';
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
};

const key = (hash: string) => `held/5/${hash}`;
const other: PendingRequest = { ...held, hash: 'fedcba9876543210' };
const reply = (pending: PendingRequest, box: string) =>
  ({ kind: 'pending', pending, body: 'One.\nTwo.', box }) as const;

/** GitHub with one comment; what was written to it, and what was stored then. */
function world({ gone = false }: { gone?: boolean } = {}) {
  const store = memoryStore();
  const written: unknown[] = [];
  let last = 76;
  const createComment = async (comment: { body: string }) => {
    written.push(comment, [...store.values.keys()]);
    last += 1;
    return { data: { id: last, html_url: `https://github.test/c/${last}`, body: `${comment.body}\n` } };
  };
  const updateComment = async (comment: { body: string }) => {
    if (gone) throw apiError(404);
    written.push(comment);
    return { data: { body: comment.body } };
  };
  const octokit = { rest: { issues: { createComment, updateComment } } } as unknown as Octokit;
  const confirmation = () => JSON.parse(store.values.get('confirm/5') ?? 'null');
  return { octokit, store, written, confirmation };
}
const first = '<!-- anode:head v1 hash=0123456789abcdef -->\nOne.\nTwo.\n\n- [ ] Run it';
const boxOf = (line: number, { hash }: PendingRequest) => ({ line, means: { question: 0, option: hash } });

test('stores a request before it posts the comment with its box', async () => {
  const { octokit, store, written, confirmation } = world();
  await postPendingRequest(octokit, trigger, reply(held, '- [ ] Run it'), store);
  expect(written).toEqual([{ owner: 'acme', repo: 'shop', issue_number: 5, body: first }, [key(held.hash)]]);
  expect(JSON.parse(store.values.get(key(held.hash)) ?? '')).toEqual(held);
  expect(confirmation()).toEqual({
    ...{ version: 1, head: held.head, comment_id: 77, url: 'https://github.test/c/77', text: `${first}\n` },
    boxes: [boxOf(4, held)],
  });
});

test('requests about one head share a comment, and a new head or a deleted comment needs another', async () => {
  const { octokit, store, written, confirmation } = world();
  await postPendingRequest(octokit, trigger, reply(held, '- [ ] Run it'), store);
  await postPendingRequest(octokit, trigger, reply(other, '- [ ] Run that'), store);
  await postPendingRequest(octokit, trigger, reply(other, '- [ ] Run that'), store);
  const both = `${first}\n- [ ] Run that`;
  expect(written.slice(2)).toEqual(
    Array(2).fill({ owner: 'acme', repo: 'shop', comment_id: 77, body: both }),
  );
  expect(confirmation()).toMatchObject({ text: both, boxes: [boxOf(4, held), boxOf(5, other)] });
  const next = { ...other, head: 'b'.repeat(40) };
  await postPendingRequest(octokit, trigger, reply(next, '- [ ] Run that'), store);
  expect(confirmation()).toMatchObject({ head: next.head, comment_id: 78, boxes: [boxOf(4, next)] });
  const deleted = world({ gone: true });
  await postPendingRequest(deleted.octokit, trigger, reply(held, '- [ ] Run it'), deleted.store);
  await postPendingRequest(deleted.octokit, trigger, reply(other, '- [ ] Run that'), deleted.store);
  expect(deleted.confirmation()).toMatchObject({ comment_id: 78, boxes: [boxOf(4, other)] });
});

test('adds a reaction to the requesting comment, by its kind', async () => {
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
