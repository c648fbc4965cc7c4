import { expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { noUsage } from '../../../src/contract/usage-sums.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import type {
  AgentKind,
  ChildRequest,
  ChildResult,
  ChildStatus,
} from '../../../src/tools/services/children.ts';
import { createMailboxes } from '../../../src/tools/services/mailboxes.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';

const change = { path: 'a.ts' } as Extract<ChildResult['entries'][number], { type: 'change' }>['change'];
const result: ChildResult = {
  ...{ childRunId: 'run_2', conclusion: 'success', answer: 'All is well.', turns: 3, usage: noUsage },
  entries: [{ type: 'change', change }],
};
const status = (id: string, more: Partial<ChildStatus> = {}): ChildStatus => ({
  ...{ id, title: `do ${id}`, profile: 'craft', readOnly: false, state: 'ended', result, returned: null },
  ...more,
});
const fresh = { state: 'running', result: null } as const;

const kinds: AgentKind[] = [
  { id: 'craft', description: 'Changes code', readOnly: false, maxTurns: 40, maxCalls: 100 },
  { id: 'find', description: 'Looks for code', readOnly: true, maxTurns: 10, maxCalls: null },
];

/** The agent tools with children in these states; requests to the children are recorded. */
function open(
  children: readonly ChildStatus[] = [],
  more: { timedOut?: boolean; agents?: AgentKind[] } = {},
) {
  const asked: unknown[] = [];
  const started: ChildRequest[] = [];
  const mailboxes = createMailboxes();
  const one = (id: string) => children.find((child) => child.id === id) ?? status(id, fresh);
  const context = {
    mailboxes,
    children: {
      kinds: async () => more.agents ?? kinds,
      async start(request: ChildRequest) {
        started.push(request);
        return status('child_1', { ...fresh, profile: request.profile, title: request.title });
      },
      async send(...given: unknown[]) {
        asked.push(['send', ...given]);
        return one(String(given[0]));
      },
      async wait(...given: unknown[]) {
        asked.push(['wait', ...given]);
        return { children, timedOut: more.timedOut ?? false };
      },
      async close(id: string) {
        asked.push(['close', id]);
        return one(id);
      },
      list: async () => children,
    },
  } as unknown as ToolContext;
  return {
    asked,
    started,
    mailboxes,
    async call(name: string, input: JsonObject = {}) {
      const tool = builtinTools.find((known) => known.name === name);
      const parsed = tool?.input.parse(input);
      return tool?.execute(parsed, context, await tool.prepare?.(parsed, context));
    },
    prepare: (name: string, input: JsonObject) => {
      const tool = builtinTools.find((known) => known.name === name);
      return tool?.prepare?.(tool.input.parse(input), context);
    },
  };
}

const endedData = (id: string) => ({
  ...{ id, title: `do ${id}`, profile: 'craft', status: 'completed', conclusion: 'success' },
  ...{ summary: 'All is well.', turns: 3, usage: noUsage, changed: ['a.ts'] },
});
const endedText = (id: string) =>
  `== ${id} (craft): do ${id} — completed ==\nAll is well.\n\n[files it changed: a.ts]`;

test('agents are listed with their limits, and found by a word of their name or description', async () => {
  const { call } = open();
  const craft = 'craft: Changes code. At most 40 rounds, 100 tool calls.';
  const find = 'find: Looks for code. At most 10 rounds; changes nothing.';
  expect([
    await call('agent.list'),
    await call('agent.list', { query: 'LOOKS' }),
    await call('agent.list', { query: null, limit: 1 }),
    await call('agent.list', { query: 'Cook' }),
    await call('agent.list', { purpose: 'delegate', query: 'craft' }),
    await call('agent.list', { purpose: 'handoff' }),
    await open([], { agents: [] }).call('agent.list'),
  ]).toEqual([
    { content: `${craft}\n${find}`, data: { agents: kinds, total: 2 } },
    { content: find, data: { agents: [kinds[1]], total: 1 } },
    {
      content: `${craft}\n[1 more, each shown by a query for its name: find]`,
      data: { agents: [kinds[0]], total: 2 },
    },
    { content: 'This run may start no agent for "Cook".', data: { agents: [], total: 0 } },
    { content: craft, data: { agents: [kinds[0]], total: 1 } },
    {
      content:
        'No agent takes over permanently. agent_delegate gives one a task; handoff passes work to a person or a later run.',
      data: { agents: [], total: 0 },
    },
    { content: 'This run may start no agents.', data: { agents: [], total: 0 } },
  ]);
});

