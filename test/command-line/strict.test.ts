import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

vi.setConfig({ testTimeout: 60_000 });

let local: Local;
let folder: string;
beforeAll(async () => {
  local = await startLocal();
  folder = await local.checkout({ 'a.txt': 'red\n' });
});
afterAll(() => local.close());

/** The refused calls of one run in the preset `strict`, by the words of their targets. */
async function refusedOf(words: string, flags: readonly string[]): Promise<string[]> {
  const { stdout } = await local.anode(folder, [
    ...['run', '--preset', 'strict', '--prompt', words, '--output', 'json', ...flags],
  ]);
  const { refusals }: { refusals: { tool: string; what: string }[] } = JSON.parse(stdout);
  return refusals.map(({ tool, what }) => `${tool} ${what}`);
}

const deferred = (name: string, args: Parameters<typeof call>[1]) => call('use_tool', { name, args });

test('strict allows only children that read, by their profile or by read_only', async () => {
  local.learn('strict children', (turn) => {
    if (turn > 2) return { text: 'Done.' };
    if (turn === 2) {
      const id = /Agent (\S+) is/.exec(
        lastResults(local.requestsFor('strict children').at(-1) ?? never()),
      )?.[1];
      return { calls: [deferred('send_input', { id: id ?? '', message: 'CHILD more' })] };
    }
    const goal = 'CHILD looks';
    return {
      calls: [
        call('task', { goal, title: 'flag', read_only: true }),
        call('task', { goal, title: 'find', profile: 'Explore' }),
        call('task', { goal, title: 'own', profile: 'auditor' }),
        call('task', { goal, title: 'craft' }),
        deferred('sub_agent', { task: goal, title: 'sub', agent_type: 'search' }),
        deferred('sub_agent', { task: goal, title: 'sub craft' }),
        deferred('task_coordinator', {
          tasks: [
            { task: goal, agent_type: 'find' },
            { task: goal, read_only: true },
          ],
        }),
        deferred('task_coordinator', { tasks: [{ task: goal, agent_type: 'find' }, { task: goal }] }),
        deferred('agent_delegate', { agentId: 'review', task: { objective: goal, title: 'delegate' } }),
        deferred('agent_delegate', { agentId: 'craft', task: { objective: goal, title: 'delegate craft' } }),
        deferred('spawn_agent', { message: goal, title: 'spawned craft' }),
        deferred('spawn_agent', { message: goal, title: 'spawned', agent_type: 'find' }),
      ],
    };
  });
  local.learn('CHILD looks', () => ({ text: 'Seen.' }));
  const config = path.join(local.home, 'strict.json');
  await writeFile(config, JSON.stringify({ profiles: { auditor: { extends: 'craft', readOnly: true } } }));
  expect(await refusedOf('strict children', ['--profile', 'study', '--config', config])).toEqual([
    'task craft',
    'sub_agent sub craft',
    'task_coordinator 2 tasks: CHILD looks; CHILD looks',
    'agent.delegate delegate craft',
    'spawn_agent spawned craft',
  ]);
});

test('task_list counts as reading when it lists or gets, in a run and by hand', async () => {
  local.learn('strict tasks', (turn) =>
    turn > 1
      ? { text: 'Done.' }
      : {
          calls: [
            deferred('task_list', { action: 'list' }),
            deferred('task_list', { action: 'get', taskID: 'one' }),
            deferred('task_list', { action: 'create', title: 'Paint' }),
          ],
        },
  );
  const listed = await local.anode(folder, ['tools', 'use', 'task_list', '--arg', 'action=list']);
  const made = await local.anode(folder, [
    'tools',
    'use',
    'task_list',
    '--json',
    '{"action":"create","title":"x"}',
  ]);
  expect({
    refused: await refusedOf('strict tasks', []),
    listed: listed.code,
    made: [made.code, /--allow-non-read/.test(made.stdout + made.stderr)],
  }).toEqual({ refused: ['task_list create Paint'], listed: 0, made: [1, true] });
});

function never(): never {
  throw new Error('the run has asked nothing yet');
}
