import { afterEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

/** The permission requested for a call, or the refusal's message. */
async function ask(input: Parameters<ToolHarness['call']>[1]): Promise<unknown> {
  tools ??= await openTools({});
  try {
    return await tools.call('request_permissions', input);
  } catch (error) {
    const words = error instanceof Error ? error.message : '';
    return words.startsWith('{') ? JSON.parse(words) : words;
  }
}

test('tools and call patterns are requested together, in any form', async () => {
  const expected = {
    permissions: [{ tool: 'bash', matches: { command: ['make *', '/^npm/'] } }, { tool: 'edit_file' }],
    reason: 'To build.',
  };
  const matches = { command: ['make *', '/^npm/'] };
  expect([
    await ask({ permissions: [{ tool: 'bash', matches }], tools: ['edit_file'], reason: 'To build.' }),
    await ask({
      permissions: [{ tool: 'bash', matches }, 'edit_file'],
      tools: null,
      justification: 'To build.',
    }),
    await ask({
      permissions: JSON.stringify([{ tool: 'bash', matches }, { tool: 'edit_file' }]),
      reason: 'To build.',
    }),
  ]).toEqual([expected, expected, expected]);
});

test('a request without a tool or reason, or too long to read, is not made', async () => {
  const many = Array.from({ length: 11 }, () => ({ tool: 'bash' }));
  expect([
    await ask({ reason: 'Because.' }),
    await ask({ tools: ['bash'] }),
    await ask({ permissions: many, reason: 'Because.' }),
  ]).toEqual([
    'Name what is to be allowed, in permissions or in tools.',
    expect.stringContaining('reason'),
    expect.stringContaining('permissions'),
  ]);
});
