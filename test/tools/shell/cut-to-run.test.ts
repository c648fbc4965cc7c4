import { afterEach, expect, test } from 'vitest';
import { cutToRun } from '../../../src/tools/shell/bash.ts';
import type { ConversationPort } from '../../../src/tools/tool.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

const withLeft = (ms: number | null): ConversationPort => ({
  size: () => ({ window: 1, used: 1, full: null, recent: 1, older: 0 }),
  left: () => [],
  msLeft: () => ms,
  recentText: () => '',
  compact: () => undefined,
});

test.each([
  [null, 30_000, null],
  [100_000, 30_000, null],
  [100_000, 120_000, 90_000],
  [12_000, 30_000, 10_000],
  [4_000, 20_000, 2_000],
  [3_000, 20_000, 1_500],
  [0, 20_000, 1],
])('with %s ms left in a run, a command of %s ms gets %s', (left, requested, given) => {
  expect(cutToRun(requested, { conversation: withLeft(left) })).toBe(given);
});

test('outside a run nothing is cut', () => {
  expect([cutToRun(9, {}), cutToRun(9, { conversation: null })]).toEqual([null, null]);
});

test("a command longer than its run is stopped before the run's end, with the reason", async () => {
  tools = await openTools({}, { conversation: withLeft(400) });
  expect(await tools.say('bash', { command: 'echo started; sleep 60', timeout_ms: 50_000 })).toBe(
    "timeout: The command was stopped after 200 ms: the run's time is nearly over. Answer with what there is now. Its output until then:\nstarted\n",
  );
});