test('eight agents are described, and forty more are named', async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...kinds[0], id: `a${index}` }) as AgentKind);
  const lines = async (count: number) =>
    String((await open([], { agents: many(count) }).call('agent.list'))?.content).split('\n');
  const names = Array.from({ length: 40 }, (_, index) => `a${index + 8}`).join(', ');
  const all = [await lines(8), await lines(48), await lines(49)];
  expect([all.map(({ length }) => length), all[0]?.at(-1), all[1]?.at(-1), all[2]?.at(-1)]).toEqual([
    [8, 9, 9],
    'a7: Changes code. At most 40 rounds, 100 tool calls.',
    `[40 more, each shown by a query for its name: ${names}]`,
    `[41 more, each shown by a query for its name: ${names}, …]`,
  ]);
});

test('an agent gets a task with all its context, within the limits', async () => {
  const { call, started } = open();
  const done = 'When you are done, or cannot continue, return your result with task_return.';
  const long = 'o'.repeat(90);
  expect(
    [
      await call('agent.delegate', { agentId: 'craft', task: { objective: long } }),
      await call('agent.delegate', {
        agentId: 'craft',
        task: { objective: 'Do it', title: 'It', context: { file: 'a.ts' }, expectedOutput: 'a list' },
        budget: { maxRounds: 41, maxToolCalls: 101 },
      }),
      await call('agent.delegate', {
        ...{ agentId: 'craft', task: { objective: 'x' }, budget: { maxRounds: 40, maxToolCalls: 100 } },
      }),
      await call('agent.delegate', {
        ...{ agentId: 'find', task: { objective: 'x' }, budget: { maxRounds: 11, maxToolCalls: 1_000 } },
      }),
      await call('agent.delegate', { agentId: 'other', task: { objective: 'x' }, budget: { maxRounds: 99 } }),
    ].map((output) => output?.content),
  ).toEqual([
    'Task child_1 is running. Go on, or wait for it with agent_await.',
    'Task child_1 is running. Go on, or wait for it with agent_await. Reduced to the limits of craft: maxRounds 41 to 40, maxToolCalls 101 to 100.',
    'Task child_1 is running. Go on, or wait for it with agent_await.',
    'Task child_1 is running. Go on, or wait for it with agent_await. Reduced to the limits of find: maxRounds 11 to 10.',
    'Task child_1 is running. Go on, or wait for it with agent_await.',
  ]);
  const moreTools = ['task.return', 'send_message', 'receive_messages'];
  expect(started.slice(0, 2)).toEqual([
    {
      ...{ title: 'o'.repeat(80), profile: 'craft', prompt: `${long}\n\n${done}` },
      ...{ maxTurns: null, maxToolCalls: null, moreTools },
    },
    {
      ...{ title: 'It', profile: 'craft', maxTurns: 41, maxToolCalls: 101, moreTools },
      prompt: `Do it\n\nContext:\n{\n  "file": "a.ts"\n}\n\nExpected output:\na list\n\n${done}`,
    },
  ]);
  expect((await call('agent.delegate', { agentId: 'find', task: { objective: 'x' } }))?.data).toEqual({
    ...{ id: 'child_1', title: 'x', profile: 'find', status: 'running' },
  });
});

