import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { commitOf } from './support/commit-of.ts';
import { allTextOf, call, lastResults } from './support/conversation.ts';
import { modelKey, type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;

beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', {
    files: {
      'colour.txt': 'red\n',
      '.github/anode.yml':
        "review:\n  auto: false\nsandbox: preferred\nhandoff: { assignees: ['@requester'], mention: [bob] }\n",
    },
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

test('a question waits with the changes, and the first permitted reply resumes the conversation on the moved branch', async () => {
  const number = await openPull('ask');
  stage.learn('paint after asking', (turn, request) => {
    switch (turn) {
      case 1:
        return { calls: [call('create_file', { path: 'draft.txt', content: 'half\n' })] };
      case 2:
        return {
          text: 'Both would do.',
          calls: [
            call('ask_user', {
              question: 'Which colour?',
              reason: 'It is on every page.',
              options: [
                { id: 'blue', label: 'Blue' },
                { id: 'green', label: 'Green' },
              ],
            }),
          ],
        };
      case 3: {
        const reply = lastResults(request);
        const colour = reply.includes('green') ? 'green' : 'blue';
        return { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: colour })] };
      }
      default:
        return { text: 'The colour is as you said.' };
    }
  });
  const { id } = shop.comment(number, { author: 'ada', body: '@anode paint after asking' });
  const waiting = await stage.report(shop, number, id);
  const [question] = shop.comments(number).filter(({ body }) => body.includes('anode:question'));
  const link = `${shop.url}/pull/${number}#issuecomment-${question?.id}`;
  expect({ waiting, question: visible(question?.body ?? '').split('\n\n') }).toEqual({
    waiting: [
      `**Waiting for an answer.** [The question](${link}) is below.`,
      'Both would do.',
      'Answer the question and the run goes on from where it is, with everything it did so far.',
      '<details><summary>1 file changed</summary>\n\n- `draft.txt` added (+1 −0)\n\n</details>',
    ].join('\n\n'),
    question: [
      '**A question before this can go on**',
      'Which colour?',
      'Why: It is on every page.',
      '- [ ] 1. **Blue** (`blue`)\n- [ ] 2. **Green** (`green`)',
      expect.stringMatching(
        /^<sub>Tick one, or answer with `\/anode answer 1`, or just with the number or name of an option. People with write permission to this repository may answer. After [-\d]+ [\d:]+ UTC the run goes on without an answer.<\/sub>$/,
      ),
    ],
  });
  // Nothing is pushed before the answer.
  expect((await commitOf(shop, 'ask')).files).toEqual(['A ask.txt']);

  const head = await shop.head('ask');
  const moved = await shop.commit('ask', {
    files: { 'ask.txt': 'two\n' },
    message: 'Move on',
    author: 'bob',
  });
  stage.passTime();
  const before = stage.requestsFor('paint after asking').length;
  const stranger = shop.comment(number, { author: 'rex', body: '@anode blue' });
  const answer = shop.comment(number, { author: 'bob', body: 'green' });
  const second = shop.comment(number, { author: 'ada', body: 'blue' });
  const report = await stage.report(shop, number, second.id);
  const requests = stage.requestsFor('paint after asking');
  const { id: bobId } = stage.github.addUser('bob');
  expect(await commitOf(shop, 'ask')).toEqual({
    parents: [moved],
    author: expect.stringContaining('anode-ci[bot]'),
    message: `The colour is as you said\n\nCo-authored-by: bob <${bobId}+bob@users.noreply.github.com>\nAnode-Run: RUN`,
    files: ['M colour.txt', 'A draft.txt'],
  });
  expect(report).toMatch(/^\*\*Done\.\*\* Committed .* to `ask`: 2 files changed\./);
  expect(await shop.git('show', 'ask:colour.txt', 'ask:draft.txt')).toBe('green\nhalf');
  expect(requests[before]?.messages.slice(0, -1)).toEqual([
    ...(requests[before - 1]?.messages ?? []),
    expect.anything(),
  ]);
  const started = requests[0]?.messages[0];
  expect(requests[before]?.messages.at(0)).toEqual(started);
  expect(requests[before]?.messages.at(-1)).toEqual({
    role: 'user',
    parts: [
      {
        type: 'tool_result',
        call_id: expect.any(String),
        content: [{ type: 'text', text: 'The user chose: green (Green)' }],
        is_error: false,
      },
      {
        type: 'text',
        text: [
          `Since your last turn the branch moved from ${head} to ${moved}; read files again before you edit.`,
          'What came changes ask.txt.',
          'Your earlier changes are all in this new checkout: draft.txt. Files that git ignores are not.',
        ].join('\n'),
      },
    ],
  });
  expect(requests).toHaveLength(before + 2);
  // A last run on the thread shows that the other replies were decided and came to nothing.
  stage.learn('fence', () => ({ text: 'Fence.' }));
  const fence = shop.comment(number, { author: 'ada', body: '@anode fence' });
  await stage.report(shop, number, fence.id);
  expect(stage.requestsFor('paint after asking')).toHaveLength(before + 2);
  expect([stranger, answer, second].flatMap((one) => shop.reactions(one))).toEqual([]);
});

