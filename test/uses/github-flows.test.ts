import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { allTextOf, call } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
beforeAll(async () => {
  // In all of these tests, simultaneous events are delivered at once and out of order.
  stage = await startStage({}, undefined, 'shuffled');
});
afterAll(() => stage.close());

const files = { 'colour.txt': 'red\n', '.github/anode.yml': 'review:\n  auto: false\nsandbox: preferred\n' };

async function repositoryOf(name: string): Promise<RepositoryHandle> {
  const shop = await stage.github.createRepository(`acme/${name}`, { files });
  shop.setPermission('ada', 'write');
  return shop;
}

/** The model replaces `red` and then ends; `during` happens before it does. */
const replacing =
  (by: string, during: () => void = () => {}) =>
  (turn: number) => {
    if (turn === 1)
      return { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: by })] };
    during();
    return { text: 'Replaced.' };
  };

/** An issue that ada has implemented, and the report. */
async function implemented(
  shop: RepositoryHandle,
  words: string,
): Promise<{ number: number; report: string }> {
  const { number } = await shop.openIssue({ title: 'Another colour', author: 'ada' });
  const { id } = shop.comment(number, { author: 'ada', body: `/anode implement ${words}` });
  return { number, report: await stage.report(shop, number, id) };
}

const own = (shop: RepositoryHandle, number: number) =>
  shop.comments(number).filter(({ author }) => author === stage.app.login);

const notCommitted = (report: string) => /(?<=^\*\*)Not committed.*?(?=\*\*)/m.exec(report)?.[0];

test('texts of a deleted account are read as those of the ghost account, and work continues', async () => {
  const shop = await repositoryOf('ghosts');
  await shop.commit('topic', { files: { 'new.txt': 'one\n' }, message: 'New', author: 'leaver' });
  const { number } = await shop.openPullRequest({ title: 'Of a leaver', head: 'topic', author: 'leaver' });
  shop.comment(number, { author: 'leaver', body: 'I say farewell.' });
  await shop.review(number, {
    author: 'leaver',
    body: 'My last review.',
    comments: [{ path: 'new.txt', line: 1, body: 'My last remark.' }],
  });
  stage.github.deleteUser('leaver');
  // Texts as new as the request could be written to mislead it, so they are left out.
  stage.passTime();
  stage.learn('GHOST', () => ({ text: 'They left.' }));
  const { id } = shop.comment(number, { author: 'ada', body: '/anode ask GHOST' });
  const report = await stage.report(shop, number, id);
  const seen = allTextOf(stage.requestsFor('GHOST')[0] ?? never());
  const reply = [...seen.matchAll(/<untrusted kind="[\w-]+" author="ghost"[^>]*>\n([^<]*)/g)].map(
    ([, text]) => text?.trim(),
  );
  expect([report, reply.filter((text) => text !== '').toSorted()]).toEqual([
    '**Done.**\n\nThey left.',
    ['I say farewell.', 'My last remark.', 'My last review.', 'Of a leaver'],
  ]);
});

function never(): never {
  throw new Error('The model was not asked.');
}

test('a change for a pull request without its repository stays in the report as a patch', async () => {
  const shop = await repositoryOf('orphans');
  const fork = await shop.fork('forker');
  await fork.commit('topic', { files: { 'new.txt': 'one\n' }, message: 'New', author: 'forker' });
  const { number } = await shop.openPullRequest({
    ...{ title: 'From a fork', head: 'topic', author: 'forker', headRepository: fork },
  });
  // The delivery of a push tells its time: a comment that overtakes it is refused.
  await stage.github.settled();
  stage.learn(
    'ORPHANED',
    replacing('blue', () => fork.remove()),
  );
  stage.learn('ORPHAN', replacing('blue'));
  const reports: string[] = [];
  for (const word of ['ORPHANED', 'ORPHAN']) {
    const { id } = shop.comment(number, { author: 'ada', body: `@anode ${word}` });
    reports.push(await stage.report(shop, number, id));
  }
  const stored = reports.map((report) => [notCommitted(report), report.includes('+blue')]);
  const reason = 'Not committed: The pull request comes from a fork, which is never pushed to.';
  expect([stored, own(shop, number).length]).toEqual([
    [
      [reason, true],
      [reason, true],
    ],
    2,
  ]);
});

test('a refusal by push protection is reported, with a patch that shows no secret', async () => {
  const shop = await repositoryOf('secrets');
  shop.protectPushes();
  stage.learn('SECRET', replacing('AKIAQ3EGRIT7ZP5XNW2B'));
  const { number, report } = await implemented(shop, 'SECRET');
  expect([notCommitted(report), report.match(/^\+.*$/gm), shop.pulls(), own(shop, number).length]).toEqual([
    'Not committed, as GitHub refused it: Repository rule violations found Secret detected in content.',
    ['+++ b/colour.txt', '+[redacted]'],
    [],
    1,
  ]);
});

