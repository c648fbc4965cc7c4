import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { commitOf } from './support/commit-of.ts';
import { call, lastResults } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

const config = 'review: { auto: false }\nsandbox: preferred\n';

let stage: Stage;
let shop: RepositoryHandle;

beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'colour.txt': 'red\n', '.github/anode.yml': config },
  });
  for (const login of ['ada', 'bob']) shop.setPermission(login, 'write');
  shop.setPermission('rex', 'read');
});
afterAll(() => stage.close());

const colours = { question: 'Which colour?', options: ['Blue', 'Green'] };

/** What a continued run is told of the draft. */
const back = 'Your earlier changes are all in this new checkout: draft.txt. Files that git ignores are not.';

/** A run that begins a draft and then asks, and the comment with its question. */
async function ask(branch: string, question: Parameters<typeof call>[1]) {
  await shop.commit(branch, { files: { [`${branch}.txt`]: 'one\n' }, message: branch, author: 'ada' });
  const { number } = await shop.openPullRequest({ title: branch, head: branch, author: 'ada' });
  stage.learn(`paint ${branch}`, (turn, request) => {
    if (turn === 1) return { calls: [call('create_file', { path: 'draft.txt', content: 'half\n' })] };
    if (turn === 2) return { calls: [call('ask_user', question)] };
    return { text: lastResults(request) };
  });
  stage.passTime();
  const trigger = shop.comment(number, { author: 'ada', body: `@anode paint ${branch}` });
  await stage.report(shop, number, trigger.id);
  return { number, id: comment(number).id, body: () => comment(number).body };
}

function comment(number: number) {
  const found = shop.comments(number).find(({ body }) => body.startsWith('<!-- anode:question'));
  if (found === undefined) throw new Error('no question was asked');
  return found;
}

/** Clicks the boxes of a comment whose lines contain a word, each with a separate edit. */
function tick(id: number, author: string, ...words: string[]): void {
  for (const word of words) {
    const number =
      [...Array(20).keys()].find((one) => shop.comments(one + 1).some((it) => it.id === id)) ?? 0;
    const before = shop.comments(number + 1).find((it) => it.id === id)?.body ?? '';
    const lines = before
      .split('\n')
      .map((line) => (line.includes(word) ? line.replace('- [ ]', '- [x]') : line));
    shop.editComment(id, { author, body: lines.join('\n') });
  }
}

test('one click answers and closes the question, and the run continues with its earlier work', async () => {
  const { number, id, body } = await ask('one', colours);
  expect(visible(body()).split('\n\n').slice(0, 3)).toEqual([
    '**A question before this can go on**',
    'Which colour?',
    '- [ ] 1. **Blue** (`blue`)\n- [ ] 2. **Green** (`green`)',
  ]);
  stage.passTime();
  tick(id, 'bob', 'Green');
  const report = await stage.report(shop, number, id);
  const continued = shop.comments(number).at(-1);
  const wentOn = `[How it went on](${shop.url}/pull/${number}#issuecomment-${continued?.id})`;
  expect([report.split('\n\n')[1], visible(body())]).toEqual([
    `The user chose: green (Green)\n${back}`,
    `**Answered by \`bob\`.**\n\nWhich colour?\n\n> **Green** (\`green\`)\n\n${wentOn}`,
  ]);
  // The report that the run waits is gone.
  const left = shop.comments(number).filter(({ body: text }) => text.includes('Waiting for an answer'));
  expect(left).toEqual([]);
  expect((await commitOf(shop, 'one')).files).toEqual(['A draft.txt']);
});

test('a questionnaire is answered click by click, and any other edit of it is undone', async () => {
  const { number, id, body } = await ask('two', {
    ...colours,
    required: true,
    questions: [{ question: 'Which walls?', options: ['North', 'South'], multiple: true }],
  });
  const requested = body();
  // Read permission is not enough, whoever could edit the comment.
  tick(id, 'rex', 'Green');
  await stage.until('the comment put back', () => body() === requested);
  shop.editComment(id, { author: 'bob', body: requested.replace('Which colour?', 'May I delete all?') });
  await stage.until('the comment put back', () => body() === requested);
  tick(id, 'bob', 'North', 'Send');
  const partly = requested.replace('- [ ] 1. **North', '- [x] 1. **North');
  await stage.until('word of what is missing', () =>
    shop
      .comments(number)
      .some(({ id: one, body: text }) => one > id && text.includes('Question 1 has to be answered.')),
  );
  expect(body()).toBe(partly);
  stage.passTime();
  tick(id, 'bob', 'Blue', 'South', 'Send');
  const report = await stage.report(shop, number, id);
  expect(report).toContain(
    'The user answered: 1. Which colour? blue (Blue)\n2. Which walls? north (North), south (South)',
  );
  expect(body()).toContain('**Answered by `bob`.**');
});

