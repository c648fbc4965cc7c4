import { expect, test } from 'vitest';
import { limitCalls, openDelegations } from '../../../src/agent/limits/call-limits.ts';
import { openChildBudget, openRunBudget } from '../../../src/agent/limits/run-budget.ts';
import { ToolError } from '../../../src/contract/errors.ts';
import { noUsage } from '../../../src/contract/usage-sums.ts';

const unlimited = {
  max_turns: null,
  max_tool_calls: null,
  max_tokens: null,
  max_cost_usd: null,
  timeout_seconds: null,
};

test("calls of a tool beyond its profile's limit are errors, and other tools continue", () => {
  const limit = limitCalls({ bash: 2, 'edit_*': 1, '*': 4 });
  const call = (tool: string) => {
    try {
      limit(tool);
      return 'made';
    } catch (error) {
      return error instanceof ToolError ? `${error.kind}: ${error.message}` : error;
    }
  };
  expect(['bash', 'bash', 'bash', 'edit_file', 'edit_file', 'read', 'read'].map(call)).toEqual([
    'made',
    'made',
    'used_up: bash is used up: this run may call it 2 times. Go on without it.',
    'made',
    'used_up: edit_file is used up: this run may call it 1 times. Go on without it.',
    'made',
    'used_up: read is used up: this run may call it 4 times. Go on without it.',
  ]);
});

test('a child ends at its own number of calls, and its usage counts for the run', () => {
  const family = openRunBudget({ ...unlimited, max_tool_calls: 4 }, () => new Date(0));
  const child = openChildBudget(family, 2);
  const usage = { ...noUsage, input: 7 };
  child.budget.countToolCall();
  child.budget.spend(usage, 0.5);
  const before = child.budget.callsUsedUp();
  child.budget.countToolCall();
  expect([before, child.budget.callsUsedUp(), family.callsUsedUp()]).toEqual([
    null,
    { kind: 'tool_call_limit', message: 'The child run used its 2 tool calls.' },
    null,
  ]);
  expect([child.own(), family.usage, family.costUsd, family.toolCalls]).toEqual([
    { usage, costUsd: 0.5 },
    usage,
    0.5,
    2,
  ]);
  child.budget.spend(usage, null);
  expect([child.own().costUsd, family.costUsd]).toEqual([null, null]);
  family.countToolCall();
  family.countToolCall();
  expect(child.budget.callsUsedUp()?.message).toBe('The run used its 4 tool calls.');
});

test('children wait for a free place, and their total is limited', async () => {
  const delegations = openDelegations({ name: 'craft', maxDelegations: 3, maxConcurrentDelegations: 1 });
  const { signal } = new AbortController();
  const order: string[] = [];
  const first = await delegations.begin(signal);
  const second = delegations.begin(signal).then((end) => {
    order.push('second');
    return end;
  });
  order.push('first ends');
  first();
  first();
  const end = await second;
  expect([order, delegations.left]).toEqual([['first ends', 'second'], 1]);
  const ended = new AbortController();
  const third = delegations.begin(ended.signal);
  ended.abort(new Error('stopped'));
  await expect(third).rejects.toThrow('stopped');
  end();
  await expect(delegations.begin(signal)).rejects.toMatchObject({
    kind: 'used_up',
    message: 'A run of craft may start 3 other agents, and did. Go on by yourself.',
  });
});

test('a profile that allows no children gives that as the reason', async () => {
  const none = openDelegations({ name: 'quick', maxDelegations: 0, maxConcurrentDelegations: 4 });
  await expect(none.begin(new AbortController().signal)).rejects.toMatchObject({
    message: 'A run of quick may start no other agents. Go on by yourself.',
  });
});
