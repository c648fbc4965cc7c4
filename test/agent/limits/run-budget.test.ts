import { describe, expect, it } from 'vitest';
import { openRunBudget } from '../../../src/agent/limits/run-budget.ts';
import { RunStopped } from '../../../src/contract/errors.ts';

const none = {
  max_turns: null,
  max_tool_calls: null,
  max_tokens: null,
  max_cost_usd: null,
  timeout_seconds: null,
};
const usage = { input: 60, output: 30, cache_read: 10, cache_write: 0 };

function reasonOf(check: () => void): unknown {
  try {
    check();
  } catch (error) {
    if (error instanceof RunStopped) return error.reason;
    throw error;
  }
  return null;
}

describe('the budget of a run', () => {
  const clock = { at: 0 };
  const now = () => new Date(clock.at);

  it('stops nothing without limits', () => {
    const budget = openRunBudget(none, now);
    budget.spend(usage, 99);
    budget.countToolCall();
    expect([reasonOf(() => budget.check()), budget.callsUsedUp()]).toEqual([null, null]);
  });

  it('names the limit that is reached', () => {
    const tokens = openRunBudget({ ...none, max_tokens: 100 }, now);
    tokens.spend(usage, null);
    const cost = openRunBudget({ ...none, max_cost_usd: 0.5 }, now);
    cost.spend(usage, 0.75);
    const time = openRunBudget({ ...none, timeout_seconds: 10 }, now);
    clock.at = 10_000;
    expect([tokens, cost, time].map((budget) => reasonOf(() => budget.check()))).toEqual([
      { kind: 'token_limit', message: 'The run used 100 tokens of the 100 allowed.' },
      { kind: 'cost_limit', message: 'The run cost $0.75 of the $0.50 allowed.' },
      { kind: 'time_limit', message: 'The run took longer than the 10 seconds allowed.' },
    ]);
  });

  it('reports exhausted calls separately, because a run without calls can still answer', () => {
    const budget = openRunBudget({ ...none, max_tool_calls: 1 }, now);
    const before = budget.callsUsedUp();
    budget.countToolCall();
    expect([before, budget.callsUsedUp(), reasonOf(() => budget.check())]).toEqual([
      null,
      { kind: 'tool_call_limit', message: 'The run used its 1 tool calls.' },
      null,
    ]);
  });

  it('starts with the earlier cost of the session', () => {
    const budget = openRunBudget({ ...none, max_cost_usd: 1 }, now, usage, 0.9);
    budget.spend(usage, 0.1);
    expect([budget.costUsd, reasonOf(() => budget.check())]).toEqual([
      1,
      { kind: 'cost_limit', message: 'The run cost $1.00 of the $1.00 allowed.' },
    ]);
  });

  it('ends if a limit in dollars can no longer be enforced', () => {
    const budget = openRunBudget({ ...none, max_cost_usd: 1 }, now);
    budget.spend(usage, null);
    expect(reasonOf(() => budget.check())).toEqual({
      kind: 'cost_limit',
      message: 'What the run cost so far is not known, so its limit of $1.00 cannot be held.',
    });
  });

  it('knows no cost once one price was unknown', () => {
    const budget = openRunBudget(none, now);
    budget.spend(usage, 1);
    budget.spend(usage, null);
    budget.spend(usage, 1);
    expect({ cost: budget.costUsd, usage: budget.usage }).toEqual({
      cost: null,
      usage: { input: 180, output: 90, cache_read: 30, cache_write: 0 },
    });
  });
});
