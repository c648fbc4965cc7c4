import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import type { ScriptedRequest } from '../support/model/script.ts';
import { call, textOf } from './support/conversation.ts';
import { baseFiles, defects, findingsIn, ranges, rangesFile } from './support/days-repository.ts';
import { type Stage, startStage } from './support/start-app.ts';

vi.setConfig({ testTimeout: 120_000 });

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
