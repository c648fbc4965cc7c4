import { expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { noUsage } from '../../../src/contract/usage-sums.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import type { ChildRequest, ChildResult } from '../../../src/tools/services/children.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';

const change = { path: 'a.ts' } as Extract<ChildResult['entries'][number], { type: 'change' }>['change'];
const result: ChildResult = {
  ...{ childRunId: 'run_2', conclusion: 'success', answer: 'All is well.', turns: 3, usage: noUsage },
  entries: [{ type: 'change', change }],
};
/** The answer of a tool that waits for its children, each with the result given for its title. */
async function run(
  name: string,
  input: JsonObject,
  play: (request: ChildRequest) => ChildResult = () => result,
) {
  const requests: ChildRequest[] = [];
  const context = {
    async runChild(request: ChildRequest) {
      requests.push(request);
      return play(request);
    },
  } as unknown as ToolContext;
  const tool = builtinTools.find((known) => known.name === name);
  return { output: await tool?.execute(tool.input.parse(input), context, undefined), requests };
}

test('a sub-agent does one task while its caller waits', async () => {
  const task = 't'.repeat(90);
  const first = await run('sub_agent', { task });
  const second = await run('sub_agent', { task: 't', title: 'T', agent_type: 'find', read_only: true });
  expect([first.output, ...first.requests, ...second.requests]).toEqual([
    {
      content: 'All is well.\n\n[files it changed: a.ts]',
      data: {
        ...{ agent_id: 'run_2', conclusion: 'success', summary: 'All is well.', turns: 3, usage: noUsage },
        changed: ['a.ts'],
      },
    },
    {
      title: 't'.repeat(80),
      profile: 'craft',
      prompt: task,
      readOnly: false,
    },
    { title: 'T', profile: 'find', prompt: 't', readOnly: true },
  ]);
});

test('tasks run after their dependencies and get their results', async () => {
  const tasks = [
    { task: 'one' },
    { id: 'b', task: 'two', depends_on: ['1'], agent_type: 'find', read_only: true },
    { id: 'c', task: 'x'.repeat(90) },
    { id: 'd', task: 'four', depends_on: ['c'] },
    { id: 'e', task: 'five' },
  ];
  const { output, requests } = await run('task_coordinator', { tasks, max_parallel: 1 }, ({ title }) => {
    if (title.startsWith('c')) return { ...result, conclusion: 'limit', answer: '== d ==', entries: [] };
    if (title.startsWith('e')) throw new ToolError('unavailable', 'No agent is left.');
    return result;
  });
  const same = { readOnly: false, profile: 'craft' };
  expect([...requests].sort((a, b) => (a.title < b.title ? -1 : 1))).toEqual([
    { ...same, title: '1: one', prompt: 'one' },
    {
      ...{ ...same, title: 'b: two', profile: 'find', readOnly: true },
      prompt: 'two\n\nWhat came of the tasks before:\n\n== 1 ==\nAll is well.\n\n[files it changed: a.ts]',
    },
    { ...same, title: `c: ${'x'.repeat(80)}`, prompt: 'x'.repeat(90) },
    { ...same, title: 'e: five', prompt: 'five' },
  ]);
  const done = {
    ...{ status: 'completed', agent_id: 'run_2', conclusion: 'success', summary: 'All is well.' },
    changed: ['a.ts'],
  };
  const early = '[the child ended early (limit) The text above is its work so far.]';
  expect(output).toEqual({
    content: [
      '== 1: completed ==\nAll is well.\n\n[files it changed: a.ts]',
      '== b: completed ==\nAll is well.\n\n[files it changed: a.ts]',
      `== c: failed ==\n == d ==\n\n${early}`,
      '== d: skipped ==\nA task it depends on failed.',
      '== e: failed ==\nNo agent is left.',
    ].join('\n\n'),
    data: {
      tasks: [
        { id: '1', ...done },
        { id: 'b', ...done },
        {
          ...{ id: 'c', status: 'failed', agent_id: 'run_2', conclusion: 'limit', summary: '== d ==' },
          changed: [],
        },
        { id: 'd', status: 'skipped' },
        { id: 'e', status: 'failed' },
      ],
    },
  });
});

test('circular tasks are refused, and an unexpected error ends the call', async () => {
  await expect(run('task_coordinator', { tasks: [{ task: 'x', depends_on: ['1'] }] })).rejects.toEqual(
    new ToolError('invalid_input', 'These tasks wait for each other in a circle: 1.'),
  );
  const fault = new Error('a limit of the run');
  const broken = run('task_coordinator', { tasks: [{ task: 'x' }] }, () => {
    throw fault;
  });
  await expect(broken).rejects.toBe(fault);
});

test('a task uses the named agent with its limits', async () => {
  const profiles = ['General-Purpose', 'explore', 'Explore', 'review', undefined];
  const requested = await Promise.all(
    profiles.map((profile) => run('task', { goal: 'g', ...(profile === undefined ? {} : { profile }) })),
  );
  expect(requested.map(({ requests }) => requests[0]?.profile)).toEqual([
    'craft',
    'find',
    'find',
    'review',
    'craft',
  ]);
  const limits = async (input: JsonObject) => {
    const { requests } = await run('task', { goal: 'g'.repeat(90), ...input });
    return requests.map(({ maxTurns, timeoutMs, toolsAllowed, title }) => [
      maxTurns,
      timeoutMs,
      toolsAllowed,
      title,
    ]);
  };
  const title = 'g'.repeat(80);
  expect([
    await limits({ max_steps: 40, timeout_seconds: 1_800, tools_allowed: [] }),
    await limits({ max_steps: 41, timeout_seconds: 1_801, title: 'T' }),
  ]).toEqual([[[40, 1_800_000, undefined, title]], [[40, 1_800_000, undefined, 'T']]]);
  const findings = [{ type: 'findings', findings: [] }] as unknown as ChildResult['entries'];
  const { output } = await run('task', { goal: 'g' }, () => ({ ...result, entries: findings }));
  expect(output?.data).toEqual({
    ...{ child_run_id: 'run_2', conclusion: 'success', summary: 'All is well.', turns: 3, usage: noUsage },
    ...{ changed: [], findings: [] },
  });
});
