import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { commitOf } from './support/commit-of.ts';
import { call, lastResults } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

vi.setConfig({ testTimeout: 60_000 });

const config = `
review: { auto: false }
sandbox: preferred
permissions:
  onAsk: comment
  rules:
    - { tool: edit_file, matches: { path: colour.txt }, action: ask }
    - { tool: edit_file, matches: { path: never.txt }, action: reject }
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

test('a call that needs a person is shown whole, and made once they approve it', async () => {
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
      'It said: Not run: the run stopped at the call before it. Call it again if it is still wanted.\nEdited colour.txt, line 1:\n1\tblue',
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
