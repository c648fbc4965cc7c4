import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

vi.setConfig({ testTimeout: 90_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/**
 * A separate repository for a test, with an issue that asks for blue; `words` name the part of the
 * model.
 */
async function scene(name: string, words: string, during: () => void = () => {}) {
  const shop = await stage.github.createRepository(`acme/${name}`, {
    files: { 'colour.txt': 'red\n', '.github/anode.yml': 'review:\n  auto: false\nsandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  stage.learn(words, (turn) => {
    if (turn === 1)
      return { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] };
    during();
    return { text: 'It is blue.' };
  });
  const { number } = await shop.openIssue({ title: 'Make it blue', author: 'ada' });
  return { shop, number };
}

const implement = (shop: RepositoryHandle, number: number, words: string) =>
  shop.comment(number, { author: 'ada', body: `/anode implement ${words}` });

/** The state that a person finds: the branch's change, and the numbers of pull requests and of our comments. */
async function found(shop: RepositoryHandle, number: number) {
  const [pull] = shop.pulls();
  return {
    colour: pull === undefined ? null : await shop.git('show', `${pull.head}:colour.txt`),
    pulls: shop.pulls().length,
    comments: shop.comments(number).filter(({ author }) => author === stage.app.login).length,
  };
}

test('a change is committed once, even if GitHub does not know the new branch for a moment', async () => {
  const { shop, number } = await scene('lagging', 'LAGGING');
  stage.github.lag(2);
  const { id } = implement(shop, number, 'LAGGING');
  const report = await stage.report(shop, number, id);
  stage.github.lag(0);
  expect([report.split('\n')[0], await found(shop, number)]).toEqual([
    '**Done.** Opened #2 with 1 file changed.',
    { colour: 'blue', pulls: 1, comments: 1 },
  ]);
});

test('a repository that is renamed during a run gets its pull request under the new name', async () => {
  const { shop, number } = await scene('before', 'RENAMED', () => shop.rename('after'));
  const { id } = implement(shop, number, 'RENAMED');
  const report = await stage.report(shop, number, id);
  expect([report.split('\n')[0], await found(shop, number)]).toEqual([
    '**Done.** Opened #2 with 1 file changed.',
    { colour: 'blue', pulls: 1, comments: 1 },
  ]);
});

test("an existing branch with the new one's name is named in the report, with the remedy", async () => {
  const { shop, number } = await scene('blocked', 'BLOCKED');
  await shop.commit('anode', { files: { 'a.txt': 'a\n' }, message: 'A branch called anode' });
  const { id } = implement(shop, number, 'BLOCKED');
  const report = await stage.report(shop, number, id);
  expect([
    /(?<=^\*\*)Not committed.*?(?=\*\*)/m.exec(report)?.[0].replace(/issue-1-\d{8}-\d{6}/, 'issue-1'),
    shop.pulls(),
  ]).toEqual([
    'Not committed, as GitHub refused it: there can be no branch anode/issue-1 beside the branch anode. Rename that one, or set branch.prefix or branch.template.',
    [],
  ]);
});

/** The name of a run's branch without its date. */
const undated = (line: string) => line.replaceAll(/issue-1-\d{8}-\d{6}/g, 'issue-1');

test('a rule that refuses the commit is reported, and the change is not lost', async () => {
  const { shop, number } = await scene('ruled', 'RULED');
  shop.protect({ kind: 'ruleset', pullRequest: true });
  const { id } = implement(shop, number, 'RULED');
  const report = await stage.report(shop, number, id);
  shop.protect();
  expect([
    ...(report.match(/(?<=^\*\*)Not committed.*?(?=\*\*)|(?<=^- )The branch.*/gm) ?? []).map(undated),
    report.includes('+blue'),
    await found(shop, number),
  ]).toEqual([
    'Not committed, as GitHub refused it: Repository rule violations found Changes must be made through a pull request.',
    // By default, a ruleset forbids to delete branches.
    'The branch `anode/issue-1` has no commit and stays: GitHub refused to delete it.',
    true,
    { colour: null, pulls: 0, comments: 1 },
  ]);
});

test.each<[how: string, end: (shop: RepositoryHandle) => void]>([
  ['archived', (shop) => shop.archive()],
  ['deleted', (shop) => shop.remove()],
])('a repository that is %s during a run ends the run, and the App continues for others', async (how, end) => {
  const ended = await scene(how, how.toUpperCase(), () => end(ended.shop));
  const [left, reply] = [stage.github.requests.length, stage.server().lines.length];
  const reported = () =>
    stage
      .server()
      .lines.slice(reply)
      .some((line) => line.includes('no longer covers the repository'));
  const refused = () =>
    stage.github.requests
      .slice(left)
      .filter((one) => one.method !== 'GET' && one.status >= 400 && one.path.includes(`/${how}/`));
  implement(ended.shop, ended.number, how.toUpperCase());
  if (how === 'deleted') await stage.server().untilLogged(reported);
  else await stage.until('the end', () => refused().length > 0);
  const { shop, number } = await scene(`beside-${how}`, `BESIDE-${how}`);
  const { id } = implement(shop, number, `BESIDE-${how}`);
  const report = await stage.report(shop, number, id);
  expect([report.split('\n')[0], refused().length < 12, ended.shop.pulls()]).toEqual([
    '**Done.** Opened #2 with 1 file changed.',
    true,
    [],
  ]);
});

test('an installation that is suspended during a run ends it with a message, and the App serves the next repository', async () => {
  const { github, server } = stage;
  const { shop, number } = await scene('suspended', 'SUSPENDED', () => github.suspend('anode-ci'));
  const [left, replyText] = [github.requests.length, server().lines.length];
  const since = () => github.requests.slice(left).filter(({ status }) => status === 403);
  const reports = () =>
    server()
      .lines.slice(replyText)
      .some((line) => line.includes('The installation is suspended'));
  implement(shop, number, 'SUSPENDED');
  await server().untilLogged(reports);
  github.suspend('anode-ci', false);
  const next = await scene('next', 'NEXT');
  const { id } = implement(next.shop, next.number, 'NEXT');
  const report = await stage.report(next.shop, next.number, id);
  expect([report.split('\n')[0], await found(next.shop, next.number), since().length < 12]).toEqual([
    '**Done.** Opened #2 with 1 file changed.',
    { colour: 'blue', pulls: 1, comments: 1 },
    true,
  ]);
});

test('no question is answered on a locked thread, and a lock during a run loses no change', async () => {
  const refused = (name: string) => () =>
    stage.github.requests.some(({ status, path }) => status === 403 && path.includes(`/${name}/issues/`));
  const before = await scene('locked-before', 'LOCKED-BEFORE');
  before.shop.lock(before.number);
  before.shop.comment(before.number, { author: 'ada', body: '/anode ask LOCKED-BEFORE' });
  await stage.until('the refused start', refused('locked-before'));
  const during = await scene('locked-during', 'LOCKED-DURING', () => during.shop.lock(during.number));
  implement(during.shop, during.number, 'LOCKED-DURING');
  await stage.until('the pull request', () => during.shop.pulls().length > 0);
  const logged = () => stage.server().lines.some((line) => line.includes('The thread takes no comment.'));
  await stage.server().untilLogged(logged);
  expect([stage.requestsFor('LOCKED-BEFORE').length, await found(during.shop, during.number)]).toEqual([
    0,
    { colour: 'blue', pulls: 1, comments: 1 },
  ]);
});
