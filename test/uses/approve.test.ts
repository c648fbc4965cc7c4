import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { commitOf } from './support/commit-of.ts';
import { call, lastResults } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

const config = `
review: { auto: false }
sandbox: preferred
permissions:
  onAsk: comment
  rules:
    - { tool: edit_file, matches: { path: colour.txt }, action: ask }
    - { tool: edit_file, matches: { path: never.txt }, action: reject }
    - { tool: bash, matches: { command: 'cp *' }, action: ask }
`;

let stage: Stage;
let shop: RepositoryHandle;

beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'colour.txt': 'red\n', 'never.txt': 'red\n', '.github/anode.yml': config },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('bob', 'write');
  shop.setPermission('rex', 'read');
});
afterAll(() => stage.close());

async function openPull(branch: string): Promise<number> {
  await shop.commit(branch, { files: { [`${branch}.txt`]: 'one\n' }, message: branch, author: 'ada' });
  return (await shop.openPullRequest({ title: branch, head: branch, author: 'ada' })).number;
}

const paint = call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' });

/** A run that wants to change the colour, and the comment that asks a person. */
async function wait(branch: string) {
  const number = await openPull(branch);
  stage.learn(`paint ${branch}`, (turn, request) => {
    if (turn === 1) return { calls: [call('create_file', { path: 'draft.txt', content: 'half\n' })] };
    if (turn === 2) return { text: 'I paint.', calls: [paint, call('read', { path: 'colour.txt' })] };
    return { text: `It said: ${lastResults(request)}` };
  });
  const trigger = shop.comment(number, { author: 'ada', body: `@anode paint ${branch}` });
  const waiting = await stage.report(shop, number, trigger.id);
  const request = shop.comments(number).find(({ body }) => body.includes('anode:approval'));
  const hash = /approve ([0-9a-f]{16})/.exec(request?.body ?? '')?.[1] ?? '';
  return { number, waiting, request, hash };
}

/** Says something on a thread, and gives what the App answers to it. */
async function reply(number: number, comment: { author: string; body: string }): Promise<string> {
  const { id } = shop.comment(number, comment);
  const find = () => shop.comments(number).find((one) => one.id > id && one.author === stage.app.login);
  await stage.until(`an answer to ${comment.body}`, () => find() !== undefined);
  return visible(find()?.body ?? '');
}

test('a call that needs approval is displayed whole, and runs once a person approves it', async () => {
  const { number, waiting, request, hash } = await wait('one');
  const head = (await shop.head('one')) ?? '';
  const link = `${shop.url}/pull/${number}#issuecomment-${request?.id}`;
  expect({ waiting, request: visible(request?.body ?? '').split('\n\n') }).toEqual({
    waiting: [
      `**Waiting for approval.** [What it wants to do](${link}) is below.`,
      'I paint.',
      'Approve or deny it and the run goes on from where it is, with everything it did so far.',
      '<details><summary>1 file changed</summary>\n\n- `draft.txt` added (+1 −0)\n\n</details>',
    ].join('\n\n'),
    request: [
      '**Approval needed before this can go on**',
      'The agent wants to call `edit_file`:',
      '```diff\ndiff --git a/colour.txt b/colour.txt\n--- a/colour.txt\n+++ b/colour.txt\n@@ -1,1 +1,1 @@\n-red\n+blue\n```',
      'Files written: `colour.txt`',
      expect.stringMatching(/^Why it asks: `colour.txt` needs the agreement of a person by rule 1/),
      'What the run has changed so far, unpublished: `draft.txt`',
      '<details><summary>The patch so far</summary>',
      expect.stringContaining('+++ b/draft.txt\n@@ -0,0 +1 @@\n+half\n```'),
      '</details>',
      `Approve: \`/anode approve ${hash}\``,
      `Deny: \`/anode deny ${hash} [reason]\``,
      `<sub>As a comment of its own, by a person with write permission to this repository. It holds for this one call, once, on commit \`${head.slice(0, 12)}\`, and lapses when the branch moves.</sub>`,
    ],
  });
  // Nothing is made, and nothing pushed, before the answer.
  expect((await commitOf(shop, 'one')).files).toEqual(['A one.txt']);

  const approval = shop.comment(number, { author: 'bob', body: `/anode approve ${hash}` });
  const report = await stage.report(shop, number, approval.id);
  const sha = (await shop.head('one')) ?? '';
  expect(report).toBe(
    [
      `**Done.** Committed [\`${sha.slice(0, 7)}\`](${shop.url}/commit/${sha}) to \`one\`: 2 files changed.`,
      'It said: Not run: the run stopped at the call before it. Call it again if it is still wanted.\nEdited colour.txt, line 1:\n1\tblue\nYour earlier changes are all in this new checkout: draft.txt. Files that git ignores are not.',
      '<details><summary>2 files changed</summary>\n\n- `colour.txt` changed (+1 −1)\n- `draft.txt` added (+1 −0)\n\n</details>',
      `<details><summary>1 approval</summary>\n\n- \`edit_file colour.txt\` (\`${hash}\`): approved by \`bob\`\n\n</details>`,
    ].join('\n\n'),
  );
  expect(await commitOf(shop, sha)).toMatchObject({
    parents: [head],
    files: ['M colour.txt', 'A draft.txt'],
  });

  const twice = await reply(number, { author: 'ada', body: `/anode approve ${hash}` });
  expect(twice).toBe(`bob approved \`${hash}\` already. An approval counts once.`);
  expect(await shop.head('one')).toBe(sha);
});

