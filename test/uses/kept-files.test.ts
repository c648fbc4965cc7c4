import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call, lastResults } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
let shop: RepositoryHandle;
beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'colour.txt': 'red\n', '.github/anode.yml': 'sandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
});
afterAll(() => stage.close());

const write = (content: string) => call('workspace_write_file', { path: 'persist/notes.md', content });
const look = [
  call('workspace_read_file', { path: 'persist/notes.md' }),
  call('task_list', { action: 'list' }),
];

/** Has ada ask for something that calls these tools; what they said. */
async function ask(number: number, words: string, calls: ReturnType<typeof call>[]): Promise<string> {
  stage.learn(words, (turn) => (turn === 1 ? { calls } : { text: 'Done.' }));
  const { id } = shop.comment(number, { author: 'ada', body: `@anode ${words}` });
  await stage.report(shop, number, id);
  const last = stage.requestsFor(words).at(-1);
  if (last === undefined) throw new Error(`nobody asked the model to ${words}`);
  return lastResults(last);
}

test('notes and tasks go from run to run on a repository, but neither to a run on a fork nor from it', async () => {
  await shop.commit('paint', { files: { 'a.txt': 'a\n' }, message: 'Paint', author: 'ada' });
  const own = await shop.openPullRequest({ title: 'Own', head: 'paint', author: 'ada', draft: true });
  const fork = await shop.fork('rex');
  await fork.commit('theirs', { files: { 'b.txt': 'b\n' }, message: 'Theirs', author: 'rex' });
  const pull = { title: 'Theirs', head: 'theirs', headRepository: fork, author: 'rex', draft: true } as const;
  const theirs = await shop.openPullRequest(pull);
  const task = (taskID: string) => call('task_list', { action: 'create', taskID, title: 'Paint' });
  const none =
    'persist/notes.md: this run has no persist/, since nothing of it is kept for later runs. Use output/, scratch/, plan/, summaries/.';

  await ask(own.number, 'note the colour', [write('it is red'), task('paint')]);
  expect(await ask(theirs.number, 'read it on the fork', look)).toBe(`${none}\nThere are no such tasks.`);
  expect(await ask(theirs.number, 'poison the notes', [write('it is blue'), task('poison')])).toBe(
    `${none}\nCreated [ ] poison: Paint`,
  );
  expect(await ask(own.number, 'read it again', look)).toBe('1\tit is red\n[ ] paint: Paint');
});
