import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { postReply } from '../../../src/webhooks/replies/post-reply.ts';
import type { Reply } from '../../../src/webhooks/replies/reply.ts';
import { type GitHub, startGitHub } from '../../support/github/start-github.ts';

let github: GitHub;
let repositories = 0;
beforeAll(async () => {
  github = await startGitHub();
  github.addApp({ slug: 'anode-ci', permissions: { issues: 'write', pull_requests: 'write' } });
});
afterAll(() => github.close());

/** A pull request with a comment and a review comment by someone who asks, and a way to reply to either. */
async function askedBy(login: string) {
  repositories += 1;
  const name = `shop${repositories}`;
  const shop = await github.createRepository(`acme/${name}`, { files: { 'a.ts': 'one\n' } });
  await shop.commit('topic', { files: { 'a.ts': 'two\n' }, message: 'Two' });
  await shop.openPullRequest({ title: 'Two', head: 'topic', author: 'ada' });
  const asked = shop.comment(1, { author: login, body: '@anode fix it' });
  await shop.review(1, { author: login, comments: [{ path: 'a.ts', line: 1, body: '@anode fix it' }] });
  const onLine = shop.reviewComments(1)[0]?.id ?? 0;
  const permissions = { issues: 'write', pull_requests: 'write' } as const;
  const token = github.createToken({ actor: 'anode-ci[bot]', permissions });
  const octokit = createOctokit({ apiUrl: github.apiUrl, token });
  return {
    onThread: asked.id,
    onLine,
    reply: (comment: Trigger['comment'], reply: Reply) => postReply(octokit, triggerOn(name, comment), reply),
    state: () => ({
      comments: shop
        .comments(1)
        .slice(1)
        .map(({ author, body }) => ({ author, body })),
      onThread: shop.reactions({ id: asked.id }),
      onLine: shop.reactions({ id: onLine }),
    }),
  };
}

const triggerOn = (name: string, comment: Trigger['comment']): Trigger => ({
  kind: 'task',
  automated: false,
  event: 'issue_comment.created',
  repository: { owner: 'acme', name },
  thread: { kind: 'pull_request', number: 1 },
  actor: { login: 'rex', id: 7, type: 'User' },
  text: 'fix it',
  note: null,
  comment,
  location: null,
  at: '2026-01-02T03:04:05.000Z',
  head_sha: null,
  installation_id: null,
});

const thumb = { content: '-1', user: 'anode-ci[bot]' };

test('posts text on the thread', async () => {
  const { reply, state, onThread } = await askedBy('rex');
  await reply({ id: onThread, kind: 'issue_comment' }, { kind: 'comment', body: 'You may not.' });
  expect(state()).toEqual({
    comments: [{ author: 'anode-ci[bot]', body: '<!-- anode:reply v1 -->\nYou may not.' }],
    onThread: [],
    onLine: [],
  });
});

test('adds a reaction to the requesting comment, on the thread or on a line', async () => {
  const first = await askedBy('rex');
  await first.reply({ id: first.onThread, kind: 'issue_comment' }, { kind: 'reaction', content: '-1' });
  const second = await askedBy('rex');
  await second.reply({ id: second.onLine, kind: 'review_comment' }, { kind: 'reaction', content: '-1' });
  expect([first.state(), second.state()]).toEqual([
    { comments: [], onThread: [thumb], onLine: [] },
    { comments: [], onThread: [], onLine: [thumb] },
  ]);
});

test('posts nothing without a comment to react to, or without a reply', async () => {
  const { reply, state, onThread } = await askedBy('rex');
  await reply(null, { kind: 'reaction', content: '-1' });
  await reply({ id: onThread, kind: 'issue_comment' }, { kind: 'none' });
  expect(state()).toEqual({ comments: [], onThread: [], onLine: [] });
});
