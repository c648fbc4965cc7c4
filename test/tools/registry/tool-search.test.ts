import { afterEach, expect, test } from 'vitest';
import { findProfile } from '../../../src/agent/profiles/profiles.ts';
import { selectTools } from '../../../src/agent/profiles/select-tools.ts';
import { makeToolSet } from '../../../src/agent/profiles/tool-set.ts';
import type { ToolDefinition } from '../../../src/contract/message.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import { toolDefinition } from '../../../src/tools/registry/json-schema.ts';
import { toolKinds } from '../../../src/tools/registry/tool-kinds.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

const deferred: readonly ToolDefinition[] = [
  { name: 'oracle', description: 'Get a second opinion.', input_schema: { type: 'object', properties: {} } },
  { name: 'insert_text', description: 'Insert lines.', input_schema: { type: 'object', properties: {} } },
];

test('without a query the search names all tools, and it describes only requested ones', async () => {
  tools = await openTools({});
  Object.assign(tools.context, { deferredTools: async () => deferred });
  expect([
    await tools.say('tool_search', {}),
    await tools.say('tool_search', { query: 'second opinion' }),
    await tools.say('tool_search', { query: 'images' }),
  ]).toEqual([
    'Search by a name or by what you need. There are: oracle, insert_text.',
    `${JSON.stringify(deferred[0])}\nCall one with use_tool: {"name": "oracle", "args": {…}}.`,
    'No tool matches "images"; an empty query lists all.',
  ]);
});

test('a name that is also a word does not hide other matches; several names find only themselves', async () => {
  tools = await openTools({});
  const advert = (name: string, description: string): ToolDefinition => ({
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

test('only tools that match are listed, the best first', async () => {
  const expected = [
    ['take a screenshot of the web page', ['view_image', 'look_at']],
    ['search the conversation of the thread', ['chat_search', 'chat_read_messages']],
    ['apply a patch with fuzz', ['patch', 'workspace_apply_patch']],
    ['draw a chart of results', ['chart', 'render']],
    ['start a server', ['shell_session']],
    ['remaining tokens', ['get_context_remaining']],
    // Words that some tools have, but not the one that counts.
    ['read pdf', []],
    ['web search', []],
    ['send an email to the maintainers', []],
    // Words that say nothing, and beginnings of words.
    ['the tool for that', []],
    ['therapy', []],
    ['select:nothing', []],
  ] as const;
  const found: unknown[] = [];
  for (const [query] of expected) found.push([query, await foundIn('craft', query)]);
  expect(found).toEqual(expected);
});

test('further matches are named without description', async () => {
  tools = await openTools({});
  const many = Array.from({ length: 30 }, (_, index) => ({
    ...{ name: `mcp__memory__n${index}`, description: 'Does it.' },
    input_schema: { type: 'object' },
  }));
  Object.assign(tools.context, { deferredTools: async () => many });
  const lines = (await tools.say('tool_search', { query: 'memory' })).split('\n');
  expect(lines.slice(5)).toEqual([
    `These match too, searched by name: ${many
      .slice(5, 25)
      .map(({ name }) => name)
      .join(', ')}.`,
    'Call one with use_tool: {"name": "mcp__memory__n0", "args": {…}}.',
  ]);
});

/** The tools that a run with that profile finds with this query, and what it says of others. */
async function searchIn(profile: string, query: string): Promise<{ tools: string[]; notes: string[] }> {
  tools ??= await openTools({});
  const set = makeToolSet(builtinTools, findProfile(profile), []);
  const adverts = set.tools
    .filter(({ exposure }) => exposure === 'deferred')
    .map((tool) => ({ ...toolDefinition(tool), findBy: tool.findBy }));
  Object.assign(tools.context, { deferredTools: async () => adverts, namedTools: set.named });
  const { content, data } = await tools.call('tool_search', { query });
  const notes = String(content)
    .split('\n')
    .filter((line) => /^(?:This run |Call \w+ by its name)/.test(line));
  return { tools: (data as { tools: string[] }).tools, notes };
}

const foundIn = async (profile: string, query: string) => (await searchIn(profile, query)).tools;

test('a tool is first in the results for each of its search words', async () => {
  tools = await openTools({});
  const missed: unknown[] = [];
  for (const profile of ['craft', 'study', 'quick', 'review']) {
    const there = selectTools(builtinTools, findProfile(profile), []).filter(
      ({ exposure }) => exposure === 'deferred',
    );
    const kinds = toolKinds(builtinTools);
    for (const kind of new Set(Object.values(kinds))) {
      const wanted = there.filter(({ name }) => kinds[name] === kind).map(({ name }) => name);
      const first = (await foundIn(profile, kind)).slice(0, wanted.length);
      if (wanted.some((name) => !first.includes(name.replaceAll('.', '_'))))
        missed.push([profile, kind, wanted, first]);
    }
  }
  expect(missed).toEqual([]);
});

test.each([
  ['craft', 'earlier runs', ['find_thread', 'read_thread']],
  ['craft', 'previous session', ['find_thread', 'read_thread']],
  ['craft', 'what was said in my last conversation', ['find_thread', 'read_thread']],
  ['craft', 'parallel calls', ['batch']],
  ['craft', 'run a command in the background', ['shell_session']],
  ['craft', 'look at a screenshot', ['look_at', 'view_image']],
  ['quick', 'chat.search', []],
  ['quick', 'patch.search', ['patch']],
])('in a run of %s "%s" finds %j first', async (profile, query, names) => {
  tools = await openTools({});
  const found = await foundIn(profile, query);
  expect(names.length === 0 ? found : found.slice(0, names.length).sort()).toEqual(names);
});

const only = (verb: string, tool: string) =>
  `This run has no ${tool}. Say in your answer that a comment \`/anode ${verb}\` starts one that has it.`;

test.each<[profile: string, query: string, tools: string[], notes: string[]]>([
  ['craft', 'fix the title', [], [only('describe', 'describe_pull_request')]],
  ['craft', 'change title of pull request', [], [only('describe', 'describe_pull_request')]],
  ['craft', 'update the PR description', [], [only('describe', 'describe_pull_request')]],
  ['describe', 'fix the title', [], ['Call describe_pull_request by its name.']],
  ['craft', 'label this', [], [only('triage', 'set_labels')]],
  ['craft', 'add a label to the issue', [], [only('triage', 'set_labels')]],
  ['craft', 'ask a person', [], ['Call ask_user by its name.']],
  ['craft', 'ask the maintainers', [], ['Call ask_user by its name.']],
  ['review', 'ask the author', [], ['This run has no ask_user; go on without it.']],
  ['craft', 'open an issue', ['handoff'], []],
  ['craft', 'file a ticket for later', ['handoff'], []],
  ['craft', 'look at a picture', ['look_at', 'view_image'], []],
  ['craft', 'read what people said in the comments', ['chat_search', 'chat_read_messages'], []],
  ['craft', 'keep a process in the background', ['shell_session'], []],
])('in a run of %s the phrase "%s" leads to %j and says %j', async (profile, query, names, notes) => {
  const found = await searchIn(profile, query);
  expect({ ...found, tools: found.tools.slice(0, Math.max(1, names.length)).toSorted() }).toEqual({
    tools: names.toSorted(),
    notes,
  });
});
