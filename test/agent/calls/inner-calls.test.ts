import { describe, expect, it } from 'vitest';
import { onlyReads } from '../../../src/agent/calls/inner-calls.ts';
import { findProfile } from '../../../src/agent/profiles/profiles.ts';
import { makeToolSet } from '../../../src/agent/profiles/tool-set.ts';
import type { Json } from '../../../src/contract/json.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import { allow, entries, freshLedgers, run, started } from '../loop-fixture.ts';

freshLedgers();

const call = (name: string, input: Json) => ({ name, input });

async function say(name: string, input: Json): Promise<{ text: string; isError: boolean }> {
  const { messages } = await run([{ calls: [call(name, input)] }, { text: 'done' }]);
  const part = messages[2]?.parts[0];
  if (part?.type !== 'tool_result') throw new Error('there is no result');
  const text = part.content.map((one) => (one.type === 'text' ? one.text : '[image]')).join('\n');
  return { text, isError: part.is_error };
}

describe('a batch', () => {
  it('answers every call separately, including a failing one', async () => {
    const calls = [
      { tool: 'read', args: { path: 'a' } },
      { tool: 'grep', args: {} },
      { tool: 'nothing', args: {} },
    ];
    expect(await say('batch', { calls })).toEqual({
      text: [
        '===== 1. read =====\nread done',
        '===== 2. grep [error] =====\nThere is no such file.',
        '===== 3. nothing [error] =====\nThere is no tool "nothing" in this run. Tools: read, grep, edit_file, bash, ask_user, tool_search, use_tool and what tool_search finds.',
      ].join('\n'),
      isError: false,
    });
    expect(
      entries('tool.call')
        .map((entry) => [entry.call_id, entry.tool])
        .sort(),
    ).toEqual([
      ['call_1_0', 'batch'],
      ['call_1_0.1', 'read'],
      ['call_1_0.2', 'grep'],
      ['call_1_0.3', 'nothing'],
    ]);
  });

  it('reports ignored arguments also for a failed call, since they may be the cause', async () => {
    const reply = '[Ignored: folder. grep takes: path.]\nThere is no such file.';
    expect(await say('grep', { folder: 'x' })).toEqual({ text: reply, isError: true });
  });

  it('runs in order and alone as soon as one of its calls changes something', async () => {
    const written = { calls: ['a', 'b'].map((path) => ({ tool: 'edit_file', args: { path } })) };
    await run([{ calls: [call('batch', written), call('read', { path: 'c' })] }, { text: 'done' }]);
    expect(started).toEqual(['edit_file a', 'edit_file b', 'read c']);
  });

  it('evaluates each of its calls', async () => {
    await run([{ calls: [call('batch', { calls: [{ tool: 'edit_file', args: {} }] })] }, { text: 'done' }], {
      gate: async ({ tool }) =>
        tool.name === 'edit_file' ? { ...allow, action: 'reject', reason: 'No writing.' } : allow,
    });
    expect(started).toEqual([]);
    expect(entries('refusal').map((entry) => [entry.refusal.tool, entry.refusal.reason])).toEqual([
      ['edit_file', 'No writing.'],
    ]);
  });

  it('accepts the format of other harnesses', async () => {
    await say('multi_tool_use.parallel', {
      tool_uses: [{ recipient_name: 'functions.read', parameters: { path: 'b' } }],
    });
    expect(started).toEqual(['read b']);
  });

  it.each(['ask_user', 'batch'])('refuses %s inside before any call runs', async (tool) => {
    expect(await say('batch', { calls: [{ tool: 'edit_file' }, { tool }] })).toEqual({
      text: `${tool} cannot be called inside a batch. Call it by itself.`,
      isError: true,
    });
    expect(started).toEqual([]);
  });

  it.each(['ask_user', 'batch'])('refuses %s inside through use_tool too', async (tool) => {
    expect(await say('batch', { calls: [{ tool: 'use_tool', args: { name: tool } }] })).toEqual({
      text: `${tool} cannot be called inside a batch. Call it by itself.`,
      isError: true,
    });
  });
});

describe('a deferred tool', () => {
  it('is found by its words, with its schema and how to call it', async () => {
    expect(await say('tool_search', { query: 'insert a line' })).toEqual({
      text: [
        '{"name":"insert_text","description":"Insert lines.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}',
        'Call one with use_tool: {"name": "insert_text", "args": {…}}.',
      ].join('\n'),
      isError: false,
    });
  });

  it('is named when no tool matches', async () => {
    expect((await say('tool_search', { query: 'coffee' })).text).toBe(
      'No tool matches "coffee"; an empty query lists all.',
    );
  });

  it('is called through use_tool and recorded under its own name', async () => {
    expect(await say('use_tool', { name: 'insert_text', args: { path: 'a' } })).toEqual({
      text: 'insert_text done',
      isError: false,
    });
    expect(entries('tool.call').map((entry) => [entry.tool, entry.input])).toEqual([
      ['insert_text', { path: 'a' }],
    ]);
  });

  it('keeps its position in the order of changing calls', async () => {
    await run([
      {
        calls: [call('use_tool', { name: 'insert_text', args: { path: 'a' } }), call('read', { path: 'b' })],
      },
      { text: 'done' },
    ]);
    expect(started).toEqual(['insert_text a', 'read b']);
  });

  it('is refused if the run does not have it', async () => {
    expect((await say('use_tool', { name: 'secret_tool', args: {} })).isError).toBe(true);
    expect(started).toEqual([]);
  });
});

it('children that only read run in parallel, and other calls whose level depends on input run in order', () => {
  const tools = makeToolSet(builtinTools, findProfile('craft'), []);
  const calls: readonly (readonly [string, Json])[] = [
    ['task', { goal: 'x', read_only: 'true' }],
    ['task', { goal: 'x' }],
    ['task', { goal: 'x', profile: 'explore' }],
    ['task', {}],
    ['bash', { command: 'ls' }],
    ['oracle', { question: 'x' }],
  ];
  expect(
    calls.map(([name, input]) =>
      onlyReads(
        { type: 'tool_call', id: 'a', name, input },
        { tools, childOnlyReads: (profile) => profile === 'find' },
      ),
    ),
  ).toEqual([true, false, true, true, false, true]);
});
