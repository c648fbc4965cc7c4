import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { commitOf } from './support/commit-of.ts';
import { call, lastResults } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;

beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'a.txt': 'a\n', '.github/anode.yml': 'review: { auto: false }\nsandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  for (const file of ['one', 'two', 'three'])
    stage.learn(`write ${file}`, (turn, request) => {
      if (turn === 1) return { calls: [call('create_file', { path: `${file}.txt`, content: `${file}\n` })] };
      if (turn === 2) return { calls: [call('glob', { pattern: '*.txt' })] };
      return { text: lastResults(request) };
    });
});
afterAll(() => stage.close());

/** A pull request whose first run writes a file, but not before `goOn` is called. */
async function busy(branch: string) {
  await shop.commit(branch, { files: { [`${branch}.md`]: 'x\n' }, message: branch, author: 'ada' });
  const { number } = await shop.openPullRequest({ title: branch, head: branch, author: 'ada' });
  const gate = Promise.withResolvers<void>();
  stage.learn(`begin ${branch}`, async (turn) => {
    if (turn > 1) return { text: 'Begun.' };
    await gate.promise;
    return { calls: [call('create_file', { path: 'begun.txt', content: 'begun\n' })] };
  });
  stage.passTime();
  const say = (body: string) => shop.comment(number, { author: 'ada', body });
  const first = say(`@anode begin ${branch}`);
  await stage.until('the run', () => stage.requestsFor(`begin ${branch}`).length > 0);
  return { number, first, say, goOn: () => gate.resolve() };
}

test('requests that came while a run worked run after it, on the commits that ours made', async () => {
  const { number, say, goOn } = await busy('own');
  const [one, two] = [say('@anode write one'), say('@anode write two')];
  stage.passTime();
  goOn();
  const report = await stage.report(shop, number, two.id + 1);
  expect(await stage.report(shop, number, one.id)).toContain('begun.txt');
  const reports = shop.comments(number).filter(({ author }) => author === stage.app.login);
  await stage.until('all commits', async () => {
    const log = await shop.git('log', '--format=%an', 'main..own');
    return log.trim().split('\n').length === 4;
  });
  expect([report.length > 0, reports.some(({ body }) => body.startsWith('<!-- anode:head'))]).toEqual([
    true,
    false,
  ]);
  expect((await commitOf(shop, 'own')).files).toEqual(['A two.txt']);
});

test('after a push by another user, one comment quotes all waiting requests', async () => {
  const { number, say, goOn } = await busy('pushed');
  const requested = ['one', 'two', 'three'].map((file) => say(`@anode write ${file}`));
  stage.passTime();
  const came = await shop.commit('pushed', { files: { 'came.txt': 'c\n' }, message: 'Push', author: 'rex' });
  goOn();
  const asks = () => shop.comments(number).filter(({ body }) => body.startsWith('<!-- anode:head'));
  await stage.until('three boxes', () => asks().some(({ body }) => body.split('- [ ]').length === 4));
  const head = (await shop.head('pushed')) ?? '';
  const texts = asks().map(({ body }) => visible(body).replaceAll(/continue [0-9a-f]{16}/g, 'continue HASH'));
  const box = (file: string, at: number) =>
    `- [ ] Run \`task write ${file}\`, [as ada asked](${shop.url}/pull/${number}#issuecomment-${requested[at]?.id}) (or say \`/anode continue HASH\`)`;
  expect([came === head, texts]).toEqual([
    false,
    [
      [
        `The head is ${head.slice(0, 12)} now, and it was pushed after your comment. Comment again to run on it. Or tick a box: its request then runs on exactly this head.`,
        ['one', 'two', 'three'].map(box).join('\n'),
      ].join('\n\n'),
    ],
  ]);
  stage.passTime();
  const [{ id = 0, body = '' } = {}] = asks();
  shop.editComment(id, {
    author: 'ada',
    body: body.replace('- [ ] Run `task write two', '- [x] Run `task write two'),
  });
  await stage.until('the commit of the second', async () => {
    const { files } = await commitOf(shop, 'pushed');
    return files.includes('A two.txt');
  });
  expect(await shop.git('log', '--format=%an', 'main..pushed')).toBe(
    'anode-ci[bot]\nanode-ci[bot]\nrex\nada',
  );
});

test('the commands of one comment are carried out in order, each on what the one before made', async () => {
  await shop.commit('several', { files: { 'several.md': 'x\n' }, message: 'several', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'several', head: 'several', author: 'ada' });
  stage.passTime();
  const unclear = shop.comment(number, { author: 'ada', body: '/anode task write one\n/anode reveiw' });
  const answer = () => shop.comments(number).find(({ id, author }) => id > unclear.id && author !== 'ada');
  await stage.until('word of what is unclear', () => answer() !== undefined);
  expect([visible(answer()?.body ?? ''), await shop.git('log', '--format=%an', 'main..several')]).toEqual([
    'None of these commands was started:\n- `/anode reveiw` is not a command. Did you mean `/anode review`?\n\n`/anode help` lists what I understand. Ask in a new comment: an edit starts nothing.',
    'ada',
  ]);
  const requests = shop.comment(number, {
    author: 'ada',
    body: 'Thanks for the answer.\n/anode task write two\n/anode help\n\n@anode write three\n',
  });
  await stage.until('both commits', async () => {
    const log = await shop.git('log', '--format=%an', 'main..several');
    return log === 'anode-ci[bot]\nanode-ci[bot]\nada';
  });
  expect((await commitOf(shop, 'several')).files).toEqual(['A three.txt']);
  await stage.until('the end of the last', () => shop.reactions({ id: requests.id }).length === 0);
  const after = shop.comments(number).filter(({ id }) => id > requests.id);
  expect(after.map(({ body }) => visible(body).split('\n')[0])).toEqual([
    expect.stringContaining('**Done.**'),
    'Commands that I understand here:',
    expect.stringContaining('**Done.**'),
  ]);
});

test('replies that start nothing come while a run works, each once', async () => {
  const { number, say, goOn } = await busy('talk');
  const asked = ['@anode reveiw', '/anode ask model=large why?', '@anode write three'];
  const last = asked.map((body) => say(body)).at(-1)?.id ?? 0;
  const replies = () =>
    shop
      .comments(number)
      .filter(({ body, author }) => author === stage.app.login && !body.includes('<sub>'))
      .map(({ body }) => visible(body))
      .sort();
  await stage.until('two replies', () => replies().length === 2);
  const before = replies();
  goOn();
  await stage.report(shop, number, last);
  await stage.until('the commit', async () => (await commitOf(shop, 'talk')).files.includes('A three.txt'));
  const expected = [
    '"reveiw" is not a command, so nothing was started. Did you mean `/anode review`? If it is the task itself, write `/anode task reveiw`.\n\n`/anode help` lists what I understand. Ask in a new comment: an edit starts nothing.',
    'The configuration does not allow choosing a model here (`models.allow`).',
  ];
  expect([before, replies()]).toEqual([expected, expected]);
});
