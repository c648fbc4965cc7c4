import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import type { ScriptedRequest } from '../support/model/script.ts';
import { call, textOf } from './support/conversation.ts';
import { baseFiles, defects, findingsIn, ranges, rangesFile } from './support/days-repository.ts';
import { type Stage, startStage } from './support/start-app.ts';

vi.setConfig({ testTimeout: 240_000 });

let stage: Stage;
let days: RepositoryHandle;

beforeAll(async () => {
  stage = await startStage();
  // Installed language servers would add tools to the prompt.
  const config = `${baseFiles['.github/anode.yml']}lsp:\n  detect: false\n`;
  const files = { ...baseFiles, '.github/anode.yml': config };
  days = await stage.github.createRepository('acme/days', { files });
  days.setPermission('ada', 'write');
  stage.learn('Review the changes', async (turn) => {
    if (turn > 1) return { text: 'See the lines.' };
    const text = await days.git('show', `ranges:${rangesFile}`);
    return { calls: [call('report_findings', { findings: findingsIn(`${text}\n`) })] };
  });
});
afterAll(() => stage.close());

const page = path.join(import.meta.dirname, 'model-view.md');

/** All that a model gets with its first request, with names for what differs from run to run. */
function firstMessage(request: ScriptedRequest | undefined): string {
  return textOf(request?.messages[0])
    .replaceAll(stage.github.url, 'https://github.example')
    .replaceAll(/ at="[^"]*"/g, ' at="TIME"')
    .replaceAll(/discussion_r\d+/g, 'discussion_rN')
    .replaceAll(/\b[0-9a-f]{12,40}\b|(?<=\[`)[0-9a-f]{7}(?=`\])/g, 'ID');
}

/** Ids of the deliveries with a line of the App's log. */
const logged = (message: string) =>
  new Set(
    stage
      .server()
      .lines.filter((line) => line.startsWith('{'))
      .map((line): { msg?: string; delivery?: string } => JSON.parse(line))
      .flatMap(({ msg, delivery }) => (msg === message && delivery !== undefined ? [delivery] : [])),
  );

/** Waits until the App has handled all events, and lets the next one be later than all it wrote. */
async function idle(): Promise<void> {
  for (let queued = -1; queued !== logged('Queued.').size; ) {
    await stage.github.settled();
    queued = logged('Queued.').size;
    await stage.server().untilLogged(() => [...logged('Queued.')].every((id) => logged('Handled.').has(id)));
  }
  stage.passTime();
}

const push = async (message: string, edit: (text: string) => string) => {
  const text = `${await days.git('show', `ranges:${rangesFile}`)}\n`;
  await days.commit('ranges', { files: { [rangesFile]: edit(text) }, message, author: 'ada' });
};

test('the whole first message: of a first and a later review, in a conversation, and in a thread', async () => {
  await days.commit('ranges', { files: { [rangesFile]: ranges }, message: 'Add ranges', author: 'ada' });
  const { number } = await days.openPullRequest({
    ...{ title: 'Add ranges', body: 'Ranges of days.', head: 'ranges', author: 'ada' },
  });
  await idle();
  await push('Look at ranges', (text) =>
    text
      .replace('  const days = [];', '  console.log(range);\n  const days = [];')
      .replace('Reads a range such as', 'Reads a range like'),
  );
  await idle();
  const say = async (words: string, answer: string) => {
    stage.learn(words, () => ({ text: answer }));
    days.comment(number, { author: 'ada', body: `@anode ${words}` });
    await idle();
  };
  await say('study the loop', `First sentence.\n\n${'More of the answer.\n'.repeat(9)}`);
  await say('say it in short', 'Shorter.');
  await say('now something else', 'Else.');
  stage.learn('fix this, please', () => ({ text: 'It is right as it is.' }));
  const root = days.reviewComments(number).find(({ body }) => body.includes(defects.lastDay.title));
  days.replyToReviewComment(root?.id ?? 0, { author: 'ada', body: '@anode fix this, please' });
  await idle();
  const reviews = stage.requestsFor('Review the changes');
  const titled: readonly (readonly [string, ScriptedRequest | undefined])[] = [
    ['The first review', reviews[0]],
    ['A later review', reviews[2]],
    ['A request that follows our answer', stage.requestsFor('say it in short')[0]],
    ['A later request', stage.requestsFor('something else')[0]],
    ['A request in the thread of a finding', stage.requestsFor('fix this, please')[0]],
  ];
  const parts = titled.map(
    ([title, request]) => `## ${title}\n\n\`\`\`\`text\n${firstMessage(request)}\n\`\`\`\`\n`,
  );
  const written = `# What the model gets first\n\n${parts.join('\n')}`;
  if (process.env.ANODE_UPDATE_TRANSCRIPT === '1') await writeFile(page, written);
  expect(written).toBe(await readFile(page, 'utf8'));
});

test('on a merged pull request the end is told, main is the current one, and a change becomes a patch', async () => {
  await days.commit('wording', { files: { 'README.md': 'Days.\n' }, message: 'Say days', author: 'ada' });
  const { number } = await days.openPullRequest({ title: 'Say days', head: 'wording', author: 'ada' });
  await idle();
  await days.merge(number, { actor: 'ada' });
  const merged = await days.git('rev-parse', 'main');
  await days.commit('main', { files: { 'later.md': 'Later.\n' }, message: 'Later', author: 'ada' });
  const branch = await days.git('rev-parse', 'wording');
  await idle();
  stage.learn('add a full stop', (turn) => {
    if (turn > 1) return { text: 'Add a line\n\nThere is a second line.' };
    const edit = call('create_file', { path: 'NOTE.md', content: 'Note.\n' });
    return { calls: [call('bash', { command: 'git show --format=%H origin/main' }), edit] };
  });
  const { id } = days.comment(number, { author: 'ada', body: '@anode add a full stop' });
  const report = await stage.report(days, number, id);
  const [first, second] = stage.requestsFor('add a full stop');
  expect(firstMessage(first).split('<task>')[1]).toBe(`
Asked by ada (permission: write) in a comment on pull request #${number}.
Your answer will stand in a report in the conversation of the pull request.
The pull request was merged into main as ID; origin/main is the current head of main. Nothing is committed to its branch: your changed files are posted as a patch.

add a full stop

The change under review (R: line of the new file, L: line of the old file):
<untrusted kind="diff">
## README.md (changed)
L1 -# Days
L2 -
L3 -Counts days.
R1 +Days.
</untrusted>
</task>`);
  expect(textOf(first?.messages[0])).toContain(`merged into main as ${merged};`);
  expect(textOf(second?.messages.at(-1))).toContain(await days.git('rev-parse', 'main'));
  expect(
    report.replace(/\b[0-9a-f]{40}$/gm, 'ID'),
  ).toBe(`**Not committed: the pull request is merged.** The changes are in the patch below.

Add a line

There is a second line.

<details><summary>1 file changed</summary>

- \`NOTE.md\` added (+1 −0)

</details>

<details><summary>The patch (save it and run <code>git apply</code>)</summary>

\`\`\`diff
diff --git a/NOTE.md b/NOTE.md
new file mode 100644
index ${'0'.repeat(40)}..ID
--- /dev/null
+++ b/NOTE.md
@@ -0,0 +1 @@
+Note.
\`\`\`

</details>`);
  expect(await days.git('rev-parse', 'wording')).toBe(branch);
});
