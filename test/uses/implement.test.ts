import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { commitOf } from './support/commit-of.ts';
import { call } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;

beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'colour.txt': 'red\n', '.github/anode.yml': 'review:\n  auto: false\nsandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
});
afterAll(() => stage.close());

test('/anode implement gives a branch, a commit, a pull request that closes the issue, and a comment with the link', async () => {
  const { number } = await shop.openIssue({
    title: 'Make it blue',
    body: 'It is ISSUE-ONE red.',
    author: 'rex',
  });
  stage.learn('only the paint', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: 'It is blue now. Fixes #99.' },
  );
  const main = await shop.head('main');
  const start = stage.writes(shop).length;
  const { id } = shop.comment(number, { author: 'ada', body: '/anode implement only the paint' });
  const report = await stage.report(shop, number, id);
  const [pull] = shop.pulls();
  const branch = pull?.head ?? '';
  const { id: adaId } = stage.github.addUser('ada');
  expect({ ...pull, body: pull?.body?.replace(/run=run_\w+/, 'run=RUN') }).toEqual({
    id: expect.any(Number),
    number: expect.any(Number),
    title: 'Make it blue',
    body: [
      '<!-- anode:pull-request v1 run=RUN -->\nIt is blue now. Fixes \u200b#99.',
      `Closes #${number}`,
      '<sub>Made by an Anode run for ada, with anthropic/claude-sonnet-4-6.</sub>',
    ].join('\n\n'),
    state: 'open',
    author: 'anode-ci[bot]',
    labels: [],
    assignees: [],
    draft: true,
    reviewers: [],
    head: expect.stringMatching(new RegExp(`^anode/issue-${number}-\\d{8}-\\d{6}$`)),
    headRepository: 'acme/shop',
    headSha: await shop.head(branch),
    base: 'main',
    baseSha: main,
  });
  expect(await commitOf(shop, branch)).toEqual({
    parents: [main],
    author: expect.stringContaining('anode-ci[bot]'),
    message: `Make it blue\n\nIt is blue now. Fixes 99.\n\nCo-authored-by: ada <${adaId}+ada@users.noreply.github.com>\nAnode-Run: RUN`,
    files: ['M colour.txt'],
  });
  expect(await shop.head('main')).toBe(main);
  expect(shop.closingIssues(pull?.number ?? 0)).toEqual([number]);
  expect(report).toBe(
    [
      `**Done.** Opened #${pull?.number} with 1 file changed.`,
      'It is blue now. Fixes \u200b#99.',
      '<details><summary>1 file changed</summary>\n\n- `colour.txt` changed (+1 −1)\n\n</details>',
    ].join('\n\n'),
  );
  const posts = stage
    .writes(shop)
    .slice(start)
    .filter((write) => write.startsWith('POST') && !write.endsWith('/reactions'));
  expect(posts).toEqual([
    `POST /issues/${number}/comments`,
    'POST /git/refs',
    'POST /graphql',
    'POST /pulls',
  ]);
  const [request] = stage.requestsFor('only the paint');
  expect(JSON.stringify(request?.messages)).toContain('ISSUE-ONE');
});

test('the label does the same if its setter has permission, and a second run opens no second pull request', async () => {
  const { number } = await shop.openIssue({ title: 'Make it green', body: 'Please.', author: 'rex' });
  stage.learn('Implement what this issue asks for', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'green' })] }
      : { text: 'It is green now.' },
  );
  const before = shop.pulls().length;
  shop.addLabel(number, 'wish', { actor: 'ada' });
  shop.addLabel(number, 'anode:implement', { actor: 'ada' });
  const first = await stage.report(shop, number);
  const pulls = shop.pulls().slice(before);
  expect(pulls.map(({ number: one }) => shop.closingIssues(one))).toEqual([[number]]);
  expect(first).toMatch(`Opened #${pulls[0]?.number} with 1 file changed.`);
  stage.passTime();
  const { id } = shop.comment(number, { author: 'ada', body: '/anode implement' });
  await stage.until('an answer', () => shop.comments(number).some((one) => one.id > id));
  const answers = shop.comments(number).filter((one) => one.id > id);
  expect(answers.map(({ author, body }) => `${author}: ${visible(body)}`)).toEqual([
    `anode-ci[bot]: Pull request #${pulls[0]?.number} is open for this issue already. Say there what is to change, or close it and ask again.`,
  ]);
  expect(shop.pulls().slice(before)).toEqual(pulls);

  shop.close(pulls[0]?.number ?? 0, { actor: 'ada' });
  stage.passTime();
  const again = shop.comment(number, { author: 'ada', body: '/anode implement' });
  const third = await stage.report(shop, number, again.id);
  expect(third).toMatch(`Opened #${shop.pulls().at(-1)?.number} with 1 file changed.`);
  expect(shop.pulls().slice(before)).toHaveLength(2);
});
