import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call, lastResults } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;
/** A pull request from a fork. */
let fromFork = 0;
beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'colour.txt': 'red\n', '.github/anode.yml': 'sandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
  const fork = await shop.fork('rex');
  await fork.commit('theirs', { files: { 'b.txt': 'b\n' }, message: 'Theirs', author: 'rex' });
  const pull = { title: 'Theirs', head: 'theirs', headRepository: fork, author: 'rex', draft: true } as const;
  fromFork = (await shop.openPullRequest(pull)).number;
});
afterAll(() => stage.close());

const write = (content: string) => call('workspace_write_file', { path: 'persist/notes.md', content });
const look = [
  call('workspace_read_file', { path: 'persist/notes.md' }),
  call('task_list', { action: 'list' }),
];

/** Makes ada request these tool calls; returns their results. */
async function ask(number: number, words: string, calls: ReturnType<typeof call>[]): Promise<string> {
  stage.learn(words, (turn) => (turn === 1 ? { calls } : { text: 'Done.' }));
  const { id } = shop.comment(number, { author: 'ada', body: `@anode ${words}` });
  await stage.report(shop, number, id);
  const last = stage.requestsFor(words).at(-1);
  if (last === undefined) throw new Error(`nobody asked the model to ${words}`);
  return lastResults(last);
}

test('notes and tasks pass from run to run on a repository, but neither to nor from a run on a fork', async () => {
  await shop.commit('paint', { files: { 'a.txt': 'a\n' }, message: 'Paint', author: 'ada' });
  const own = await shop.openPullRequest({ title: 'Own', head: 'paint', author: 'ada', draft: true });
  const task = (taskID: string) => call('task_list', { action: 'create', taskID, title: 'Paint' });
  const none =
    'persist/notes.md: this run has no persist/, since nothing is stored for later runs. Use output/, scratch/, plan/, summaries/.';

  await ask(own.number, 'note the colour', [write('it is red'), task('paint')]);
  expect(await ask(fromFork, 'read it on the fork', look)).toBe(`${none}\nThere are no such tasks.`);
  expect(await ask(fromFork, 'poison the notes', [write('it is blue'), task('poison')])).toBe(
    `${none}\nCreated [ ] poison: Paint`,
  );
  expect(await ask(own.number, 'read it again', look)).toBe('1\tit is red\n[ ] paint: Paint');
});

test('an earlier run is found and read by a later one; on a fork only its posted text is', async () => {
  const { number: own } = await shop.openIssue({ title: 'Past', author: 'ada' });
  const readIt = (thread_id: string) => [
    call('find_thread', { query: 'secretly look around' }),
    call('read_thread', { thread_id }),
  ];
  await ask(own, 'secretly look around', [call('list_directory', {})]);
  const found = await ask(own, 'what was it', [call('find_thread', { query: 'secretly' })]);
  const id = /thread_id="(\S+)"/.exec(found)?.[1] ?? '';
  expect(found).toContain(`on="#${own} Past">\nasked: secretly look around\nanswered: Done.\n`);
  expect(await ask(own, 'read it whole', readIt(id))).toContain('[list_directory {}]');
  const seen = await ask(fromFork, 'read it from the fork', readIt(id));
  expect(seen).not.toContain('list_directory');
  expect(seen).toContain('[only the posted text: the steps of this run are hidden here]');
});

test('a run reads its thread, and its committed message is posted instead of its last text', async () => {
  const body = 'Colours <!-- hidden --> matter';
  const { number } = await shop.openIssue({ title: 'Colour', author: 'rex', body });
  const write = call('workspace_write_file', {
    path: 'output/main.md',
    content: '# Result\n\nIt is *red*.\n',
  });
  const seen: string[] = [];
  stage.learn('publish it', (turn, request) => {
    seen.push(lastResults(request));
    if (turn === 1) return { calls: [call('chat_search', { query: 'matter' }), write, finish] };
    return { text: 'My last words.', calls: [call('workspace_commit', {}), finish] };
  });
  const finish = call('workspace_finish', {});
  const { id } = shop.comment(number, { author: 'ada', body: '@anode publish it' });
  const report = await stage.report(shop, number, id);
  expect(seen.length).toBe(2);
  expect(seen[1]).toMatch(
    /^<untrusted index="0" role="user" kind="description" author="rex">\n# Colour\n\nColours {2}matter\n<\/untrusted>\nCreated output\/main\.md \(23 bytes\)\.\nA user waits for a message/,
  );
  expect(report).toContain('# Result\n\nIt is *red*.');
  expect(report).not.toContain('My last words');
});
