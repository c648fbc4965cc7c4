import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ToolError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { McpServer } from '../../../src/extensions/mcp/mcp-server.ts';
import { mcpTool, type ServerTerms } from '../../../src/extensions/mcp/mcp-tool.ts';
import type { DeclaredMcpTool } from '../../../src/extensions/mcp/read-declared.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';

/** One call of a tool of a server that answers by method; `done` tells in which order what happened. */
async function call(
  answers: Readonly<Record<string, JsonObject | Error>>,
  {
    declared = {},
    terms = {},
    onlyReads = false,
  }: {
    declared?: Partial<DeclaredMcpTool>;
    terms?: Partial<ServerTerms>;
    onlyReads?: boolean;
  } = {},
) {
  const done: unknown[] = [];
  const server = {
    name: 's',
    async ask(method: string, params: JsonObject) {
      done.push([method, params]);
      const answer = answers[method];
      if (answer instanceof Error) throw answer;
      return answer ?? {};
    },
  } as unknown as McpServer;
  const tool = mcpTool(
    server,
    {
      ...{ name: 'mcp__s__work', given: 'work', description: 'Works.', claimsToRead: false, asTask: false },
      schema: { input: z.record(z.string(), z.json()), shown: { type: 'object' } },
      ...declared,
    } as DeclaredMcpTool,
    {
      ...{
        trusted: false,
        confined: false,
        outside: false,
        hide: (text) => text.replaceAll('s3cret', '[hidden]'),
      },
      refreshed: async () => {
        done.push('settled');
      },
      introduce: () => null,
      ...terms,
    },
  );
  const context = {
    ...{ onlyReads, callId: 'c', signal: new AbortController().signal, record: () => undefined },
    workspace: {
      changes: {
        observe: async ({ tool: by }: { tool: string }) => {
          done.push(`looked after ${by}`);
          return [];
        },
      },
    },
  } as unknown as ToolContext;
  const said = await tool
    .execute(tool.input.parse({ q: 1 }), context, undefined)
    .catch((error: ToolError) => `${error.kind}: ${error.message}`);
  return { said, done, tool };
}
const text = (words: string) => ({ type: 'text', text: words });
const result = { content: [text('Made s3cret.')] };
const looked = 'looked after mcp__s__work';

describe('a tool of a server', () => {
  test('has its declaration, and the level of its effects', async () => {
    const { tool } = await call({});
    const { name, description, exposure, schema, level, readOnly } = tool;
    expect({ name, description, exposure, schema, level, readOnly }).toEqual({
      ...{ name: 'mcp__s__work', description: 'Works.', exposure: 'deferred', schema: { type: 'object' } },
      ...{ level: 'confirm_execute', readOnly: false },
    });
    expect(tool.targets({ q: 1 })).toEqual({ what: 'work {"q":1}' });
    const believed = await call({}, { declared: { claimsToRead: true }, terms: { trusted: true } });
    expect([believed.tool.level, believed.tool.readOnly]).toEqual(['auto_read', true]);
  });

  test("is called by the server's name for it, and its changes are recorded", async () => {
    expect(await call({ 'tools/call': result })).toMatchObject({
      said: { content: 'Made [hidden].' },
      done: [['tools/call', { name: 'work', arguments: { q: 1 } }], looked, 'settled'],
    });
  });

  test.each([
    [{ terms: { confined: true } }],
    [{ onlyReads: true }],
  ])('that can change nothing is not checked for changes: %j', async (options) => {
    expect((await call({ 'tools/call': result }, options)).done.slice(1)).toEqual(['settled']);
  });

  test('that fails is also checked for changes', async () => {
    expect(await call({ 'tools/call': new ToolError('timeout', 'late') })).toMatchObject({
      said: 'timeout: late',
      done: [expect.anything(), looked, 'settled'],
    });
  });

  test("displays the server's instructions once, below the answer", async () => {
    const terms = { introduce: () => 'Use it well.' };
    expect((await call({ 'tools/call': result }, { terms })).said).toMatchObject({
      content: [text('Made [hidden].'), text('Use it well.')],
    });
    const several = { content: [text('a'), text('b')] };
    expect((await call({ 'tools/call': several }, { terms })).said).toMatchObject({
      content: [text('a'), text('b'), text('Use it well.')],
    });
  });
});

describe('a tool that works as a task', () => {
  const declared = { asTask: true };
  const started = { task: { taskId: 't1' } };
  const requested = ['tools/call', { name: 'work', arguments: { q: 1 }, task: {} }];
  const steps = ({ done }: { done: unknown[] }) => done.filter((one) => Array.isArray(one));

  test('is started, and its result awaited', async () => {
    const called = await call({ 'tools/call': started, 'tasks/result': result }, { declared });
    expect([called.said, steps(called)]).toEqual([
      { content: 'Made [hidden].' },
      [requested, ['tasks/result', { taskId: 't1' }]],
    ]);
  });

  test.each([
    [{}],
    [{ task: 't1' }],
    [{ task: { taskId: 3 } }],
  ])('has no result if none started: %j', async (answer) => {
    const called = await call({ 'tools/call': answer as JsonObject }, { declared });
    expect([called.said, steps(called)]).toEqual([
      'failed: The MCP server started no task for this call, so there is no result.',
      [requested],
    ]);
  });

  test('is cancelled only when no one waits for it any longer', async () => {
    const late = { 'tools/call': started, 'tasks/result': new ToolError('timeout', 'late') };
    const failed = { 'tools/call': started, 'tasks/result': new ToolError('failed', 'broken') };
    const cancel = ['tasks/cancel', { taskId: 't1' }];
    const [one, two, three] = [
      await call(late, { declared }),
      await call({ ...late, 'tasks/cancel': new ToolError('failed', 'too late') }, { declared }),
      await call(failed, { declared }),
    ];
    expect([
      one.said,
      steps(one).at(-1),
      two.said,
      steps(two).at(-1),
      three.said,
      steps(three).length,
    ]).toEqual([...['timeout: late', cancel, 'timeout: late', cancel], ...['failed: broken', 2]]);
  });
});
