import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;

const lines = (changed: Readonly<Record<number, string>>) =>
  `${Array.from({ length: 30 }, (_, index) => changed[index + 1] ?? `line ${index + 1}`).join('\n')}\n`;

beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'a.txt': lines({}), 'other.txt': lines({}) },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
});
afterAll(() => stage.close());

const finding = (line: number, fields: Record<string, string | number> = {}) => ({
  path: 'a.txt',
  line,
  severity: 'high',
  category: 'correctness',
  title: `About line ${line}`,
  body: `Line ${line} is wrong.`,
  ...fields,
});

/** A review that states these findings and ends. */
const stating = (findings: readonly ReturnType<typeof finding>[]) => (turn: number) =>
  turn === 1
    ? { calls: [call('report_findings', { findings: [...findings] })] }
    : { text: findings.length === 0 ? 'Nothing to remark.' : 'See the lines.' };

const displayed = (body: string) => body.replaceAll(/^<!--.*?-->\n|<!--.*?-->/gm, '');
/** A summary with a word in place of each finding's id. */
const named = (body: string) => body.replaceAll(/(?<=\*\* `|dismiss )[0-9a-f]{7}(?=`| reason)/gu, 'id');
const posted = (number: number) =>
  shop.reviewComments(number).map(({ path, line, startLine, side, body }) => ({
    path,
    line,
    startLine,
    side,
    body: displayed(body),
  }));

const titles = (number: number) =>
  posted(number).map(({ line, body }) => `${line}: ${/· (.*)/.exec(body)?.[1]}`);

test('an opened pull request gets one review with every comment on a line that GitHub accepts', async () => {
  stage.learn(
    'FIRST',
    stating([
      finding(10, { suggestion: 'FIRST done right' }),
      finding(11, { start_line: 10, title: 'Two lines', severity: 'low' }),
      finding(15, { title: 'Just below' }),
      finding(28, { title: 'Far from the change' }),
      finding(3, { path: 'other.txt', title: 'In no file of the change' }),
      finding(10, { side: 'LEFT', title: 'What was there' }),
    ]),
  );
  await shop.commit('first', { files: { 'a.txt': lines({ 10: 'FIRST' }) }, message: 'First', author: 'rex' });
  const start = stage.writes(shop).length;
  const { number } = await shop.openPullRequest({ title: 'First', head: 'first', author: 'rex' });
  const report = await stage.report(shop, number);
  const head = (await shop.head('first')) ?? '';
  const summary = shop.comments(number).find(({ body }) => body.startsWith('<!-- anode:summary '));
  const link = (file: string, line: number) =>
    `[\`${file}:${line}\`](${shop.url}/blob/${head}/${file}#L${line})`;
  expect(shop.reviews(number).map(({ body, ...review }) => ({ ...review, body: displayed(body) }))).toEqual([
    {
      id: expect.any(Number),
      author: 'anode-ci[bot]',
      state: 'COMMENTED',
      commitId: head,
      body: `**6 findings**: 5 high, 1 low. 3 of them are only in the [summary](${shop.url}/pull/${number}#issuecomment-${summary?.id}).`,
    },
  ]);
  const place = { path: 'a.txt', line: 10, startLine: null, side: 'RIGHT' };
  expect(posted(number)).toEqual([
    {
      ...place,
      body: '**high** · About line 10\n\nLine 10 is wrong.\n\n```suggestion\nFIRST done right\n```',
    },
    {
      ...place,
      line: 13,
      body: '**high** · Just below\n\nAbout line 15, which is not part of this diff.\n\nLine 15 is wrong.',
    },
    { ...place, side: 'LEFT', body: '**high** · What was there\n\nLine 10 is wrong.' },
  ]);
  const [ten, below, before] = shop
    .reviewComments(number)
    .map(({ id }) => `${shop.url}/pull/${number}#discussion_r${id}`);
  expect(named(report)).toEqual(
    [
      `**6 open findings**: 5 high, 1 low. Reviewed up to [\`${head.slice(0, 7)}\`](${shop.url}/commit/${head}).`,
      'See the lines.',
      [
        `- **high** · [\`a.txt:10\`](${ten}) About line 10`,
        `- **high** · [\`a.txt:10\`](${before}) What was there`,
        `- **high** · [\`a.txt:15\`](${below}) Just below`,
        `- **high** \`id\` · ${link('a.txt', 28)} Far from the change`,
      ].join('\n'),
      `  Line 28 is wrong.\n- **high** \`id\` · ${link('other.txt', 3)} In no file of the change`,
      `  Line 3 is wrong.`,
      '<sub>To dismiss one: `/anode dismiss id reason`</sub>',
      '<details><summary>1 smaller finding: 1 low</summary>',
      `- **low** \`id\` · ${link('a.txt', 11).replace('#L11', '#L10-L11')} Two lines`,
      `  Line 11 is wrong.`,
      '<sub>To dismiss one: `/anode dismiss id reason`</sub>',
      '</details>',
    ].join('\n\n'),
  );
  const progress = `/issues/comments/${shop.comments(number)[0]?.id}`;
  // The progress is edited once or more, by how long the run takes.
  const writes = stage.writes(shop).slice(start);
  expect([...new Set(writes)].sort()).toEqual([
    `PATCH ${progress}`,
    `POST /issues/${number}/comments`,
    `POST /pulls/${number}/reviews`,
  ]);
  expect([writes[0], writes.at(-1)]).toEqual([`POST /issues/${number}/comments`, `PATCH ${progress}`]);
  const [request] = stage.requestsFor('FIRST');
  expect(
    request?.tools.map(({ name }) => name).filter((name) => /edit|create|patch|bash/.test(name)),
  ).toEqual([]);
  expect(shop.pulls().find((pull) => pull.number === number)?.headSha).toBe(head);
});