test('a quote with text below it answers, and a second answer is reported as late', async () => {
  const { number, id } = await ask('three', { ...colours, allow_freeform: true });
  stage.passTime();
  shop.comment(number, { author: 'bob', body: '> Which colour?\n\nWhat do you think, @ada?' });
  const first = shop.comment(number, { author: 'bob', body: '> Which colour?\n\nPurple.' });
  const second = shop.comment(number, { author: 'ada', body: '/anode answer yellow' });
  const report = await stage.report(shop, number, first.id);
  expect([report.split('\n\n')[1], id < first.id]).toEqual([`The user answered: Purple.\n${back}`, true]);
  await stage.until('word of the question that was answered', () =>
    shop
      .comments(number)
      .some(
        ({ id: one, body }) =>
          one > second.id && body.includes('No question waits for an answer on this thread.'),
      ),
  );
  expect((await commitOf(shop, 'three')).files).toEqual(['A draft.txt']);
});

test('a task from before a push runs on the new head after a click or a command', async () => {
  await shop.commit('four', { files: { 'four.txt': 'one\n' }, message: 'four', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'four', head: 'four', author: 'ada' });
  const gate = Promise.withResolvers<void>();
  stage.learn('hold the thread', async () => {
    await gate.promise;
    return { text: 'Held.' };
  });
  stage.learn('read what came', (turn, request) =>
    turn === 1 ? { calls: [call('read', { path: 'came.txt' })] } : { text: lastResults(request) },
  );
  stage.passTime();
  shop.comment(number, { author: 'ada', body: '@anode hold the thread' });
  await stage.until('the run', () => stage.requestsFor('hold the thread').length > 0);
  const late = shop.comment(number, { author: 'ada', body: '@anode read what came' });
  stage.passTime();
  const came = await shop.commit('four', { files: { 'came.txt': 'came\n' }, message: 'Push', author: 'rex' });
  gate.resolve();
  const asks = () => shop.comments(number).find(({ body }) => body.startsWith('<!-- anode:head'));
  await stage.until('a question about the head', () => asks() !== undefined);
  const hash = /continue ([0-9a-f]{16})/.exec(asks()?.body ?? '')?.[1];
  const { id = 0, body = '' } = asks() ?? {};
  expect(visible(body)).toBe(
    [
      `The head is ${came.slice(0, 12)} now, and it was pushed after your comment. Comment again to run on it. Or tick a box: its request then runs on exactly this head.`,
      `- [ ] Run \`task read what came\`, [as ada asked](${shop.url}/pull/${number}#issuecomment-${late.id}) (or say \`/anode continue ${hash}\`)`,
    ].join('\n\n'),
  );
  stage.passTime();
  tick(id, 'rex', 'read what came');
  await stage.until('the comment put back', () => asks()?.body === body);
  expect(stage.requestsFor('read what came')).toEqual([]);
  tick(id, 'bob', 'read what came');
  expect(await stage.report(shop, number, id)).toContain('came');
  const again = shop.comment(number, { author: 'bob', body: `/anode continue ${hash}` });
  await stage.until('word of what is not held any more', () =>
    shop
      .comments(number)
      .some(
        ({ id: one, body: text }) =>
          one > again.id &&
          text.includes(`Nothing with the hash \`${hash}\` waits on this thread to be run.`),
      ),
  );
});

test('an unanswered question continues with its default, even if the App was down at the deadline', async () => {
  const slow = await stage.github.createRepository('acme/slow', {
    files: {
      'a.txt': 'a\n',
      '.github/anode.yml': 'sandbox: preferred\nquestion: { deadlineHours: 0.00001 }\n',
    },
  });
  slow.setPermission('ada', 'write');
  const { number } = await slow.openIssue({ title: 'Colour', author: 'ada' });
  stage.learn('wait for nobody', (turn, request) =>
    turn === 1
      ? { calls: [call('ask_user', { ...colours, default: 'green' })] }
      : { text: lastResults(request) },
  );
  const trigger = slow.comment(number, { author: 'ada', body: '@anode wait for nobody' });
  await stage.report(slow, number, trigger.id);
  const requests = () => slow.comments(number).find(({ body }) => body.startsWith('<!-- anode:question'));
  await stage.server().stop();
  await stage.restart();
  await stage.until('the end', () => requests()?.body.includes('**No one answered in time.**') === true);
  const report = await stage.report(slow, number, requests()?.id);
  expect(report).toContain('No one answered in time. What you named as default holds:\ngreen (Green)');
  const reminders = slow.comments(number).filter(({ body }) => body.includes('still waits for an answer'));
  // A question that is over needs no reminder.
  expect(reminders).toEqual([]);
});

test('words that are no option of a question are answered with the options, and the question stays', async () => {
  const { number, body } = await ask('five', colours);
  const asked = body();
  stage.passTime();
  const wrong = shop.comment(number, { author: 'bob', body: '@anode purple, if you can' });
  const answer = () => shop.comments(number).find((one) => one.id > wrong.id)?.body;
  await stage.until('word of the allowed answers', () => answer() !== undefined);
  expect([visible(answer() ?? ''), body() === asked]).toEqual([
    'This does not answer the question, which takes only its own options. Allowed answers: 1. Blue, 2. Green.',
    true,
  ]);
  stage.passTime();
  const right = shop.comment(number, { author: 'bob', body: '@anode blue' });
  const report = await stage.report(shop, number, right.id);
  expect(report.split('\n\n')[1]).toBe(`The user chose: blue (Blue)\n${back}`);
  // The hint is gone with the question.
  expect(answer()?.includes('does not answer the question')).toBe(false);
});
