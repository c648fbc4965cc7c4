import { beforeEach, expect, it } from 'vitest';
import type { IncomingEvent } from '../../../src/contract/event.ts';
import { stateKeys } from '../../../src/contract/state-keys.ts';
import { decideEvent } from '../../../src/webhooks/decide-event.ts';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';
import {
  decideContext,
  github,
  latest,
  savedSession,
  startDecideFixture,
  store,
  tick,
  time,
} from '../decide-fixture.ts';

const hash = '0123456789abcdef';
let shop: RepositoryHandle;
let repositories = 0;

startDecideFixture();

/** A pull request on which a session waits for approval of a call. */
beforeEach(async () => {
  repositories += 1;
  shop = await github.createRepository(`acme/shop${repositories}`, {
    files: {
      'a.ts': 'one\n',
      '.github/anode.yml': 'permissions: { onAsk: comment }\ntriggers: { allowBots: ["dep-bot[bot]"] }\n',
    },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
  shop.setPermission('dep-bot[bot]', 'write');
  github.addUser('dep-bot[bot]', { type: 'Bot' });
  await shop.commit('topic', { files: { 'a.ts': 'two\n' }, message: 'Two', author: 'ada' });
  await shop.openPullRequest({ title: 'Two', head: 'topic', author: 'rex' });
  tick();
  const session = savedSession({
    approval: { tool: 'bash', what: 'make', reason: 'Asked.', hash, call_id: 'c', waits: true },
    base_sha: await shop.head('topic'),
  });
  store.values.set(stateKeys.waiting(1, session.run_id), JSON.stringify(session));
  tick();
});

const newest = () => latest('issue_comment', 'created');
const decide = (event: IncomingEvent) => decideEvent(event, decideContext());

/** What comes of a comment: the words of the reply, or the decision where there are none. */
async function say(author: string, body: string): Promise<string> {
  shop.comment(1, { author, body });
  return outcomeOf(newest());
}

async function outcomeOf(event: IncomingEvent): Promise<string> {
  const { decision, reply, plan } = await decide(event);
  if (plan !== null) return 'run';
  return reply.kind === 'comment' ? reply.body : decision;
}

it('a writer’s approval or denial continues the session, bound to the pending call', async () => {
  shop.comment(1, { author: 'ada', body: `/anode approve \`${hash.toUpperCase()}\`` });
  const approved = await decide(newest());
  shop.comment(1, { author: 'ada', body: `/anode deny ${hash} not HIDDENtoday` });
  const denied = await decide(newest());
  const resume = { run_id: 'run_0', session_id: 'session_0', answered_by: 'ada' };
  expect([approved.plan, denied.plan]).toMatchObject([
    { verb: 'answer', resume: { ...resume, answer: '', approval: { verdict: 'approve', hash } } },
    { verb: 'answer', resume: { ...resume, answer: 'not today', approval: { verdict: 'deny', hash } } },
  ]);
});

it('strangers, the author of the pull request, bots and our own texts decide nothing', async () => {
  const approve = `/anode approve ${hash}`;
  expect([
    await say('rex', approve),
    await say('dep-bot[bot]', approve),
    await say('anode-ci[bot]', approve),
  ]).toEqual(['refuse', 'Only a person with write permission can decide on an approval.', 'ignore']);
});

it('only a command with the pending hash decides', async () => {
  expect([
    await say('ada', '/anode approve fedcba9876543210'),
    await say('ada', '/anode approve'),
    await say('ada', `@anode approve ${hash}`),
    await say('ada', `I would not /anode approve ${hash}`),
    await say('ada', 'yes'),
  ]).toEqual([
    `Nothing with the hash \`fedcba9876543210\` waits for approval on this thread. The pending request is \`${hash}\`.`,
    expect.stringContaining(`- The call \`bash make\`: \`/anode approve ${hash}\` or`),
    expect.stringContaining(`Type it as a command: \`/anode approve ${hash}\`.`),
    'ignore',
    'ignore',
  ]);
});

it('a request that was already decided is reported with its decider', async () => {
  store.values.clear();
  const key = stateKeys.approval(1, hash);
  store.values.set(key, JSON.stringify({ by: 'bob', verdict: 'deny' }));
  expect(await say('ada', `/anode approve ${hash}`)).toBe(
    `bob denied \`${hash}\` already. An approval counts once.`,
  );
});

it('a comment from before the request does not count, by GitHub’s clock', async () => {
  store.values.set(stateKeys.asked('run_0'), new Date(time + 1_000).toISOString());
  expect(await say('ada', `/anode approve ${hash}`)).toBe(
    'This comment is older than the request that it answers.',
  );
  store.values.set(stateKeys.asked('run_0'), new Date(time + 999).toISOString());
  expect(await say('ada', `/anode approve ${hash}`)).toBe('run');
});

it('an edited or deleted comment does not count', async () => {
  const { id } = shop.comment(1, { author: 'ada', body: `/anode approve ${hash}` });
  const sent = newest();
  tick(1);
  shop.editComment(id, { author: 'ada', body: 'Rather not.' });
  const edited = await outcomeOf(sent);
  tick(1);
  shop.editComment(id, { author: 'ada', body: `/anode approve ${hash}` });
  const back = await outcomeOf(sent);
  shop.deleteComment(id, { author: 'ada' });
  expect([edited, back, await outcomeOf(sent)]).toEqual([
    'The comment was edited. An edited comment decides nothing: write a new one.',
    'The comment was edited. An edited comment decides nothing: write a new one.',
    'The comment was deleted, so nothing was done.',
  ]);
});

it('an approval lapses when the head moves, with or without a webhook, but a denial does not', async () => {
  const before = await shop.head('topic');
  shop.comment(1, { author: 'ada', body: `/anode approve ${hash}` });
  const early = newest();
  expect(await outcomeOf(early)).toBe('run');
  tick();
  const after = await shop.commit('topic', { files: { 'a.ts': 'three\n' }, message: 'Push', author: 'rex' });
  tick();
  const lapsed = `The approval has lapsed: it was asked for on ${before?.slice(0, 12)}, and the head is ${after.slice(0, 12)} now. Nothing was done. With \`deny\` and the same hash the run goes on without the call, and can ask again.`;
  expect([await outcomeOf(early), await say('ada', `/anode approve ${hash}`)]).toEqual([lapsed, lapsed]);
  await decide(latest('pull_request', 'synchronize'));
  tick();
  expect([await say('ada', `/anode approve ${hash}`), await say('ada', `/anode deny ${hash}`)]).toEqual([
    lapsed,
    'run',
  ]);
});

it('a comment on a line decides like one on the thread', async () => {
  await shop.review(1, { author: 'ada', comments: [{ path: 'a.ts', line: 1, body: 'Hm' }] });
  const [line] = shop.reviewComments(1);
  shop.replyToReviewComment(line?.id ?? 0, { author: 'ada', body: `/anode approve ${hash}` });
  expect(await outcomeOf(latest('pull_request_review_comment', 'created'))).toBe('run');
});

it('a review cannot decide', async () => {
  await shop.review(1, { author: 'ada', body: `/anode approve ${hash}` });
  expect(await outcomeOf(latest('pull_request_review', 'submitted'))).toBe(
    'Decide on an approval in a comment of its own, not in a review.',
  );
});

it('a mention starts a new task while a call waits', async () => {
  shop.comment(1, { author: 'ada', body: '@anode fix the title' });
  const { plan } = await decide(newest());
  expect(plan).toMatchObject({ verb: 'task', prompt: 'fix the title', resume: null });
});
