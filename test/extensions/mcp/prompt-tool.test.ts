import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import type { McpServer } from '../../../src/extensions/mcp/mcp-server.ts';
import type { ServerTerms } from '../../../src/extensions/mcp/mcp-tool.ts';
import { promptTool } from '../../../src/extensions/mcp/prompt-tool.ts';
import { resourceTools } from '../../../src/extensions/mcp/resource-tools.ts';
import type { Tool, ToolContext } from '../../../src/tools/tool.ts';

type Answer = JsonObject | Error;

/** A server that answers each method by its pages, in turn; the last one repeats. */
function played(answers: Readonly<Record<string, Answer | readonly Answer[]>>) {
  const asked: unknown[] = [];
  const times: Record<string, number> = {};
  const server = {
    name: 'docs',
    async ask(method: string, params: JsonObject) {
      asked.push([method, params]);
      const given = answers[method] ?? {};
      const pages = (Array.isArray(given) ? given : [given]) as readonly Answer[];
      const at = times[method] ?? 0;
      times[method] = at + 1;
      const page = pages[Math.min(at, pages.length - 1)] as Answer;
      if (page instanceof Error) throw page;
      return page;
    },
  } as unknown as McpServer;
  const terms = (more: Partial<ServerTerms> = {}): ServerTerms => ({
    ...{ trusted: true, confined: true, outside: false },
    hide: (text) => text.replaceAll('s3cret', '[hidden]'),
    refreshed: async () => undefined,
    introduce: () => null,
    ...more,
  });
  const controller = new AbortController();
  const say = async (tool: Tool, input: JsonObject) => {
    try {
      const context = { onlyReads: true, signal: controller.signal } as unknown as ToolContext;
      return (await tool.execute(tool.input.parse(input), context, undefined)).content;
    } catch (error) {
      return `${(error as ToolError).kind ?? (error as Error).name}: ${(error as Error).message}`;
    }
  };
  const [list, read] = resourceTools(server, terms()) as readonly [Tool, Tool];
  return { asked, server, terms, list, read, prompts: promptTool(server, terms()), say, controller };
}
const text = (words: string) => ({ type: 'text', text: words });

describe('the tools of a server', () => {
  test('are named after it and have the level of its rights', () => {
    const { server, terms } = played({});
    const displayed = (more: Partial<ServerTerms>) =>
      [promptTool(server, terms(more)), ...resourceTools(server, terms(more))].map(
        ({ name, exposure, level, readOnly }) => [name, exposure, level, readOnly],
      );
    const names = ['get_prompt', 'list_resources', 'read_resource'].map((name) => `mcp__docs__${name}`);
    expect([displayed({}), displayed({ confined: false, trusted: false })]).toEqual([
      names.map((name) => [name, 'deferred', 'auto_read', true]),
      names.map((name) => [name, 'deferred', 'confirm_execute', false]),
    ]);
    const { prompts, list, read } = played({});
    const what = (tool: Tool, input: JsonObject) => tool.targets(tool.input.parse(input)).what;
    expect([
      what(prompts, {}),
      what(prompts, { name: 'p' }),
      what(list, {}),
      what(list, { cursor: 'c' }),
      what(read, { uri: 'doc:a' }),
    ]).toEqual(['all prompts', 'p', 'resources', 'resources from c', 'doc:a']);
  });
});

