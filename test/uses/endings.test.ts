import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;
beforeAll(async () => {
  stage = await startStage();
  const files = {
    'colour.txt': 'red\n',
    '.github/anode.yml': 'review:\n  auto: false\nsandbox: preferred\n',
  };
  shop = await stage.github.createRepository('acme/shop', { files });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
});
afterAll(() => stage.close());

const own = (repository: RepositoryHandle, number: number) =>
  repository
    .comments(number)
    .filter(({ author, body }) => author === stage.app.login && !body.startsWith('<!-- anode:controls '))
    .map(({ body }) => visible(body));
const openIssue = async (title: string): Promise<number> =>
  (await shop.openIssue({ title, author: 'ada' })).number;

/** A model that is silent until it gets a signal, like a long run. */
function stall(words: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stage.learn(words, () => {
    resolve();
    return { fault: 'stall' };
  });
  return promise;
}

/** Called by the next review, which then gets no answer. Null: reviews find nothing. */
let reviewStarted: (() => void) | null = null;

/** Has the next review hang; resolves once it asks the model. */
function stallNextReview(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  reviewStarted = resolve;
  stage.learn('Review the changes of this pull request', (turn) => {
    if (turn > 1) return { text: 'Nothing to say.' };
    if (reviewStarted === null) return { calls: [call('report_findings', { findings: [] })] };
    reviewStarted();
    reviewStarted = null;
    return { fault: 'stall' };
  });
  return promise;
}

test('an automated review is replaced by the review of a newer push, and says so', async () => {
  const files = { 'a.txt': 'a\n', '.github/anode.yml': 'sandbox: preferred\n' };
  const auto = await stage.github.createRepository('acme/auto', { files });
  auto.setPermission('ada', 'write');
  await auto.commit('topic', { files: { 'b.txt': 'one\n' }, message: 'One', author: 'ada' });
  const reached = stallNextReview();
  const { number } = await auto.openPullRequest({ title: 'Topic', head: 'topic', author: 'ada' });
  await reached;
  const sha = await auto.commit('topic', { files: { 'b.txt': 'two\n' }, message: 'Two', author: 'ada' });
  await stage.until(
    'both ends',
    () => own(auto, number).filter((body) => /^\*\*(No findings|Sup)/.test(body)).length === 2,
  );
  expect(own(auto, number).map((body) => body.split('\n')[0])).toEqual([
    `**Superseded.** ${sha.slice(0, 7)} was pushed, and is reviewed instead.`,
    `**No findings.** Reviewed up to [\`${sha.slice(0, 7)}\`](${auto.url}/commit/${sha}).`,
  ]);
});

test('an automated review is replaced when the pull request gets another base', async () => {
  const files = { 'a.txt': 'a\n', '.github/anode.yml': 'sandbox: preferred\n' };
  const based = await stage.github.createRepository('acme/based', { files });
  based.setPermission('ada', 'write');
  await based.commit('next', { files: { 'c.txt': 'c\n' }, message: 'Next', author: 'ada' });
  await based.commit('topic', { files: { 'b.txt': 'one\n' }, message: 'One', author: 'ada' });
  const reached = stallNextReview();
  const { number } = await based.openPullRequest({ title: 'Topic', head: 'topic', author: 'ada' });
  await reached;
  based.retarget(number, 'next', { actor: 'ada' });
  await stage.until(
    'both ends',
    () => own(based, number).filter((body) => /^\*\*(No findings|Sup)/.test(body)).length === 2,
  );
  expect(own(based, number).map((body) => body.split('\n')[0])).toEqual([
    '**Superseded.** The pull request got another base branch, and is reviewed against that one instead.',
    expect.stringMatching(/^\*\*No findings\.\*\* Reviewed up to /),
  ]);
});

