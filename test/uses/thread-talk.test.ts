import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;

beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'a.txt': 'one\ntwo\nthree\nfour\n', '.github/anode.yml': 'sandbox: preferred\n' },
  });
  for (const login of ['ada', 'bob']) shop.setPermission(login, 'write');
  shop.setPermission('rex', 'read');
});
afterAll(() => stage.close());

/** A pull request whose review states a finding on each of these lines. */
async function reviewed(branch: string, ...lines: number[]) {
  stage.learn(branch.toUpperCase(), (turn) => {
    if (turn > 1) return { text: 'See the lines.' };
    const findings = lines.map((line) => ({
      ...{ path: 'a.txt', line, severity: 'high', category: 'correctness' },
      ...{ title: `About line ${line}`, body: `Line ${line} is wrong.` },
    }));
    return { calls: [call('report_findings', { findings })] };
  });
  const text = `${branch.toUpperCase()}\ntwo ${branch}\nthree\nfour\n`;
  await shop.commit(branch, { files: { 'a.txt': text }, message: branch, author: 'ada' });
  const { number } = await shop.openPullRequest({ title: branch, head: branch, author: 'ada' });
  await stage.report(shop, number);
  stage.passTime();
  return { number, roots: shop.reviewComments(number).map(({ id }) => id) };
}

test('an answer that dismisses a finding gets a reaction, resolves its thread, and is known to the next review', async () => {
  const { number, roots } = await reviewed('first', 1, 2);
  const [root = 0, other = 0] = roots;
  const say = (author: string, body: string, at = root) => shop.replyToReviewComment(at, { author, body });
  // Talk, questions and people who may not dismiss are left alone.
  say('bob', 'Is that really so?');
  say('bob', 'False positive? I am not sure.');
  say('rex', "Won't fix, I like it.");
  const before = { comments: shop.comments(number).length, remarks: shop.reviewComments(number).length };
  const { id } = say('bob', 'False positive, because the loader checks it.');
  await stage.until('the end of the thread', () =>
    shop.reviewThreads(number).some((thread) => thread.resolvedBy !== null),
  );
  const named = say('ada', '@anode by design: see the docs', other);
  await stage.until('both threads ended', () =>
    shop.reviewThreads(number).every((thread) => thread.resolvedBy !== null),
  );
  await stage.until('the reactions', () => shop.reactions({ id: named.id }).length > 0);
  expect({
    bob: shop.reactions({ id }).map(({ content, user }) => [content, user]),
    ada: shop.reactions({ id: named.id }).map(({ content }) => content),
    comments: shop.comments(number).length,
    remarks: shop.reviewComments(number).length,
  }).toEqual({
    bob: [['+1', 'anode-ci[bot]']],
    ada: ['+1'],
    comments: before.comments,
    remarks: before.remarks + 2,
  });
  stage.learn('AGAIN', () => ({ text: 'Nothing to remark.' }));
  await shop.commit('first', { files: { 'b.txt': 'AGAIN\n' }, message: 'More', author: 'ada' });
  await stage.until('the next review', () => stage.requestsFor('AGAIN').length > 0);
  const [task] = stage.requestsFor('AGAIN');
  expect(JSON.stringify(task?.messages)).toContain(
    'a.txt:1 [high] correctness: About line 1 (dismissed by bob: False positive, because the loader checks it.)',
  );
});
