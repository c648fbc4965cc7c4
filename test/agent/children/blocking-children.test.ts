import { afterEach, expect, test } from 'vitest';
import { findProfile } from '../../../src/agent/profiles/profiles.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { type Family, lastResults, runRunTree, type Script } from '../run-tree-fixture.ts';

let family: Family | undefined;
afterEach(() => family?.tools.close());

async function run(script: Script, options: Parameters<typeof runRunTree>[1] = {}): Promise<Family> {
  family = await runRunTree(script, options);
  return family;
}

const task = (name: string, more: object = {}) => ['task', { goal: `I am ${name}.`, ...more }] as const;
const kinds = (entries: readonly RunEntry[]) =>
  entries.flatMap((entry) => {
    if (entry.type === 'child_run.started') return [`${entry.title} starts`];
    return entry.type === 'child_run.result' ? [`${entry.child_run_id} ${entry.conclusion}`] : [];
  });

test("a profile's limit for a tool counts calls of the run and its children together", async () => {
  const { result } = await run(
    {
      main: [
        { calls: [['read', { path: 'a.ts' }], task('one')] },
        { calls: [['read', { path: 'a.ts' }]] },
        (request) => ({ text: lastResults(request) }),
      ],
      one: [{ calls: [['read', { path: 'a.ts' }]] }, (request) => ({ text: lastResults(request) })],
    },
    { files: { 'a.ts': 'x\n' }, profile: { ...findProfile('craft'), maxCallsPerTool: { 'rea?': 2 } } },
  );
  expect(result.answer).toBe('read is used up: this run may call it 2 times. Go on without it.');
});

test('a run that reaches its number of calls, including those of children, ends at a limit', async () => {
  const { result, entries } = await run(
    {
      main: [{ calls: [task('one')] }, (request) => ({ text: lastResults(request) })],
      one: [{ calls: [['glob', { pattern: '*' }]] }, { text: 'half of it is done' }],
    },
    { profile: { ...findProfile('craft'), maxCallsPerRun: 2 } },
  );
  expect([result.conclusion, result.stop?.message, kinds(entries)]).toEqual([
    'limit',
    'The run used its 2 tool calls.',
    ['I am one. starts', 'child_1 limit'],
  ]);
  expect(result.answer).toContain('half of it is done');
  expect(result.answer).toContain('All 2 tool calls are used up');
});

test('a child without calls left ends before its first request', async () => {
  const tasks = ['a', 'b', 'c'].map((name) => ({ id: name, task: `I am ${name}.` }));
  const { result, seen, entries } = await run(
    {
      main: [
        { calls: [['task_coordinator', { tasks, max_parallel: 1 }]] },
        (request) => ({ text: lastResults(request) }),
      ],
      a: [{ calls: [['glob', { pattern: '*' }]] }, { text: 'half of it is done' }],
    },
    { profile: { maxCallsPerRun: 2 } },
  );
  expect([...seen].map(([name, requests]) => [name, requests.length])).toEqual([
    ['main', 2],
    ['a', 2],
  ]);
  expect(kinds(entries).filter((kind) => kind.endsWith('limit'))).toEqual([
    'child_1 limit',
    'child_2 limit',
    'child_3 limit',
  ]);
  expect(result.answer).toContain(
    '== b: failed ==\n(The child gave no answer.)\n\n[the child ended early (limit): The run used its 2 tool calls.',
  );
});

test('a child takes no more turns than its run may', async () => {
  const look = { calls: [['glob', { pattern: '*' }]] } as const;
  const { result, entries } = await run(
    { main: [{ calls: [task('one')] }, { text: 'done' }], one: [look, look, look] },
    { limits: { max_turns: 2 } },
  );
  expect([result.answer, kinds(entries)]).toEqual(['done', ['I am one. starts', 'child_1 limit']]);
});

test("children that only read start at once up to the profile's limit, and writing ones run in turn", async () => {
  const answers = { one: [{ text: '1' }], two: [{ text: '2' }], three: [{ text: '3' }] };
  const started = async (read_only: boolean, most: number) => {
    const calls = ['one', 'two', 'three'].map((name) => task(name, { read_only, title: name }));
    const { entries, tools } = await runRunTree(
      { main: [{ calls }, { text: 'done' }], ...answers },
      { profile: { ...findProfile('craft'), maxConcurrentDelegations: most } },
    );
    await tools.close();
    // Either of two parallel calls may end first.
    return kinds(entries)
      .slice(0, 3)
      .map((kind) => kind.replace(/^child_\d success$/, 'an end'));
  };
  expect(await started(true, 4)).toEqual(['one starts', 'two starts', 'three starts']);
  expect(await started(true, 2)).toEqual(['one starts', 'two starts', 'an end']);
  expect(await started(false, 4)).toEqual(['one starts', 'an end', 'two starts']);
});

test('a run that starts too many children gets an error', async () => {
  const { result, entries } = await run(
    {
      main: [{ calls: [task('one'), task('two')] }, (request) => ({ text: lastResults(request) })],
      one: [{ text: 'First.' }],
    },
    { profile: { ...findProfile('craft'), maxDelegations: 1 } },
  );
  expect(result.answer).toBe('First.\nA run of craft may start 1 other agent, and did. Go on by yourself.');
  expect(kinds(entries)).toEqual(['I am one. starts', 'child_1 success']);
});

test('a child whose model fails gives a result with the error', async () => {
  const { result, entries } = await run({
    main: [{ calls: [task('one')] }, (request) => ({ text: lastResults(request) })],
    one: [{ text: '' }, { text: '' }, { text: '' }],
  });
  expect(result.answer).toMatch(/^\(The child gave no answer\.\)\n\n\[the child ended early \(failure\): /);
  expect(kinds(entries)).toEqual(['I am one. starts', 'child_1 failure']);
});

test("a child's result for a person goes to the run's ledger, and its result for the parent to a mailbox", async () => {
  family = await runRunTree({
    main: [
      { calls: [['sub_agent', { task: 'I am one.' }]] },
      { calls: [['receive_messages', {}]] },
      (request) => ({ text: lastResults(request) }),
    ],
    one: [
      {
        calls: [
          ['handoff', { target: 'parent', summary: 'Half is done.' }],
          ['handoff', { target: 'user', summary: 'Somebody has to decide.' }],
        ],
      },
      { text: 'ok' },
    ],
  });
  const { result, entries } = family;
  expect(entries.flatMap((entry) => (entry.type === 'handoff' ? [entry.handoff.summary] : []))).toEqual([
    'Somebody has to decide.',
  ]);
  expect(result.answer).toMatch(/^== 1 · result · from child_1 ==\nHalf is done\./);
});