test('a denied call does not run, and the run continues with the reason', async () => {
  const { number, hash } = await wait('two');
  const denial = shop.comment(number, { author: 'ada', body: `/anode deny ${hash} Red is our colour.` });
  const report = await stage.report(shop, number, denial.id);
  expect(report.split('\n\n').slice(1)).toEqual([
    expect.stringMatching(
      /^It said: Not run: .*\nRefused by ada\. The reason given: Red is our colour\. Nothing was done\./,
    ),
    '<details><summary>1 file changed</summary>',
    '- `draft.txt` added (+1 −0)',
    '</details>',
    '<details><summary>1 approval</summary>',
    `- \`edit_file colour.txt\` (\`${hash}\`): denied by \`ada\`: Red is our colour.`,
    '</details>',
  ]);
  expect((await commitOf(shop, 'two')).files).toEqual(['A draft.txt']);
});

test('a wrong hash, another head, an edited comment and people without permission approve nothing', async () => {
  const { number, hash } = await wait('three');
  const approve = `/anode approve ${hash}`;
  stage.github.addUser('helper[bot]', { type: 'Bot' });
  const replyText = shop.comments(number).length;
  shop.comment(number, { author: 'rex', body: approve });
  shop.comment(number, { author: 'helper[bot]', body: approve });
  shop.comment(number, { author: 'anode-ci[bot]', body: approve });
  shop.comment(number, { author: 'ada', body: `> ${approve}` });
  const edited = shop.comment(number, { author: 'ada', body: 'Let me think.' });
  shop.editComment(edited.id, { author: 'ada', body: approve });
  const wrong = await reply(number, { author: 'ada', body: '/anode approve 0123456789abcdef' });
  expect(wrong).toBe(
    `Nothing with the hash \`0123456789abcdef\` waits for approval on this thread. The pending request is \`${hash}\`.`,
  );
  // A thread's events are handled in order: by now all of these were decided, and got no answer.
  expect(shop.comments(number).length).toBe(replyText + 7);
  expect(await reply(number, { author: 'ada', body: `@anode approve ${hash}` })).toContain(
    `Type it as a command: \`${approve}\`.`,
  );
  const before = await shop.head('three');
  const moved = await shop.commit('three', { files: { 'x.txt': 'x\n' }, message: 'Push', author: 'rex' });
  stage.passTime();
  expect(await reply(number, { author: 'ada', body: approve })).toBe(
    `The approval has lapsed: it was asked for on ${before?.slice(0, 12)}, and the head is ${moved.slice(0, 12)} now. Nothing was done. With \`deny\` and the same hash the run goes on without the call, and can ask again.`,
  );
  expect(await shop.head('three')).toBe(moved);
  expect(await shop.git('show', 'three:colour.txt')).toBe('red');
});

