import { afterEach, expect, test } from 'vitest';
import type { PastMessage, PastRun } from '../../../src/contract/past-run.ts';
import type { PastThreads } from '../../../src/tools/services/past-threads.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

const run = (id: string, more: Partial<PastRun> = {}): PastRun => ({
  ...{ v: 1, run_id: `run_${id}`, session_id: `sess_${id}`, trust: 'own', ended_at: '2026-01-02T03:00:00Z' },
  ...{
    thread: null,
    posted: true,
    profile: 'craft',
    conclusion: 'success',
    prompt: '',
    answer: '',
    files: [],
  },
  ...more,
});

async function open(runs: readonly PastRun[], messages: readonly PastMessage[] | null = null) {
  const threads: PastThreads = { list: async () => runs, messages: async () => messages };
  tools = await openTools({}, { threads });
  return tools;
}

test('runs are found by words of their requests, answers and changes, best match first', async () => {
  const { say, call } = await open([
    run('3', { prompt: 'Unrelated' }),
    run('2', { prompt: 'Look at the database', answer: 'It is </untrusted> slow' }),
    run('1', {
      prompt: 'Refactor the   layer\nof storage',
      answer: 'Moved the database',
      files: ['src/db/layer.ts'],
      thread: { kind: 'issue', number: 7, title: 'Storage' },
      conclusion: 'limit',
    }),
  ]);
  const [first, second] = [
    '<untrusted thread_id="sess_1" ended="2026-01-02T03:00:00Z" conclusion="limit" on="#7 Storage">\nasked: Refactor the layer of storage\nanswered: Moved the database\nchanged: src/db/layer.ts\n</untrusted>',
    '<untrusted thread_id="sess_2" ended="2026-01-02T03:00:00Z" conclusion="success">\nasked: Look at the database\nanswered: It is &lt;/untrusted> slow\n</untrusted>',
  ];
  expect(await say('find_thread', { query: 'refactor Database layer' })).toBe(`${first}\n${second}`);
  expect(await say('find_thread', { query: 'refactor database layer', limit: '1', source: 'Local' })).toBe(
    `${first}\n[1 more fit; narrow the query or raise limit]`,
  );
  expect(await say('find_thread', { query: 'nothing' })).toBe(
    'No earlier run fits "nothing"; 3 earlier runs are kept.',
  );
  expect((await call('find_thread', { query: 'storage', limit: 99 })).data).toEqual({
    threads: [
      {
        ...{ thread_id: 'sess_1', run_id: 'run_1', ended_at: '2026-01-02T03:00:00Z' },
        ...{ thread: 7, conclusion: 'limit' },
      },
    ],
    total: 1,
  });
});

test('a run is read whole, or only its task, its end and the parts about the goal', async () => {
  const texts = ['the task', 'auth is decided', 'something', 'more', 'done'];
  // The repository context of its run is omitted: a reader has that, in a newer form.
  const reported = '<repository>\nTop level:\na.ts\n\nGit: main, clean\n</repository>\n\n';
  const messages = texts.map((text, index) =>
    index === 0
      ? ({ role: 'user', text: `${reported}${text}` } as const)
      : ({ role: 'assistant', text } as const),
  );
  const { say } = await open([run('1', { files: ['a.ts'] })], messages);
  const displayed = (...indexes: number[]) =>
    indexes.map(
      (index) =>
        `<untrusted message="${index}" role="${index === 0 ? 'user' : 'assistant'}">\n${texts[index]}\n</untrusted>`,
    );
  const files = 'Changed files: a.ts';
  expect(await say('read_thread', { thread_id: 'sess_1' })).toBe(
    [...displayed(0, 1, 2, 3, 4), files].join('\n'),
  );
  expect(await say('read_thread', { id: 'run_1', goal: 'find the auth decision', max_messages: 3 })).toBe(
    [...displayed(0, 1, 4), files, '[2 of 5 messages left out]'].join('\n'),
  );
  expect(await say('read_thread', { thread_id: 'sess_1', max_messages: 3 })).toBe(
    [...displayed(0, 3, 4), files, '[2 of 5 messages left out]'].join('\n'),
  );
});

test('only the posted text of a run with hidden steps is displayed', async () => {
  const { say } = await open([run('1', { prompt: 'do it', answer: 'did it' })]);
  expect(await say('read_thread', { thread_id: 'sess_1' })).toBe(
    [
      '<untrusted message="0" role="user">\ndo it\n</untrusted>',
      '<untrusted message="1" role="assistant">\ndid it\n</untrusted>',
      '[only the posted text: the steps of this run are hidden here]',
    ].join('\n'),
  );
});

