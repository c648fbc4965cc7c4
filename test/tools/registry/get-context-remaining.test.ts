import { expect, test } from 'vitest';
import type { ToolError } from '../../../src/contract/errors.ts';
import { getContextRemaining } from '../../../src/tools/registry/get-context-remaining.ts';
import type { ContextSize, ToolContext } from '../../../src/tools/tool.ts';

const look = (size: Partial<ContextSize> | null) => {
  const whole = { window: 1_000, used: 254, full: 800, recent: 100, older: 50, ...size };
  const conversation = { size: () => whole, left: () => ['3 of 40 tool calls', '$1'] };
  const context = { conversation: size === null ? null : conversation } as unknown as ToolContext;
  return getContextRemaining
    .execute({}, context, undefined)
    .catch((error: ToolError) => `${error.kind}: ${error.message}`);
};
const limits = ['3 of 40 tool calls', '$1'];

test.each([
  [
    {},
    '254 of 1000 tokens used (25 %), 746 left. Above 800 tokens the turns before the newest 100 tokens are summarised.',
    { used: 254, remaining: 746, full: 800 },
  ],
  [
    { used: 255, full: null },
    '255 of 1000 tokens used (26 %), 745 left. When it is full, the results of the oldest calls make room.',
    { used: 255, remaining: 745, full: null },
  ],
  [
    { used: 1_001 },
    '1001 of 1000 tokens used (100 %), 0 left. Above 800 tokens the turns before the newest 100 tokens are summarised.',
    { used: 1_001, remaining: 0, full: 800 },
  ],
])('%j', async (size, line, data) => {
  expect(await look(size)).toEqual({
    content: `${line}\nLeft of this run: 3 of 40 tool calls, $1.`,
    data: { window: 1_000, recent: 100, limits, ...data },
  });
});

test('a direct call belongs to no conversation', async () => {
  expect(await look(null)).toBe('unavailable: This call is part of no conversation.');
});