test('people with write permission stop running and waiting runs of a thread; readers do not', async () => {
  const number = await openIssue('Stopped');
  const reached = stall('take your time');
  const running = shop.comment(number, { author: 'ada', body: '@anode take your time' });
  await reached;
  const waiting = shop.comment(number, { author: 'ada', body: '@anode take your time, too' });
  await stage.until('👀 on what waits', () => shop.reactions(waiting).length === 1);
  shop.comment(number, { author: 'rex', body: '/anode stop' });
  shop.comment(number, { author: 'ada', body: '/anode stop' });
  await stage.until(
    'an end without 👀, and word of it',
    () =>
      [running, waiting].every((one) => shop.reactions(one).length === 0) && own(shop, number).length === 2,
  );
  const [report, reply] = own(shop, number);
  const link = ({ id }: { id: number }) => `[as ada asked](${shop.url}/issues/${number}#issuecomment-${id})`;
  expect([report?.split('\n')[0], reply]).toEqual([
    '**Cancelled.** Stopped by ada.',
    [
      `Stopped, with a report of the work so far:\n- \`task take your time\`, ${link(running)}`,
      `Dropped 1 request that waited:\n- \`task take your time, too\`, ${link(waiting)}`,
      'Ask again in a new comment if you still want it.',
    ].join('\n\n'),
  ]);
  expect(stage.requestsFor('take your time')).toHaveLength(1);
  shop.comment(number, { author: 'ada', body: '/anode stop' });
  await stage.until('an answer', () => own(shop, number).length === 3);
  expect(own(shop, number)[2]).toBe('Nothing was running here.');
});

test('the same request again replaces a read-only run', async () => {
  const number = await openIssue('Twice');
  let requested = 0;
  const reached = Promise.withResolvers<void>();
  stage.learn('why is it red', () => {
    requested += 1;
    if (requested > 1) return { text: 'Nobody knows.' };
    reached.resolve();
    return { fault: 'stall' };
  });
  shop.comment(number, { author: 'ada', body: '/anode ask why is it red' });
  await reached.promise;
  stage.passTime();
  shop.comment(number, { author: 'ada', body: '/anode ask why is it red' });
  await stage.until(
    'two ends',
    () => own(shop, number).filter((body) => !body.includes('Working')).length === 2,
  );
  expect(own(shop, number).map((body) => body.split('\n')[0])).toEqual([
    '**Superseded.** ada asked for the same again, which takes its place.',
    '**Done.**',
  ]);
});

test('an App that shuts down closes the comments of its runs with their work so far', async () => {
  const number = await openIssue('Told to stop');
  const reached = Promise.withResolvers<void>();
  stage.learn('paint slowly', (turn) => {
    if (turn === 1)
      return { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] };
    reached.resolve();
    return { fault: 'stall' };
  });
  shop.comment(number, { author: 'ada', body: '@anode paint slowly' });
  await reached.promise;
  await stage.server().stop();
  const [reported] = own(shop, number);
  await stage.restart();
  expect(reported).toMatch(/^\*\*Cancelled\.\*\* /);
  expect(reported).toMatch(/colour\.txt/);
});

test('after an outage of GitHub and a kill of the App, the next start reports how the run ended', async () => {
  const number = await openIssue('Outage');
  stage.learn('outlast an outage', () => {
    stage.github.failNext({ method: 'PATCH', body: /Outlasted\./, status: 503 });
    return { text: 'Outlasted.' };
  });
  shop.comment(number, { author: 'ada', body: '@anode outlast an outage' });
  const failed = () =>
    stage.github.requests.some(({ method, status }) => method === 'PATCH' && status === 503);
  await stage.until('the end of the run', failed);
  await stage.server().kill();
  expect(own(shop, number)[0]).toMatch(/^\*\*W/);
  await stage.restart();
  await stage.until('the report', () => own(shop, number).some((body) => body.includes('Outlasted.')));
  expect(own(shop, number)).toHaveLength(1);
});