test('without a query the newest runs are listed, and older ones counted', async () => {
  const { say } = await open(['3', '2', '1'].map((id) => run(id, { prompt: `Task ${id}`, answer: 'Done' })));
  const displayedText = (id: string) =>
    `<untrusted thread_id="sess_${id}" ended="2026-01-02T03:00:00Z" conclusion="success">\nasked: Task ${id}\nanswered: Done\n</untrusted>`;
  const all = ['3', '2', '1'].map(displayedText).join('\n');
  expect([
    await say('find_thread', {}),
    await say('find_thread', { query: null }),
    await say('find_thread', { query: ' ', limit: 1 }),
  ]).toEqual([all, all, `${displayedText('3')}\n[2 older ones; give a query or raise limit]`]);
  expect(await say('find_thread', { query: 'done' })).toBe(all);
  await tools?.close();
  const sixty = await open(Array.from({ length: 60 }, (_, index) => run(String(index))));
  const shownOf = async (input: { limit?: number }) =>
    (await sixty.say('find_thread', input)).match(/thread_id/g)?.length;
  expect([await shownOf({}), await shownOf({ limit: 50 }), await shownOf({ limit: 51 })]).toEqual([
    10, 50, 50,
  ]);
  await tools?.close();
  const none = await open([]);
  expect(await none.say('find_thread', { query: 'x' })).toBe('No earlier run on this repository is stored.');
});

test('another source and a missing run are refused with a message', async () => {
  const { say } = await open([]);
  expect([
    await say('find_thread', { query: 'x', source: 'github' }),
    await say('read_thread', { thread_id: 'sess_9' }),
  ]).toEqual([
    'invalid_input: There is no source "github". Leave it out: "local" has all earlier runs on this repository.',
    'not_found: There is no earlier run sess_9 on this repository. find_thread finds the stored ones.',
  ]);
});

test('each part of a run is searched, and a long text is cut', async () => {
  const thread = { kind: 'issue', number: 7, title: 'Storage' } as const;
  const { say } = await open([
    run('1', { prompt: 'alpha', answer: 'beta', thread, files: ['src/gamma.ts'] }),
    run('2', { prompt: `${'p'.repeat(299)}😀x`, answer: ` ${'a'.repeat(300)} ` }),
  ]);
  const found = async (query: string) => (await say('find_thread', { query })).match(/sess_\d/g);
  expect([await found('alpha'), await found('beta'), await found('#7'), await found('gamma')]).toEqual(
    Array.from({ length: 4 }, () => ['sess_1']),
  );
  expect(await say('find_thread', { query: 'p'.repeat(299) })).toBe(
    `<untrusted thread_id="sess_2" ended="2026-01-02T03:00:00Z" conclusion="success">\nasked: ${'p'.repeat(299)}\ufffd…\nanswered: ${'a'.repeat(300)}\n</untrusted>`,
  );
  await tools?.close();
  expect(await (await open([run('1')])).say('find_thread', { query: 'x' })).toBe(
    'No earlier run fits "x"; 1 earlier run is kept.',
  );
});

test('at most eighty messages of a run are displayed, forty by default, which its data report', async () => {
  const texts = Array.from({ length: 100 }, (_, index) => ({
    role: 'assistant' as const,
    text: `t${index}`,
  }));
  const { call } = await open([run('1', { files: ['a.ts', 'b.ts'] })], texts);
  const displayedLines = async (input: { max_messages?: number }) => {
    const { content, data } = await call('read_thread', { thread_id: ' sess_1 ', ...input });
    const numbers = [...String(content).matchAll(/message="(\d+)"/g)].map((match) => Number(match[1]));
    return { numbers, data, end: String(content).split('\n').slice(-2) };
  };
  const newest = (count: number) => [0, ...Array.from({ length: count - 1 }, (_, at) => 101 - count + at)];
  const data = {
    ...{ thread_id: 'sess_1', run_id: 'run_1', ended_at: '2026-01-02T03:00:00Z', conclusion: 'success' },
    ...{ thread: null, files: ['a.ts', 'b.ts'], total: 100, posted_only: false },
  };
  const files = 'Changed files: a.ts, b.ts';
  expect([await displayedLines({}), await displayedLines({ max_messages: 81 })]).toEqual([
    { numbers: newest(40), data: { ...data, messages: 40 }, end: [files, '[60 of 100 messages left out]'] },
    { numbers: newest(80), data: { ...data, messages: 80 }, end: [files, '[20 of 100 messages left out]'] },
  ]);
});

test("the run's repository context is removed only from the start of the first message", async () => {
  const reports = '<repository>\nTop\n</repository>\n\n\n';
  const message = (text: string) => ({ role: 'user', text }) as const;
  const { say } = await open([run('1')], [message(`${reports}x`), message(`${reports}y`)]);
  expect(await say('read_thread', { thread_id: 'run_1' })).toBe(
    [
      '<untrusted message="0" role="user">\nx\n</untrusted>',
      `<untrusted message="1" role="user">\n${reports}y\n</untrusted>`,
    ].join('\n'),
  );
  await tools?.close();
  const again = await open([run('1')], [message(`a${reports}x`)]);
  expect(await again.say('read_thread', { thread_id: 'run_1' })).toBe(
    `<untrusted message="0" role="user">\na${reports}x\n</untrusted>`,
  );
});