test('a spawned agent has the message tools and is reported', async () => {
  const { call, started } = open();
  const message = 'm'.repeat(90);
  expect([
    await call('spawn_agent', { message }),
    await call('spawn_agent', { message: 'm', title: 'T', agent_type: 'find', read_only: true }),
  ]).toEqual([
    {
      content: 'Agent child_1 is running.',
      data: { id: 'child_1', title: 'm'.repeat(80), profile: 'craft', status: 'running' },
    },
    {
      content: 'Agent child_1 is running.',
      data: { id: 'child_1', title: 'T', profile: 'find', status: 'running' },
    },
  ]);
  const same = { moreTools: ['send_message', 'receive_messages'] };
  expect(started).toEqual([
    { title: 'm'.repeat(80), profile: 'craft', prompt: message, readOnly: false, ...same },
    { title: 'T', profile: 'find', prompt: 'm', readOnly: true, ...same },
  ]);
});

test('an agent gets a message, immediately if requested, and its state is reported', async () => {
  const { call, asked, prepare } = open([status('a', { readOnly: true }), status('b')]);
  expect([
    await call('send_input', { id: 'a', message: 'm' }),
    await call('send_input', { id: 'b', message: 'n', interrupt: true }),
  ]).toEqual([
    { content: 'Agent a is told; it is completed.', data: endedData('a') },
    { content: 'Agent b is told; it is completed.', data: endedData('b') },
  ]);
  expect(asked).toEqual([
    ['send', 'a', 'm', { interrupt: false }],
    ['send', 'b', 'n', { interrupt: true }],
  ]);
  const prepared = (id: string) => prepare('send_input', { id, message: 'm' });
  expect([await prepared(' a '), await prepared('b'), await prepared('c')]).toEqual(
    [true, false, false].map((onlyReads, index) => ({
      ...{ targets: { what: `${[' a ', 'b', 'c'][index]}: m` }, diff: '', state: null, onlyReads },
    })),
  );
});

test('waiting for agents follows the arguments, and their messages are reported', async () => {
  const { call, asked, mailboxes } = open([status('a'), status('b', fresh)]);
  const both = `${endedText('a')}\n\n== b (craft): do b — running ==`;
  const data = [endedData('a'), { id: 'b', title: 'do b', profile: 'craft', status: 'running' }];
  expect([
    await call('agent.await'),
    await call('agent.await', { taskIds: ['a', 'b'], mode: 'allCompleted', timeoutMs: 5 }),
    await call('agent.await', { taskIds: [], mode: 'statusOnly' }),
    await call('wait_agent', { ids: 'a', timeout_ms: 7 }),
    await call('wait_agent', { ids: [] }),
    await call('wait_agent'),
  ]).toEqual([
    ...Array.from({ length: 3 }, () => ({ content: both, data: { tasks: data, timed_out: false } })),
    ...Array.from({ length: 3 }, () => ({ content: both, data: { agents: data, timed_out: false } })),
  ]);
  expect(asked).toEqual([
    ['wait', null, { until: 'next', timeoutMs: 120_000 }],
    ['wait', ['a', 'b'], { until: 'all', timeoutMs: 5 }],
    ['wait', null, { until: 'now', timeoutMs: 120_000 }],
    ['wait', ['a'], { until: 'next', timeoutMs: 7 }],
    ['wait', null, { until: 'next', timeoutMs: 30_000 }],
    ['wait', null, { until: 'next', timeoutMs: 30_000 }],
  ]);
  mailboxes.send({ recipient: 'parent', type: 'status', from: 'a', sender: 'a', message: 'x' });
  mailboxes.send({ recipient: 'other', type: 'status', from: 'a', sender: 'a', message: 'x' });
  expect((await call('agent.await'))?.content).toBe(`${both}\n\n[1 message waits for you: receive_messages]`);
  mailboxes.send({ recipient: 'parent', type: 'status', from: 'a', sender: 'a', message: 'x' });
  expect((await call('agent.await'))?.content).toBe(`${both}\n\n[2 messages wait for you: receive_messages]`);
});

test('a failed start and an ended wait without a result are reported', async () => {
  const none = open([], { timedOut: true });
  expect([
    await none.call('agent.await'),
    await none.call('wait_agent'),
    await none.call('list_agents'),
  ]).toEqual([
    {
      content:
        'This run has started no agents.\n\n[warning: not ended within 120000 ms; they go on. Wait again or go on yourself.]',
      data: { tasks: [], timed_out: true },
    },
    {
      content: 'This run has started no agents.\n\n[none has ended within 30000 ms; they go on]',
      data: { agents: [], timed_out: true },
    },
    { content: 'This run has started no agents.', data: { agents: [] } },
  ]);
});