test('the checkbox of a long run stops it, and that of a stopped run restarts it; other people cannot click it', async () => {
  const boxed = await stage.github.createRepository('acme/boxed', {
    files: { 'a.txt': 'a\n', '.github/anode.yml': 'sandbox: preferred\nreport:\n  controls: true\n' },
  });
  boxed.setPermission('ada', 'write');
  boxed.setPermission('rex', 'read');
  await boxed.openIssue({ title: 'Boxed', author: 'ada' });
  let requestLog = 0;
  const reached = Promise.withResolvers<void>();
  stage.learn('work long', () => {
    requestLog += 1;
    if (requestLog > 1) return { text: 'Done at last.' };
    reached.resolve();
    return { fault: 'stall' };
  });
  boxed.comment(1, { author: 'ada', body: '@anode work long' });
  await reached.promise;
  const controls = () => boxed.comments(1).find(({ body }) => body.startsWith('<!-- anode:controls '));
  await stage.until('the controls', () => controls() !== undefined);
  const { id = 0, body = '' } = controls() ?? {};
  const tick = (author: string, change = (text: string) => text) =>
    boxed.editComment(id, { author, body: change((controls()?.body ?? '').replace('- [ ]', '- [x]')) });
  const isBack = () => controls()?.body === body;
  tick('rex');
  await stage.until('the box empty after a stranger', isBack);
  tick('ada', (text) => `${text}\n\nAnd more.`);
  await stage.until('the box empty after another edit', isBack);
  expect(own(boxed, 1)[0]).toMatch(/^\*\*Working on it/);
  tick('ada');
  await stage.until('the end', () => own(boxed, 1)[0]?.startsWith('**Cancelled.** Stopped by ada.') === true);
  await stage.until(
    'a box to try again',
    () => controls()?.body.includes('Run the last request again') === true,
  );
  tick('rex');
  await stage.until(
    'the box empty again',
    () => controls()?.body.includes('[ ] Run the last request again') === true,
  );
  expect(controls()?.id).toBe(id);
  tick('ada');
  await stage.until('the second run', () => own(boxed, 1).some((text) => text.includes('Done at last.')));
  await stage.until('no controls', () => controls() === undefined);
  expect(own(boxed, 1).map((text) => text.split('\n')[0])).toEqual([
    '**Cancelled.** Stopped by ada.',
    '**Answered, nothing changed.**',
  ]);
});

test('one click commits all suggestions of a run, and their threads are resolved', async () => {
  const lines = (two: string, five: string) => `one\n${two}\nthree\nfour\n${five}\n`;
  const files = { 'names.txt': 'one\n', '.github/anode.yml': 'sandbox: preferred\nreview:\n  auto: false\n' };
  const named = await stage.github.createRepository('acme/named', { files });
  named.setPermission('ada', 'write');
  const head = { files: { 'names.txt': lines('zwei', 'fünf') }, message: 'Count', author: 'ada' };
  await named.commit('count', head);
  const { number } = await named.openPullRequest({ title: 'Count', head: 'count', author: 'ada' });
  const edit = (old_str: string, new_str: string) =>
    call('edit_file', { path: 'names.txt', old_str, new_str });
  stage.learn('use English names', (turn) =>
    turn === 1 ? { calls: [edit('zwei', 'two'), edit('fünf', 'five')] } : { text: 'Two names.' },
  );
  named.comment(number, { author: 'ada', body: '/anode improve use English names' });
  const controls = () => named.comments(number).find(({ body }) => body.startsWith('<!-- anode:controls '));
  await stage.until('the box', () => controls() !== undefined);
  const { id = 0, body = '' } = controls() ?? {};
  await named.commit('count', { files: { 'more.txt': 'six\n' }, message: 'More', author: 'ada' });
  named.editComment(id, { author: 'ada', body: body.replace('- [ ]', '- [x]') });
  await stage.until('the end', () => controls()?.body.includes('**Applied 2 suggestions**') === true);
  expect({
    text: await named.git('show', 'count:names.txt'),
    subjects: (await named.git('log', '--format=%s', 'main..count')).split('\n'),
    resolved: named.reviewThreads(number).map(({ resolvedBy }) => resolvedBy),
  }).toEqual({
    text: lines('two', 'five').trimEnd(),
    subjects: ['Apply 2 suggested changes', 'More', 'Count'],
    resolved: [stage.app.login, stage.app.login],
  });
});
