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

/** The results of the events of one type, in order. */
function eventsOf(stdout: string, type: string): Record<string, unknown>[] {
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  return events.filter((event) => event.type === type);
}

const streamed = ['--output', 'stream-json'];

test('a command has two minutes by default, and the model learns default and maximum', async () => {
  local.learn('be slow', (turn) =>
    turn === 1 ? { calls: [call('bash', { command: 'sleep 20', timeout_ms: 100 })] } : { text: 'Slow.' },
  );
  await local.anode(folder, ['run', '--prompt', 'be slow', ...streamed]);
  const [first, second] = local.requestsFor('be slow');
  const bash = first?.tools.find(({ name }) => name === 'bash');
  expect(bash?.schema.properties).toMatchObject({
    timeout_ms: { description: 'default 120000, at most 1800000' },
  });
  expect(second === undefined ? '' : lastResults(second)).toContain(
    'timeout_ms counts milliseconds: give a larger one (at most 1800000)',
  );
});

test('the number of turns left is announced from five on', async () => {
  local.learn('count down', (turn) =>
    turn < 7 ? { calls: [call('read', { path: 'a.txt', start_line: turn })] } : { text: 'Done.' },
  );
  await local.anode(folder, ['run', '--prompt', 'count down', '--max-turns', '7', ...streamed]);
  const told = local
    .requestsFor('count down')
    .map((request) => /^.*turns? (?:is|are) left.*$/m.exec(lastResults(request))?.[0]);
  expect(told).toEqual([
    undefined,
    undefined,
    '5 turns are left, the last of them for your answer.',
    '4 turns are left, the last of them for your answer.',
    '3 turns are left, the last of them for your answer.',
    '2 turns are left, the last of them for your answer.',
    'One turn is left. Give your final answer now: what is done, what is not, how to go on.',
  ]);
});

test('agent.delegate gives no more turns than the target has, and says so', async () => {
  local.learn('hand on', (turn) => {
    const task = { objective: 'CHILD endless' };
    const budget = { maxRounds: 500 };
    if (turn === 1)
      return {
        calls: [call('use_tool', { name: 'agent_delegate', args: { agentId: 'quick', task, budget } })],
      };
    if (turn === 2)
      return { calls: [call('use_tool', { name: 'agent_await', args: { mode: 'allCompleted' } })] };
    return { text: 'Handed on.' };
  });
  local.learn('CHILD endless', (turn) => ({ calls: [call('read', { path: 'a.txt', start_line: turn })] }));
  const { stdout } = await local.anode(folder, [
    'run',
    '--profile',
    'study',
    '--prompt',
    'hand on',
    ...streamed,
  ]);
  expect(eventsOf(stdout, 'child_run.result')).toMatchObject([{ conclusion: 'limit', turns: 10 }]);
  const [, started] = local.requestsFor('hand on');
  expect(started === undefined ? '' : lastResults(started)).toContain(
    'Reduced to the limits of quick: maxRounds 500 to 10.',
  );
});

test('a task has three calls for each turn of its profile', async () => {
  local.learn('ask three', (turn) => {
    if (turn > 1) return { text: 'Asked.' };
    const goals = [{ profile: 'study' }, { profile: 'quick' }, { profile: 'study', max_steps: 5 }, {}];
    return { calls: goals.map((one, index) => call('task', { goal: `CHILD budget ${index}`, ...one })) };
  });
  local.learn('CHILD budget', (turn) =>
    turn === 1
      ? { calls: [call('use_tool', { name: 'get_context_remaining', args: {} })] }
      : { text: 'Seen.' },
  );
  await local.anode(folder, ['run', '--prompt', 'ask three', ...streamed]);
  const left = local
    .requestsFor('CHILD budget')
    .flatMap((request) => lastResults(request).match(/\d+ of \d+ (?:turns|tool calls)/g) ?? []);
  expect(left).toEqual([
    ...['39 of 40 turns', '119 of 120 tool calls'],
    ...['9 of 10 turns', '29 of 30 tool calls'],
    ...['4 of 5 turns', '14 of 15 tool calls'],
    ...['19 of 20 turns', '59 of 60 tool calls'],
  ]);
});

test('task.return does not count as a call, and works after the last one', async () => {
  local.learn('want it back', (turn) => {
    const args = { agentId: 'find', task: { objective: 'CHILD give back' }, budget: { maxToolCalls: 1 } };
    if (turn === 1) return { calls: [call('use_tool', { name: 'agent_delegate', args })] };
    if (turn === 2) return { calls: [call('use_tool', { name: 'agent_await', args: {} })] };
    return { text: 'Got it.' };
  });
  local.learn('CHILD give back', (turn) => {
    if (turn === 1) return { calls: [call('read', { path: 'a.txt' }), call('glob', { pattern: '*' })] };
    return { calls: [call('task_return', { summary: 'It is red.' })] };
  });
  const { stdout } = await local.anode(folder, [
    'run',
    '--profile',
    'study',
    '--prompt',
    'want it back',
    ...streamed,
  ]);
  expect(eventsOf(stdout, 'child_run.result')).toMatchObject([
    { conclusion: 'success', summary: 'It is red.', turns: 2 },
  ]);
  const [, told] = local.requestsFor('CHILD give back').map(lastResults);
  expect(told).toContain('Not run: the run has used all its tool calls. Give your answer now.');
  expect(told).toContain(
    'All 1 tool calls are used up; only task_return, which takes none of them, can still be called.',
  );
  expect(local.requestsFor('want it back').map(lastResults).at(-1)).toContain('It is red.');
});