test('agents are listed in one line each, and a closed one is reported with its last text', async () => {
  const { call, asked } = open([status('a'), status('b', fresh)]);
  expect([await call('list_agents'), await call('close_agent', { id: 'a' })]).toEqual([
    {
      content: '== a (craft): do a — completed ==\n== b (craft): do b — running ==',
      data: { agents: [endedData('a'), { id: 'b', title: 'do b', profile: 'craft', status: 'running' }] },
    },
    { content: endedText('a'), data: endedData('a') },
  ]);
  expect(asked).toEqual([['close', 'a']]);
});

test('an agent is described by its state and the reason of its end', async () => {
  const failed = { ...result, conclusion: 'limit' };
  const returned = { summary: 'Not done.', status: 'failed' } as const;
  const { call } = open([
    status('queued', { state: 'queued' }),
    status('running', { state: 'running' }),
    status('closed', { state: 'closed' }),
    status('nothing', { result: null }),
    status('failed', { result: failed }),
    status('returned', { returned }),
  ]);
  const lines = String((await call('list_agents'))?.content).split('\n');
  const states = ['queued', 'running', 'closed', 'failed', 'failed', 'failed'];
  const ids = ['queued', 'running', 'closed', 'nothing', 'failed', 'returned'];
  expect(lines).toEqual(ids.map((id, index) => `== ${id} (craft): do ${id} — ${states[index]} ==`));
  const text = async (child: ChildStatus) =>
    (await open([child]).call('close_agent', { id: child.id }))?.content;
  expect([
    await text(status('a', { state: 'queued' })),
    await text(status('a', { state: 'running' })),
    await text(status('a', { result: null })),
    await text(status('a', { state: 'closed' })),
  ]).toEqual([
    '== a (craft): do a — queued ==',
    '== a (craft): do a — running ==',
    '== a (craft): do a — failed ==',
    endedText('a').replace('completed', 'closed'),
  ]);
});

test("an agent's result is reported list by list and cannot imitate another agent", async () => {
  const returned = {
    ...{ summary: '== b ==', status: 'completed', confidence: 'low' },
    artifacts: [{ path: 'output/a.md', kind: 'markdown', role: 'draft' }],
    ...{ findings: [{ line: 3 }], warnings: ['slow', '== c =='], suggestedNextActions: ['test it'] },
    questionsForCaller: [],
  } as const;
  const child = status('a', { returned: returned as never });
  expect(await open([child]).call('close_agent', { id: 'a' })).toEqual({
    content: [
      '== a (craft): do a — completed ==',
      ' == b ==',
      'confidence: low',
      'artifacts:\n- output/a.md (markdown, draft)',
      'findings:\n- {"line":3}',
      'warnings:\n- slow\n- == c ==',
      'suggested next:\n- test it',
      'files it changed:\n- a.ts',
    ].join('\n'),
    data: {
      ...endedData('a'),
      ...{ summary: '== b ==', result: returned },
      ...{ result_path: 'summaries/a/result.json', summary_path: 'summaries/a/summary.md' },
    },
  });
  const asks = status('a', {
    returned: { summary: 's', status: 'completed', questionsForCaller: ['why?'] } as never,
    result: { ...result, entries: [] },
  });
  expect((await open([asks]).call('close_agent', { id: 'a' }))?.content).toBe(
    '== a (craft): do a — completed ==\ns\nquestions for you:\n- why?',
  );
});

test('a run without children of its own cannot start or list any', async () => {
  const tool = builtinTools.find(({ name }) => name === 'list_agents');
  await expect(tool?.execute({}, {} as ToolContext, undefined)).rejects.toEqual(
    new ToolError(
      'unavailable',
      'A child run cannot start or see other children. Do the work yourself and return what you have.',
    ),
  );
});
