import { expect, test } from 'vitest';
import type { ToolError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { agentList } from '../../../src/tools/children/agent-list.ts';
import type { AgentKind } from '../../../src/tools/services/children.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';

const kind = (id: string, more: Partial<AgentKind> = {}): AgentKind => ({
  ...{ id, description: `Does ${id}`, readOnly: false, maxTurns: 5, maxCalls: null },
  ...more,
});
async function list(agents: readonly AgentKind[] | null, input: JsonObject = {}) {
  const context = { ...(agents === null ? {} : { children: { kinds: async () => agents } }) };
  try {
    return await agentList.execute(
      agentList.input.parse(input),
      context as unknown as ToolContext,
      undefined,
    );
  } catch (error) {
    return `${(error as ToolError).kind}: ${(error as Error).message}`;
  }
}
const [find, write] = [kind('find', { readOnly: true, maxCalls: 9 }), kind('write')];

test.each([
  [
    {},
    [find, write],
    'find: Does find. At most 5 rounds, 9 tool calls; changes nothing.\nwrite: Does write. At most 5 rounds.',
    2,
  ],
  [{ query: 'WRITE' }, [write], 'write: Does write. At most 5 rounds.', 1],
  [{ query: 'does f' }, [find], 'find: Does find. At most 5 rounds, 9 tool calls; changes nothing.', 1],
  [
    { purpose: 'delegate', limit: 1 },
    [find],
    'find: Does find. At most 5 rounds, 9 tool calls; changes nothing.\n[1 more, each shown by a query for its name: write]',
    2,
  ],
  [{ query: 'zz' }, [], 'This run may start no agent for "zz".', 0],
])('%j lists the matching agents', async (input, agents, content, total) => {
  expect(await list([find, write], input as JsonObject)).toEqual({ content, data: { agents, total } });
});

test('eight agents are described, and forty more are named', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => kind(`a${index}`));
  const last = async (count: number) =>
    String(((await list(many(count))) as { content: string }).content)
      .split('\n')
      .slice(8);
  const named = (count: number) => Array.from({ length: count }, (_, index) => `a${index + 8}`).join(', ');
  expect([await last(8), await last(48), await last(49)]).toEqual([
    [],
    [`[40 more, each shown by a query for its name: ${named(40)}]`],
    [`[41 more, each shown by a query for its name: ${named(40)}, …]`],
  ]);
});

test('no agent takes over permanently, and a child cannot list agents', async () => {
  expect([await list([find], { purpose: 'handoff' }), await list([]), await list(null)]).toEqual([
    {
      content:
        'No agent takes over permanently. agent_delegate gives one a task; handoff passes work to a person or a later run.',
      data: { agents: [], total: 0 },
    },
    { content: 'This run may start no agents.', data: { agents: [], total: 0 } },
    'unavailable: A child run cannot start or see other children. Do the work yourself and return what you have.',
  ]);
  const what = (input: JsonObject) => agentList.targets(agentList.input.parse(input)).what;
  expect([what({}), what({ query: 'q' }), what({ purpose: 'delegate' })]).toEqual(['any', 'q', 'delegate']);
});
