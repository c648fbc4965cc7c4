import { afterEach, expect, test } from 'vitest';
import { earlierUsage } from '../../../src/agent/limits/run-budget.ts';
import { type Family, runRunTree } from '../run-tree-fixture.ts';

let family: Family | undefined;
afterEach(() => family?.tools.close());

const usage = (input: number) => ({ input, output: 0, cache_read: 0, cache_write: 0 });
const part = { turns: 3, usage: usage(100), tool_calls: 4, cost_usd: 0.5, duration_ms: 2_000 };
const whole = { turns: 3, tool_calls: 4, usage: usage(100), cost_usd: 0.5, duration_ms: 2_000 };
const nothing = { turns: 0, tool_calls: 0, usage: usage(0), cost_usd: 0, duration_ms: 0 };

test("limits count a session's earlier usage, except for what a limit stopped", () => {
  const waiting = earlierUsage(part, () => 9);
  expect(waiting).toEqual({
    whole,
    uncounted: nothing,
    counted: { turns: 3, usage: usage(100), cost_usd: 0.5 },
  });
  const stopped = earlierUsage({ ...part, stopped: 'The run used its 3 turns.' }, () => 9);
  expect(stopped).toEqual({
    whole,
    uncounted: whole,
    counted: { turns: 0, usage: usage(0), cost_usd: 0 },
  });
  // A part that went on after a limit and asked something then.
  const requested = { ...part, turns: 5, usage: usage(130), cost_usd: 0.75, uncounted: whole };
  expect(earlierUsage(requested, () => 9).counted).toEqual({ turns: 2, usage: usage(30), cost_usd: 0.25 });
});

test('figures missing in older sessions are requested or count as zero', () => {
  const { turns, usage: used } = part;
  const old = earlierUsage({ turns, usage: used }, ({ input }) => input / 100);
  expect(old.whole).toEqual({ turns: 3, usage: used, tool_calls: 0, duration_ms: 0, cost_usd: 1 });
  const free = earlierUsage({ turns, usage: used, stopped: 'x' }, () => null);
  expect([free.whole.cost_usd, free.counted.cost_usd]).toEqual([null, 0]);
});

test('a resumed run reports the figures of the whole session, and its limits start as configured', async () => {
  const figures = async (before: NonNullable<Parameters<typeof runRunTree>[1]>['before']) => {
    family = await runRunTree({ main: [{ text: 'done' }] }, { before: { ...part, ...before } });
    const { turns, usage: used, costUsd } = family.result;
    const [started] = family.entries;
    await family.tools.close();
    return { turns, tokens: used.input, costUsd, most: started?.type === 'run.started' && started.max_turns };
  };
  const session = { turns: 4, tokens: 110, costUsd: 0.51 };
  expect(await figures({})).toEqual({ ...session, most: 37 });
  expect(await figures({ stopped: 'The run used its 3 turns.' })).toEqual({ ...session, most: 40 });
});