test('commits are signed if a branch requires it', async () => {
  const shop = await repositoryOf('signed');
  shop.protect({ kind: 'protected branch', signatures: true });
  stage.learn('SIGNED', replacing('blue'));
  const { report } = await implemented(shop, 'SIGNED');
  const [pull] = shop.pulls();
  expect([report.split('\n')[0], await shop.git('show', `${pull?.head}:colour.txt`)]).toEqual([
    '**Done.** Opened #2 with 1 file changed.',
    'blue',
  ]);
});

test('a pushed commit that must be signed is reported with a remedy, and stays in the report as a patch', async () => {
  const shop = await stage.github.createRepository('acme/unsigned', {
    files: { ...files, 'colour.txt': { content: 'red\n', mode: '100755' } },
  });
  shop.setPermission('ada', 'write');
  shop.protect({ kind: 'ruleset', signatures: true });
  stage.learn('UNSIGNED', replacing('blue'));
  const { report, number } = await implemented(shop, 'UNSIGNED');
  const plain = notCommitted(report)
    ?.replaceAll(/issue-1-\d{8}-\d{6}/g, 'issue-1')
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'SHA')
    .replace(/`http[^`]*`|http\S*/, 'RULES');
  expect([plain, report.includes('+blue'), shop.pulls(), own(shop, number).length]).toEqual([
    'Not committed, as GitHub refused it: The push to anode/issue-1 was refused: GH013: Repository rule violations found for refs/heads/anode/issue-1. Review all repository rules at RULES - Commits must have verified signatures. Found 1 violation: SHA. `colour.txt` needs a git push, whose commit has no signature. Where a rule asks for one, commit the patch yourself.',
    true,
    [],
    1,
  ]);
});

test('a base with a merge queue is not pushed to: the change becomes a pull request', async () => {
  const shop = await repositoryOf('queued');
  shop.protect({ kind: 'ruleset', branches: /^main$/, mergeQueue: true, pullRequest: true });
  const before = await shop.head('main');
  stage.learn('QUEUED', replacing('blue'));
  const { report } = await implemented(shop, 'QUEUED');
  expect([report.split('\n')[0], shop.pulls().length, await shop.head('main')]).toEqual([
    '**Done.** Opened #2 with 1 file changed.',
    1,
    before,
  ]);
});

test('a branch that enters the merge queue during a run keeps its head, and the change is reported', async () => {
  const shop = await repositoryOf('in-queue');
  await shop.commit('topic', { files: { 'new.txt': 'one\n' }, message: 'New', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'In the queue', head: 'topic', author: 'ada' });
  const before = await shop.head('topic');
  stage.learn(
    'INQUEUE',
    replacing('blue', () => shop.protect({ kind: 'ruleset', mergeQueue: true })),
  );
  const { id } = shop.comment(number, { author: 'ada', body: '@anode INQUEUE' });
  const report = await stage.report(shop, number, id);
  expect([notCommitted(report), report.includes('+blue'), await shop.head('topic')]).toEqual([
    'Not committed, as GitHub refused it: Repository rule violations found Changes must be made through the merge queue.',
    true,
    before,
  ]);
});

test('comments delivered simultaneously and out of order are each answered once', async () => {
  const shop = await repositoryOf('shuffled');
  const { number } = await shop.openIssue({ title: 'Three questions', author: 'ada' });
  const words = ['FIRSTLY', 'SECONDLY', 'THIRDLY'];
  for (const word of words) stage.learn(word, () => ({ text: `Answer to ${word}.` }));
  for (const word of words) shop.comment(number, { author: 'ada', body: `/anode ask ${word}` });
  const answers = () => own(shop, number).flatMap(({ body }) => /Answer to (\w+)\./.exec(body)?.[1] ?? []);
  await stage.until('three answers', () => answers().length >= 3);
  await stage.github.settled();
  expect([
    answers().toSorted(),
    own(shop, number).length,
    words.map((word) => stage.requestsFor(word).length),
  ]).toEqual([words.toSorted(), 3, [1, 1, 1]]);
});

test('after a secondary rate limit nothing is lost and nothing is created twice', async () => {
  const shop = await repositoryOf('burst');
  const path = /\/acme\/burst\/|^\/graphql$/;
  stage.learn(
    'BURST',
    replacing('blue', () =>
      stage.github.limitSecondary({ times: 3, retryAfterSeconds: 1, method: 'POST', path }),
    ),
  );
  const { number, report } = await implemented(shop, 'BURST');
  const turnedAway = stage.github.requests.filter((one) => one.status === 403 && path.test(one.path));
  expect([report.split('\n')[0], shop.pulls().length, own(shop, number).length, turnedAway.length]).toEqual([
    '**Done.** Opened #2 with 1 file changed.',
    1,
    1,
    3,
  ]);
});