test('a draft is reviewed when it is ready for review, and again after a push', async () => {
  // It repeats the first one, which no one wants to read twice.
  stage.learn('SECOND-B', stating([finding(5, { title: 'Five' }), finding(20, { title: 'Twenty' })]));
  stage.learn('SECOND-A', stating([finding(5, { title: 'Five' })]));
  await shop.commit('second', { files: { 'a.txt': lines({ 5: 'SECOND-A' }) }, message: 'A', author: 'ada' });
  const { number } = await shop.openPullRequest({
    title: 'Second',
    head: 'second',
    author: 'ada',
    draft: true,
  });
  stage.learn('QUIET', stating([]));
  // Its own thread; when it is reported, the draft's event before it is long decided.
  await shop.commit('quiet', { files: { 'a.txt': lines({ 9: 'QUIET' }) }, message: 'Quiet', author: 'ada' });
  const quiet = await shop.openPullRequest({ title: 'Quiet', head: 'quiet', author: 'ada' });
  const reviewed = (head: string | null) => `[\`${head?.slice(0, 7)}\`](${shop.url}/commit/${head})`;
  expect(await stage.report(shop, quiet.number)).toBe(
    `**No findings.** Reviewed up to ${reviewed(await shop.head('quiet'))}.`,
  );
  expect([shop.reviews(quiet.number), posted(quiet.number)]).toEqual([[], []]);
  expect([shop.comments(number), stage.requestsFor('SECOND-A')]).toEqual([[], []]);

  shop.markReady(number, { actor: 'ada' });
  const first = await stage.report(shop, number);
  expect(titles(number)).toEqual(['5: Five']);
  const head = await shop.head('second');
  await shop.commit('second', {
    files: { 'a.txt': lines({ 5: 'SECOND-A', 20: 'SECOND-B' }) },
    message: 'B',
    author: 'ada',
  });
  const summary = () => displayed(shop.comments(number)[0]?.body ?? '').replace(/\n*<sub>.*<\/sub>$/, '');
  await stage.until('the second review', () => summary().startsWith('**2 open'));
  const [five, twenty] = shop
    .reviewComments(number)
    .map(({ id }) => `${shop.url}/pull/${number}#discussion_r${id}`);
  const next = await shop.head('second');
  const since = `[\`${head?.slice(0, 7)}\`](${shop.url}/compare/${head}...${next})`;
  expect({ first, second: summary(), comments: shop.comments(number).length }).toEqual({
    first: `**1 open finding**: 1 high. Reviewed up to ${reviewed(head)}.\n\nSee the lines.\n\n- **high** · [\`a.txt:5\`](${five}) Five`,
    second: [
      `**2 open findings**: 2 high. Reviewed up to ${reviewed(next)}.`,
      `Since ${since}: 1 new, 1 carried.`,
      'See the lines.',
      `- **high** · [\`a.txt:5\`](${five}) Five\n- **high** _new_ · [\`a.txt:20\`](${twenty}) Twenty`,
    ].join('\n\n'),
    comments: 1,
  });
  expect(titles(number)).toEqual(['5: Five', '20: Twenty']);
});