test('a run on a fork asks no one for approval', async () => {
  const fork = await shop.fork('rex');
  await fork.commit('theirs', { files: { 'theirs.txt': 'a\n' }, message: 'Mine', author: 'rex' });
  const { number } = await shop.openPullRequest({
    title: 'Theirs',
    head: 'theirs',
    headRepository: fork,
    author: 'rex',
  });
  stage.learn('paint theirs', (turn, request) =>
    turn === 1 ? { calls: [paint] } : { text: lastResults(request) },
  );
  stage.passTime();
  const trigger = shop.comment(number, { author: 'ada', body: '@anode paint theirs' });
  const report = await stage.report(shop, number, trigger.id);
  expect(report).toContain('kept in the report as a proposal to a person');
  expect(shop.comments(number).filter(({ body }) => body.includes('anode:approval'))).toEqual([]);
});

test('permissions that a person grants last for the session and never lift a hard deny', async () => {
  const number = await openPull('four');
  const edit = (path: string, from: string, to: string) =>
    call('edit_file', { path, old_str: from, new_str: to });
  stage.learn('paint at will', (turn, request) => {
    if (turn === 1)
      return {
        calls: [
          call('use_tool', {
            name: 'request_permissions',
            args: {
              permissions: [{ tool: 'edit_file', matches: { path: '*.txt' } }],
              reason: 'Many <details> colours.',
            },
          }),
        ],
      };
    if (turn === 2) return { calls: [edit('colour.txt', 'red', 'blue'), edit('never.txt', 'red', 'blue')] };
    if (turn === 3) return { calls: [edit('.github/anode.yml', 'comment', 'deny')] };
    return { text: lastResults(request) };
  });
  const trigger = shop.comment(number, { author: 'ada', body: '@anode paint at will' });
  await stage.report(shop, number, trigger.id);
  const request = visible(
    shop.comments(number).find(({ body }) => body.includes('anode:approval'))?.body ?? '',
  );
  const hash = /approve ([0-9a-f]{16})/.exec(request)?.[1] ?? '';
  expect(request.split('\n\n').slice(1, 6)).toEqual([
    'The agent asks for permissions. Until its session ends, these calls would be made without asking again:',
    '- `each call of edit_file whose path matches "*.txt"`',
    'As rules:',
    '```json\n[\n  {\n    "tool": "edit_file",\n    "matches": {\n      "path": "*.txt"\n    },\n    "action": "allow"\n  }\n]\n```',
    'Why, in its own words: Many &lt;details> colours.',
  ]);
  const approval = shop.comment(number, { author: 'bob', body: `/anode approve ${hash}` });
  const report = await stage.report(shop, number, approval.id);
  expect(report).toContain('is protected, because it holds the policy of this bot');
  expect(report).toContain(
    `- \`request_permissions each call of edit_file whose path matches "*.txt"\` (\`${hash}\`): granted by \`bob\` for this session`,
  );
  expect(report).toContain('`edit_file never.txt`: `never.txt` is rejected by rule 2');
  expect((await commitOf(shop, 'four')).files).toEqual(['M colour.txt']);
});

test('a command is displayed with its simple commands, and runs once it is approved', async () => {
  const number = await openPull('five');
  const command = 'cp colour.txt copy.txt && ls copy.txt';
  stage.learn('copy it', (turn, request) =>
    turn === 1 ? { calls: [call('bash', { command })] } : { text: lastResults(request) },
  );
  const trigger = shop.comment(number, { author: 'ada', body: '@anode copy it' });
  await stage.report(shop, number, trigger.id);
  const request = shop.comments(number).find(({ body }) => body.includes('anode:approval'))?.body ?? '';
  expect(visible(request).split('\n\n').slice(1, 5)).toEqual([
    'The agent wants to call `bash`:',
    `\`\`\`sh\n${command}\n\`\`\``,
    expect.stringMatching(/^These are \d parts:$/),
    expect.stringContaining('- `cp colour.txt copy.txt`\n- `ls copy.txt`'),
  ]);
  const hash = /approve ([0-9a-f]{16})/.exec(request)?.[1];
  const approval = shop.comment(number, { author: 'ada', body: `/anode approve ${hash}` });
  expect(await stage.report(shop, number, approval.id)).toContain('\n\ncopy.txt\n\n');
  expect((await commitOf(shop, 'five')).files).toEqual(['A copy.txt']);
});