test('a handoff becomes an issue with its whole content, for the people of the configuration', async () => {
  const number = await openPull('hand');
  const start = shop.issues().length;
  stage.learn('hand it over', (turn) =>
    turn === 1
      ? {
          calls: [
            call('handoff', {
              target: 'next_thread',
              summary: 'The colour is chosen, the paint is not.',
              goal: 'Choose the paint.',
              completed: ['Colour'],
              open_questions: ['Matt or gloss?'],
              recommended_next_steps: ['Ask @everyone'],
              relevant_files: ['colour.txt'],
            }),
          ],
        }
      : { text: 'Handed over.' },
  );
  const { id } = shop.comment(number, { author: 'ada', body: '@anode hand it over' });
  const report = await stage.report(shop, number, id);
  const issue = shop.issues()[start];
  expect(issue?.body?.split('\n')[0]).toMatch(/^<!-- anode:handoff v1 run=run_\w+ n=0 -->$/);
  expect({ report, issue: { ...issue, body: visible(issue?.body ?? '') } }).toEqual({
    report: `**Done.** Handed over in #${issue?.number}.\n\nHanded over.`,
    issue: {
      id: expect.any(Number),
      number: expect.any(Number),
      title: 'Choose the paint.',
      body: [
        'The colour is chosen, the paint is not.',
        '**Done**\n\n- [x] Colour',
        '**Open questions**\n\n- Matt or gloss?',
        '**Next steps**\n\n- [ ] Ask @\u200beveryone',
        '**Files to open first**\n\n- `colour.txt`',
        'For @bob',
        `<sub>Handed over by an Anode run on #${number} for ada.</sub>`,
      ].join('\n\n'),
      state: 'open',
      author: 'anode-ci[bot]',
      labels: [],
      assignees: ['ada'],
    },
  });
});

test('on a fork nothing is pushed: fitting changes become suggestions, the rest a patch, and nothing is lost', async () => {
  const fork = await shop.fork('rex');
  await fork.commit('theirs', { files: { 'colour.txt': 'rad\n' }, message: 'Typo', author: 'rex' });
  const head = await fork.head('theirs');
  const { number } = await shop.openPullRequest({
    title: 'Theirs',
    head: 'theirs',
    headRepository: fork,
    author: 'rex',
  });
  stage.learn('mend the fork', (turn) =>
    turn === 1
      ? {
          calls: [
            call('edit_file', { path: 'colour.txt', old_str: 'rad', new_str: 'red' }),
            call('create_file', { path: 'NEWS.md', content: '# News\n' }),
          ],
        }
      : { text: 'Mended.' },
  );
  stage.passTime();
  const { id } = shop.comment(number, { author: 'ada', body: '@anode mend the fork' });
  const report = await stage.report(shop, number, id);
  expect(await fork.head('theirs')).toBe(head);
  const [review] = shop.reviews(number);
  expect(shop.reviewComments(number)).toEqual([
    {
      id: expect.any(Number),
      reviewId: review?.id,
      inReplyTo: null,
      body: expect.stringMatching(/^<!-- anode:finding .* -->\n```suggestion\nred\n```$/),
      author: 'anode-ci[bot]',
      path: 'colour.txt',
      side: 'RIGHT',
      line: 1,
      startLine: null,
      minimized: null,
    },
  ]);
  const link = `${shop.url}/pull/${number}#pullrequestreview-${review?.id}`;
  expect(report).toBe(
    [
      `**Done.** [Review](${link}) with 1 comment on lines. The other changes are in the patch below.`,
      'Mended.',
      '- Not committed: The pull request comes from a fork, which is never pushed to.',
      '<details><summary>2 files changed</summary>',
      '- `NEWS.md` added (+1 −0)\n- `colour.txt` changed (+1 −1)',
      '</details>',
      '<details><summary>The patch (save it and run <code>git apply</code>)</summary>',
      [
        '```diff\ndiff --git a/NEWS.md b/NEWS.md\nnew file mode 100644',
        'index 0000000000000000000000000000000000000000..e61459078e891cb5fb2c2d9a80f15db71f04a88a',
        '--- /dev/null\n+++ b/NEWS.md\n@@ -0,0 +1 @@\n+# News\n```',
      ].join('\n'),
      '</details>',
    ].join('\n\n'),
  );
});

test('the model key appears in nothing that GitHub receives', () => {
  const replyText = JSON.stringify(stage.github.requests.map(({ body, query }) => [body, query]));
  expect(stage.model.requests.length).toBeGreaterThan(5);
  expect(replyText).not.toContain(modelKey);
  expect(stage.server().lines.join('\n')).not.toContain(modelKey);
  expect(stage.model.requests.map(allTextOf).join('\n')).not.toContain(modelKey);
});
