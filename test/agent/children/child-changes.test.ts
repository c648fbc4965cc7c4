import { afterEach, expect, test } from 'vitest';
import { createChangeQueue } from '../../../src/agent/calls/change-queue.ts';
import { type Family, lastResults, runRunTree, type Said } from '../run-tree-fixture.ts';

let family: Family | undefined;
afterEach(() => family?.tools.close());

const spawn = (name: string) => ['spawn_agent', { message: `I am ${name}.`, title: name }] as const;
const awaitAll: Said = { calls: [['agent_await', { mode: 'allCompleted' }]] };
const changesOf = ({ entries }: Family) =>
  entries.flatMap((entry) =>
    entry.type === 'change' ? [`${entry.change.call_id} ${entry.change.path}`] : [],
  );

test('a file that one child changed cannot be edited by another that read it before, nor by the parent', async () => {
  let wrote: () => void = () => undefined;
  const written = new Promise<void>((resolve) => {
    wrote = resolve;
  });
  let read: () => void = () => undefined;
  const wasRead = new Promise<void>((resolve) => {
    read = resolve;
  });
  const replace = (path: string, content: string): Said => ({
    calls: [['create_file', { path, content, overwrite: true }]],
  });
  family = await runRunTree(
    {
      main: [
        { calls: [['read', { path: 'a.txt' }], spawn('one'), spawn('two')] },
        awaitAll,
        replace('a.txt', 'of the parent\n'),
        (request) => ({ text: lastResults(request) }),
      ],
      one: [
        { calls: [['read', { path: 'a.txt' }]] },
        async () => {
          await wasRead;
          return replace('a.txt', 'of one\n');
        },
        () => {
          wrote();
          return { text: 'ok' };
        },
      ],
      two: [
        { calls: [['read', { path: 'a.txt' }]] },
        async () => {
          read();
          await written;
          return replace('a.txt', 'of two\n');
        },
        (request) => {
          expect(lastResults(request)).toBe('a.txt changed since it was last read. Read it again first.');
          return { calls: [['read', { path: 'a.txt' }]] };
        },
        replace('a.txt', 'of one and two\n'),
        { text: 'ok' },
      ],
    },
    { files: { 'a.txt': 'at first\n' } },
  );
  expect(family.result.answer).toBe('a.txt changed since it was last read. Read it again first.');
  expect(family.tools.tree()).toEqual({ 'a.txt': 'of one and two\n' });
  expect(changesOf(family)).toEqual(['child_1/call_1_0 a.txt', 'child_2/call_3_0 a.txt']);
});

test('parallel commands of children each record their own changes', async () => {
  // Both run before either may end: without turns, the first to compare would find the files of
  // both.
  const command = (name: string): Said => ({
    calls: [
      ['bash', { command: `for i in $(seq 30); do echo ${name} > ${name}-$i.txt; ls > /dev/null; done` }],
    ],
  });
  family = await runRunTree({
    main: [{ calls: [spawn('one'), spawn('two')] }, awaitAll, { text: 'ok' }],
    one: [command('one'), { text: 'ok' }],
    two: [command('two'), { text: 'ok' }],
  });
  const changes = changesOf(family);
  expect(changes.length).toBe(60);
  expect(changes.filter((one) => !/^child_1\/\S+ one-|^child_2\/\S+ two-/.test(one))).toEqual([]);
});

test("a child's call that needs approval is refused and recorded as the child's", async () => {
  family = await runRunTree(
    {
      main: [{ calls: [spawn('one')] }, awaitAll, (request) => ({ text: lastResults(request) })],
      one: [
        { calls: [['create_file', { path: 'b.txt', content: 'x' }]] },
        { calls: [['ask_user', { question: 'May I?' }]] },
        (request) => ({ text: lastResults(request) }),
      ],
    },
    {
      gate: async ({ tool }, context) => ({
        action: tool.name === 'create_file' && context === 'child' ? 'ask' : 'allow',
        ...{ level: 'confirm_write', reason: 'It asks first.', rule: null, hard: false, commands: [] },
      }),
    },
  );
  expect(family.result.answer).toContain('This run has no ask_user');
  expect(family.entries.flatMap((entry) => (entry.type === 'refusal' ? [entry.refusal] : []))).toEqual([
    { tool: 'create_file', what: 'b.txt', reason: 'It asks first.', call_id: 'child_1/call_0_0' },
  ]);
  expect(family.tools.tree()).toEqual({});
});

test('turns are granted in the order of the requests, and an aborted one is skipped', async () => {
  const turns = createChangeQueue();
  const { signal } = new AbortController();
  const stop = new AbortController();
  const order: string[] = [];
  const endFirst = await turns.acquire(signal);
  const take = async (name: string, by: AbortSignal) => {
    const end = await turns.acquire(by);
    order.push(name);
    end();
  };
  const second = take('second', stop.signal);
  const third = take('third', signal);
  stop.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  expect(order).toEqual([]);
  endFirst();
  await third;
  expect(order).toEqual(['third']);
});