describe('prompts', () => {
  const listed = (prompts: Json, more: JsonObject = {}): JsonObject => ({ prompts, ...more });

  test('are listed with their arguments page by page', async () => {
    const { prompts, say, asked } = played({
      'prompts/list': [
        listed(
          [
            { name: 'fix', title: 'T', description: 'Mends\nit s3cret', arguments: 'none' },
            { name: 'plan', title: 'A plan' },
            'no prompt',
          ],
          { nextCursor: 'b' },
        ),
        listed([
          {
            name: 'ask',
            arguments: [
              { name: 'q', required: true, description: 'what' },
              { name: 'n', required: 'yes' },
              3,
            ],
          },
        ]),
      ],
    });
    expect(await say(prompts, {})).toBe(
      'fix: Mends it [hidden]\nplan: A plan\nask: \n  q (required): what\n  n',
    );
    expect(asked).toEqual([
      ['prompts/list', {}],
      ['prompts/list', { cursor: 'b' }],
    ]);
  });

  test.each([
    [listed([]), '(none)'],
    [{}, '(none)'],
    // A page that names itself as the next is the last.
    [[listed([{ name: 'a' }], { nextCursor: 'x' })], 'a: \na: '],
    [[listed([{ name: 'a' }], { nextCursor: '' })], 'a: '],
    [
      [listed([{ name: 'a', arguments: new Array<Json>(52).fill({ name: 'x' }) }])],
      `a: ${'\n  x'.repeat(50)}\n  [2 more arguments]`,
    ],
    [
      [listed([{ name: 'a', arguments: new Array<Json>(50).fill({ name: 'x' }) }])],
      `a: ${'\n  x'.repeat(50)}`,
    ],
  ])('are listed: %#', async (answer, words) => {
    const { prompts, say } = played({ 'prompts/list': answer as Answer });
    expect(await say(prompts, {})).toBe(words);
  });

  const more = '[there are more prompts than are listed; one that you know by its name can be had by it]';
  test('are listed from at most twenty pages, in 200,000 characters', async () => {
    const pages = Array.from({ length: 30 }, (_, index) =>
      listed([{ name: `p${index}` }], { nextCursor: `${index}` }),
    );
    const { prompts, say, asked } = played({ 'prompts/list': pages });
    expect(await say(prompts, {})).toBe(
      [...pages.slice(0, 20).map((_, index) => `p${index}: `), more].join('\n'),
    );
    expect(asked.length).toBe(20);
    // Each line has 99 letters, a colon, a space and its newline: 102.
    const lines = (count: number) => new Array<Json>(count).fill({ name: 'n'.repeat(99) });
    const long = async (count: number) =>
      String(await say(played({ 'prompts/list': listed(lines(count)) }).prompts, {})).split('\n');
    expect([(await long(1960)).length, (await long(1961)).length, (await long(1961)).at(-1)]).toEqual([
      1960,
      1961,
      more,
    ]);
  });

  test('are filled in, with the roles if there are several', async () => {
    const message = (role: string, content: Json) => ({ role, content });
    const { prompts, say, asked } = played({
      'prompts/get': [
        { messages: [message('user', text('Do s3cret.'))] },
        {
          messages: [
            message('user', text('One.')),
            3,
            message('assistant', text('Two.')),
            message('user', null),
          ],
        },
        { messages: [] },
        { messages: 'none' },
        { messages: new Array<Json>(101).fill(message('user', text('x'))) },
      ],
    });
    expect([
      await say(prompts, { name: 'fix' }),
      await say(prompts, { name: 'fix', arguments: { q: '1' } }),
      await say(prompts, { name: 'fix' }),
      await say(prompts, { name: 'fix' }),
      (await say(prompts, { name: 'fix' })).length,
    ]).toEqual([
      [text('Do [hidden].')],
      [text('[user]'), text('One.'), text('[assistant]'), text('Two.'), text('[user]')],
      '(an empty prompt)',
      '(an empty prompt)',
      200,
    ]);
    expect(asked.slice(0, 2)).toEqual([
      ['prompts/get', { name: 'fix' }],
      ['prompts/get', { name: 'fix', arguments: { q: '1' } }],
    ]);
  });
});

describe('resources', () => {
  const items = [
    { uri: 'doc:a', title: 'A', name: 'a', description: 'About s3cret', mimeType: 'text/plain' },
    { uri: 'doc:b', name: 'b' },
    'no resource',
  ];

  test('are listed with their address templates and the next page', async () => {
    const { list, say, asked } = played({
      'resources/list': [{ resources: items, nextCursor: 'n"2' }, { resources: [] }],
      'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'doc:{x}', name: 't' }] },
    });
    expect([await say(list, {}), await say(list, { cursor: 'n"2' })]).toEqual([
      'doc:a: A, About [hidden], text/plain\ndoc:b: b\nTemplates of addresses, to be filled in:\ndoc:{x}: t\n[more: cursor "n\\"2"]',
      '(none)',
    ]);
    expect(asked).toEqual([
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/list', { cursor: 'n"2' }],
    ]);
  });

  test('are listed even without templates, except after an abort or our own error', async () => {
    const without = (failure: Error) =>
      played({ 'resources/list': { resources: items }, 'resources/templates/list': failure });
    const refused = without(new ToolError('failed', 'no such method'));
    expect(await refused.say(refused.list, {})).toBe('doc:a: A, About [hidden], text/plain\ndoc:b: b');
    const broken = without(new TypeError('ours'));
    expect(await broken.say(broken.list, {})).toBe('TypeError: ours');
    refused.controller.abort(new Error('stopped'));
    expect(await refused.say(refused.list, {})).toBe('Error: stopped');
  });

  test('are read by their addresses', async () => {
    const { read, say, asked } = played({
      'resources/read': [
        { contents: [{ uri: 'doc:a', text: 'one s3cret' }, 3, { uri: 'doc:a', text: 'two' }] },
        { contents: [] },
        {},
        { contents: new Array<Json>(201).fill({ uri: 'doc:a', text: 'x' }) },
      ],
    });
    const displayedText = JSON.stringify(await say(read, { uri: 'doc:a' }));
    expect([displayedText.includes('one [hidden]'), displayedText.includes('two')]).toEqual([true, true]);
    const nothing = 'not_found: The MCP server docs gave nothing for doc:a.';
    expect([await say(read, { uri: 'doc:a' }), await say(read, { uri: 'doc:a' })]).toEqual([
      nothing,
      nothing,
    ]);
    expect((await say(read, { uri: 'doc:a' })).length).toBe(200);
    expect(asked[0]).toEqual(['resources/read', { uri: 'doc:a' }]);
  });
});
