import { afterEach, expect, test } from 'vitest';
import type { Advert } from '../../src/contract/advert.ts';
import { openTools, type ToolHarness } from './tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

const deferred: readonly Advert[] = [
  { name: 'oracle', description: 'Get a second opinion.', input_schema: { type: 'object', properties: {} } },
  { name: 'insert_text', description: 'Insert lines.', input_schema: { type: 'object', properties: {} } },
];

test('without a query it names what there is, and tells how to call only what was asked for', async () => {
  tools = await openTools({});
  Object.assign(tools.context, { deferredTools: async () => deferred });
  expect([
    await tools.say('tool_search', {}),
    await tools.say('tool_search', { query: 'second opinion' }),
    await tools.say('tool_search', { query: 'images' }),
  ]).toEqual([
    'Search by a name or by what you need. There are: oracle, insert_text.',
    `${JSON.stringify(deferred[0])}\nCall one with use_tool: {"name": "oracle", "args": {…}}.`,
    'No tool fits "images". There are: oracle, insert_text.',
  ]);
});

test('a name that is a word as well does not hide what else fits; names alone find themselves', async () => {
  tools = await openTools({});
  const advert = (name: string, description: string): Advert => ({
    ...{ name, description, input_schema: { type: 'object', properties: {} } },
  });
  const web = [
    advert('fetch', 'Make an HTTP request.'),
    advert('oracle', 'Get a second opinion.'),
    advert('web_fetch', 'Read a page of the web.'),
  ];
  Object.assign(tools.context, { deferredTools: async () => web });
  const found = async (query: string) =>
    (await tools?.call('tool_search', { query }))?.data as { tools: string[] };
  expect([
    await found('fetch a web page'),
    await found('fetch'),
    await found('fetch, oracle'),
    await found('select:fetch'),
  ]).toEqual([
    { tools: ['fetch', 'web_fetch'] },
    { tools: ['fetch'] },
    { tools: ['fetch', 'oracle'] },
    { tools: ['fetch'] },
  ]);
});

test('what fits besides those that are shown is named', async () => {
  tools = await openTools({});
  const many = Array.from({ length: 30 }, (_, index) => ({
    ...{ name: `mcp__memory__n${index}`, description: 'Does it.' },
    input_schema: { type: 'object' },
  }));
  Object.assign(tools.context, { deferredTools: async () => many });
  const lines = (await tools.say('tool_search', { query: 'memory' })).split('\n');
  expect(lines.slice(5)).toEqual([
    `These fit too, searched by name: ${many
      .slice(5, 25)
      .map(({ name }) => name)
      .join(', ')}.`,
    'Call one with use_tool: {"name": "mcp__memory__n0", "args": {…}}.',
  ]);
});
