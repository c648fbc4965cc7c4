import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call, lastResults } from './support/conversation.ts';
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

test('a finding that only the summary tells is dismissed by its id, and a 👎 counts at the same time', async () => {
  stage.learn('SMALL', (turn) => {
    if (turn > 1) return { text: 'See the lines.' };
    const about = (line: number, severity: string) => ({
      ...{ path: 'a.txt', line, severity, category: 'style' },
      ...{ title: `About line ${line}`, body: `Line ${line} could be better.` },
    });
    return {
      calls: [call('report_findings', { findings: [about(1, 'high'), about(2, 'low'), about(3, 'info')] })],
    };
  });
  const text = 'SMALL\ntwo small\nthree small\nfour\n';
  await shop.commit('small', { files: { 'a.txt': text }, message: 'Small', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Small', head: 'small', author: 'ada' });
  await stage.report(shop, number);
  const [summary] = shop.comments(number);
  const told = () => visible(shop.comments(number)[0]?.body ?? '');
  const lines = () => told().split('\n');
  const id = /\*\*low\*\* `([0-9a-f]{7})`/u.exec(told())?.[1];
  expect([lines()[0]?.split('.')[0], lines().find((line) => line.includes('To dismiss one'))]).toEqual([
    '**3 open findings**: 1 high, 1 low, 1 info',
    `<sub>To dismiss one: \`/anode dismiss ${id} reason\`</sub>`,
  ]);
  const [root = { id: 0 }] = shop.reviewComments(number);
  stage.passTime();
  shop.react({ id: root.id }, '-1', 'bob');
  shop.comment(number, { author: 'rex', body: `/anode dismiss ${id} it is mine` });
  const word = shop.comment(number, { author: 'ada', body: `/anode dismiss ${id} two is fine here` });
  await stage.until('a sign', () => shop.reactions(word).some(({ content }) => content === '+1'));
  expect({
    head: lines()[0]?.split('.')[0],
    settled: lines().filter((line) => line.startsWith('- dismissed')),
    isSame: shop.comments(number)[0]?.id === summary?.id,
    comments: shop.comments(number).length,
  }).toEqual({
    head: '**1 open finding**: 1 info',
    settled: [
      `- dismissed by bob: [\`a.txt:1\`](${shop.url}/pull/${number}#discussion_r${root.id}) About line 1`,
      '- dismissed by ada (“two is fine here”): `a.txt:2` About line 2',
    ],
    isSame: true,
    comments: 3,
  });
  shop.comment(number, { author: 'ada', body: '/anode dismiss 0000000' });
  await stage.until('the answer', () => shop.comments(number).length === 5);
  expect(visible(shop.comments(number).at(-1)?.body ?? '')).toBe(
    'No finding of this pull request has the id `0000000`. Name the finding by its id in my summary, or use `dismiss` in the thread of a finding.',
  );
});

test('a question of a run that a thread asked for stands there, and a plain reply answers it', async () => {
  const quiet = await stage.github.createRepository('acme/quiet', {
    files: { 'a.txt': 'one\n', '.github/anode.yml': 'review: { auto: false }\nsandbox: preferred\n' },
  });
  for (const login of ['ada', 'bob']) quiet.setPermission(login, 'write');
  quiet.setPermission('rex', 'read');
  await quiet.commit('topic', { files: { 'a.txt': 'two\n' }, message: 'Two', author: 'ada' });
  const { number } = await quiet.openPullRequest({ title: 'Two', head: 'topic', author: 'ada' });
  stage.learn('paint this line', (turn, request) =>
    turn === 1
      ? { calls: [call('ask_user', { question: 'Which colour?', options: ['Blue', 'Green'] })] }
      : { text: `Painted. ${lastResults(request)}` },
  );
  stage.passTime();
  // The App's own name is a mention too.
  const body = '@anode-ci paint this line';
  const comments = [{ path: 'a.txt', line: 1, side: 'RIGHT' as const, body }];
  await quiet.review(number, { author: 'ada', comments });
  const [asked = { id: 0 }] = quiet.reviewComments(number);
  const page = `${quiet.url}/pull/${number}`;
  const ours = () => quiet.reviewComments(number).filter(({ author }) => author === stage.app.login);
  const texts = () => ours().map(({ body }) => visible(body));
  await stage.until('the question in the thread', () => ours().length === 1);
  const form = () => quiet.comments(number).find(({ body }) => body.startsWith('<!-- anode:question'));
  await stage.until('the end of the run', () => quiet.reactions({ id: asked.id }).length === 0);
  expect(texts()).toEqual([
    [
      '**A question before this can go on**',
      'Which colour?',
      '1. **Blue** (`blue`)\n2. **Green** (`green`)',
      `<sub>Answer here with an option, or in [the comment with all ways to answer](${page}#issuecomment-${form()?.id}).</sub>`,
    ].join('\n\n'),
  ]);
  stage.passTime();
  const say = (author: string, body: string) => quiet.replyToReviewComment(asked.id, { author, body });
  // People may talk, and whoever may not answer is not told so.
  say('rex', 'Blue');
  say('bob', 'What do you think, @ada?');
  say('bob', 'Let me look at the poster first.');
  say('bob', 'Still looking.');
  await stage.until('the hint', () => ours().length === 2);
  const answer = say('bob', 'The second one, please.');
  const report = await stage.report(quiet, number, form()?.id);
  await stage.until('the answer in the thread', () => texts().some((text) => text.startsWith('Painted.')));
  const continued = quiet.comments(number).at(-1);
  const closed = [
    '**Answered by `bob`.**',
    'Which colour?',
    '> **Green** (`green`)',
    `[The answer](${page}#discussion_r${answer.id}) · [How it went on](${page}#issuecomment-${continued?.id})`,
  ].join('\n\n');
  expect({
    thread: texts(),
    form: visible(form()?.body ?? ''),
    report,
    comments: quiet.comments(number).length,
  }).toEqual({
    thread: [
      closed,
      // The hint is gone with the question.
      'Painted. The user chose: green (Green)',
    ],
    form: closed,
    report: `**Answered, nothing changed.**\n\nAnswered in [the thread](${page}#discussion_r${ours()[1]?.id}).`,
    // The report that it waited is gone.
    comments: 2,
  });
  expect(continued?.body).toContain(`answered by [bob](${page}#discussion_r${answer.id})`);
});
