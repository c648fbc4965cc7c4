import { afterEach, expect, test } from 'vitest';
import type { ConversationPort } from '../../src/tools/tool.ts';
import { openTools, type ToolHarness } from './tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

/** A conversation with this number of tokens, and the requests made for it. */
function conversation(used: number, full: number | null = 170_000) {
  const asked: (string | null)[] = [];
  const port: ConversationPort = {
    size: () => ({ window: 200_000, used, full, recent: 20_000, older: Math.max(0, used - 20_500) }),
    left: () => ['7 of 20 turns', '900 of 1800 seconds'],
    msLeft: () => 900_000,
    recentText: () => '',
    compact: (instructions) => asked.push(instructions),
  };
  return { asked, port };
}

test("get_context_remaining reports the context's usage, the next summary and the other limits", async () => {
  tools = await openTools({}, { conversation: conversation(52_300).port });
  expect(await tools.call('get_context_remaining', {})).toEqual({
    content:
      '52300 of 200000 tokens used (26 %), 147700 left. Above 170000 tokens the turns before the newest 20000 tokens are summarised.\nLeft of this run: 7 of 20 turns, 900 of 1800 seconds.',
    data: {
      window: 200_000,
      used: 52_300,
      remaining: 147_700,
      full: 170_000,
      recent: 20_000,
      limits: ['7 of 20 turns', '900 of 1800 seconds'],
    },
  });
});

test('get_context_remaining reports the consequence if summaries are off', async () => {
  tools = await openTools({}, { conversation: conversation(52_300, null).port });
  expect(await tools.say('context_remaining', {})).toContain('the results of the oldest calls make room.');
});

test('compact requests a summary before the next step, with a focus', async () => {
  const { asked, port } = conversation(52_300);
  tools = await openTools({}, { conversation: port });
  expect(await tools.call('compact', { focus: 'the API' })).toEqual({
    content: 'The turns before the newest 20000 tokens are summarised before your next step.',
    data: { used_tokens: 52_300 },
  });
  await tools.call('compact', {});
  expect(asked).toEqual(['the API', null]);
});

test('compact is refused if nothing can be gained, and both tools without a conversation', async () => {
  const { asked, port } = conversation(21_000);
  tools = await openTools({}, { conversation: port });
  expect(await tools.say('compact', {})).toMatch(/^nothing_to_do: The conversation has 21000 tokens/);
  expect(asked).toEqual([]);
  await tools.close();
  tools = await openTools({});
  expect([await tools.say('compact', {}), await tools.say('get_context_remaining', {})]).toEqual([
    'unavailable: This call is part of no conversation.',
    'unavailable: This call is part of no conversation.',
  ]);
});
