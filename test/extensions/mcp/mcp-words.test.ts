import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { png } from '../../support/images.ts';
import { again, dying, isCall, playedCalls } from './played-calls.ts';
import { scripted, tool } from './scripted-server.ts';

const { say, play } = playedCalls();
const signal = new AbortController().signal;

describe('the text of an MCP server', () => {
  test('contains none of its variables, whether it fails, refuses or dies', async () => {
    let calls = 0;
    const hide = (text: string) => text.replaceAll('s3cret', '[redacted]');
    const played = await play(
      (message, stage) => {
        if (!isCall(message)) return undefined;
        calls += 1;
        if (calls === 1) stage.refuse(-32_602, 'MCP error -32602: bad s3cret');
        else stage.end(1, 's3cret');
        return true;
      },
      2,
      { terms: { hide } },
    );
    const ended = 'The MCP server played ended with exit code 1; it had said: [redacted]';
    expect(played).toEqual({
      said: [
        'invalid_input: The MCP server played refused this with an error (-32602): bad [redacted]',
        `unavailable: ${dying(ended)}. ${again}`,
      ],
      problems: [],
      warnings: [`${ended}. The next call restarts it.`],
      changed: [],
    });
  });

  test('contains no part of a variable where it is cut: in errors, lists and instructions', async () => {
    const hide = (text: string) => text.replaceAll('s3cret-value', '[redacted]');
    // The secret begins within the bound of what is shown, and ends beyond it.
    const upTo = (bound: number) => `${'x'.repeat(bound - 4)}s3cret-value`;
    const params = { protocolVersion: '2025-06-18', serverInfo: { name: 'played', version: '1' } };
    const { source, warnings } = scripted(
      (message, stage) => {
        const { method } = message;
        const { name } = (message.params ?? {}) as JsonObject;
        if (method === 'initialize')
          stage.answer({
            ...params,
            capabilities: { tools: {}, prompts: {}, resources: {} },
            instructions: upTo(2_000),
          });
        else if (method === 'tools/list')
          stage.answer({
            tools: [
              ...[tool('work', { description: upTo(4_000) }), tool('refuse'), tool('link'), tool('end')],
              tool('§'.repeat(76).concat('s3cret-value'), { inputSchema: 1 }),
              ...[tool('s3cret-value ä'), tool('s3cret-value ö')],
            ],
          });
        else if (method === 'prompts/list') stage.answer({ prompts: [{ name: upTo(300) }] });
        else if (method === 'resources/list') stage.answer({ resources: [{ uri: upTo(2_000), name: 'r' }] });
        else if (name === 'refuse') stage.refuse(-32_602, upTo(2_000));
        else if (name === 'link')
          stage.answer({ content: [{ type: 'resource_link', uri: upTo(300), name: upTo(300) }] });
        else if (name === 'end') {
          stage.print(`${upTo(200)}\n`);
          stage.end(1, `s3cret-value${'x'.repeat(992)}`);
        } else return undefined;
        return true;
      },
      { terms: { hide } },
    );
    const { tools, problems } = await source.load(signal);
    const reply = [];
    for (const name of ['work', 'refuse', 'link', 'get_prompt', 'list_resources', 'end'])
      reply.push(await say(tools, name));
    await source.close();
    const short = (text: unknown) =>
      String(text)
        .replaceAll(/x{20,}/g, 'x…')
        .replaceAll('§', '');
    const ended = 'ended with exit code 1; it had said: edacted]x…';
    expect([tools[0]?.description, ...problems, ...reply.flat(), ...warnings].map(short)).toEqual([
      'x…[red',
      'The MCP server played declares a tool "[red" whose input schema is not an object; it is left out.',
      'The MCP server played has two tools whose name is mcp__played__[redacted]_ here, "[redacted] ä" and "[redacted] ö"; the second is left out.',
      'worked',
      '[instructions of the MCP server played: x…[red]',
      'invalid_input: The MCP server played refused this with an error (-32602): x…[red',
      '[resource x…[re…: x…[re…]',
      'x…[re…: ',
      'x…[re…: r',
      `unavailable: During this call the MCP server played ${ended}. ${again}`,
      `The MCP server played ${ended}. The next call restarts it.`,
      'The MCP server played prints text that is no protocol message and is ignored: "x…[red".',
    ]);
  });

  test('is not requested for more tools after a thousand', async () => {
    let pages = 0;
    const { source } = scripted(({ method }, stage) => {
      if (method !== 'tools/list') return undefined;
      pages += 1;
      const tools = Array.from({ length: 500 }, (_, index) => tool(`t${pages}_${index}`));
      stage.answer({ tools, nextCursor: `${pages}` });
      return true;
    });
    const { tools, problems } = await source.load(signal);
    await source.close();
    expect([pages, tools.length, problems]).toEqual([2, 1_000, []]);
  });

  test('has a limited number of prompts, whatever it sends', async () => {
    let pages = 0;
    const { source } = scripted(({ method }, stage) => {
      if (method === 'initialize')
        stage.answer({
          ...{ protocolVersion: '2025-06-18', capabilities: { prompts: {} } },
          serverInfo: { name: 'played', version: '1' },
        });
      else if (method === 'prompts/list') {
        pages += 1;
        const prompts = Array.from({ length: 300 }, (_, index) => ({
          name: `p${index}`,
          description: 'x'.repeat(1_000),
          arguments: Array.from({ length: 60 }, () => ({ name: 'a' })),
        }));
        stage.answer({ prompts, nextCursor: String(pages) });
      } else return undefined;
      return true;
    });
    const { tools } = await source.load(signal);
    const lines = String(await say(tools, 'get_prompt')).split('\n');
    await source.close();
    const first = [`p0: ${'x'.repeat(299)}…`, ...Array.from({ length: 50 }, () => '  a: '.slice(0, 3))];
    expect([pages, lines.slice(0, 52), lines.at(-1), lines.join('\n').length < 200_200]).toEqual([
      2,
      [...first, '  [10 more arguments]'],
      '[there are more prompts than are listed; one that you know by its name can be had by it]',
      true,
    ]);
  });

  test.each([
    'tools/call',
    'tools/list',
  ])('may change its tools during %s: they are read again before the call ends', async (during) => {
    let listed = 0;
    const played = await play((message, stage) => {
      if (message.method === during && listed === Number(isCall(message)))
        stage.send({ method: 'notifications/tools/list_changed' });
      if (message.method === 'tools/list') {
        listed += 1;
        stage.answer({
          tools: listed === 1 ? [tool('work')] : [tool('other'), tool('work', { inputSchema: [] })],
        });
        return true;
      }
      return undefined;
    }, 1);
    expect([listed, played]).toEqual([
      2,
      {
        said: ['worked'],
        problems: [],
        warnings: [],
        changed: [['mcp__played__other']],
      },
    ]);
  });

  test('displays eight images of a prompt or a resource, and names the others', async () => {
    const data = png({ width: 1, height: 1 }).toString('base64');
    const capabilities = { tools: {}, prompts: {}, resources: {} };
    const serverInfo = { name: 'played', version: '1' };
    const nine = <Item>(item: Item) => Array.from({ length: 9 }, () => item);
    const { source } = scripted(({ method }, stage) => {
      if (method === 'initialize') stage.answer({ protocolVersion: '2025-06-18', capabilities, serverInfo });
      else if (method === 'prompts/get')
        stage.answer({
          messages: nine({ role: 'user', content: { type: 'image', mimeType: 'image/png', data } }),
        });
      else if (method === 'resources/read')
        stage.answer({
          contents: [
            { uri: 'x:/', text: 'Nine:' },
            ...nine({ uri: 'x:/', mimeType: 'image/png', blob: data }),
          ],
        });
      else return undefined;
      return true;
    });
    const { tools } = await source.load(signal);
    const [prompt, resource] = [
      await say(tools, 'get_prompt', { name: 'look' }),
      await say(tools, 'read_resource', { uri: 'x:/' }),
    ];
    await source.close();
    const displayed = [expect.stringMatching(/^\[image: PNG/), 'image/png'];
    const left = expect.stringMatching(/^\[left out: an image of \d+ bytes; 8 of one result are shown\]$/);
    const expected = (head: string) => [
      ...Array.from({ length: 8 }, () => [head, ...displayed]).flat(),
      ...[head, left],
    ];
    expect([prompt, resource]).toEqual([
      expected('[user]'),
      ['[resource x:/]\nNine:', ...expected('[resource x:/, image/png]')],
    ]);
  });

  test('may declare invalid tools: each is left out with the reason, and the others are available', async () => {
    const declared = [
      tool('read'),
      tool('not.valid', { inputSchema: { type: 'string' } }),
      tool('bad', { inputSchema: { type: 'object', properties: { a: { type: 'strnig' } } } }),
      tool('deep', { inputSchema: 'DEEP' }),
      tool('näme one'),
      tool('n_me_one'),
      tool('§§'),
      { description: 'Has no name.' },
      'no object',
      tool('x'.repeat(100)),
      tool(`${'x'.repeat(100)}y`),
      tool('work', { description: 'Reads\u200b all.\n\nMore.', outputSchema: { pattern: '(a+)+$' } }),
    ];
    const { source } = scripted((message, stage) => {
      if (message.method !== 'tools/list') return undefined;
      const { cursor } = (message.params ?? {}) as JsonObject;
      const page =
        cursor === undefined
          ? { tools: declared.slice(0, 6), nextCursor: '2' }
          : { tools: declared.slice(6) };
      const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: page });
      const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      stage.print(`${answer.replace('"DEEP"', deep)}\n`);
      return true;
    });
    const { tools, problems } = await source.load(signal);
    await source.close();
    const x = 'x'.repeat(43);
    expect([tools.map(({ name, description }) => `${name}: ${description}`), problems]).toEqual([
      [
        'mcp__played__read: Does read.',
        'mcp__played__n_me_one: Does näme one.',
        expect.stringMatching(`^mcp__played__${x}_[0-9a-f]{7}: `),
        expect.stringMatching(`^mcp__played__${x}_[0-9a-f]{7}: `),
        'mcp__played__work: Reads all.\n\nMore.',
      ],
      [
        'The MCP server played declares a tool "not.valid" whose input schema is of type "string", and arguments are an object; it is left out.',
        'The MCP server played declares a tool "bad" whose input schema has the type "strnig", which JSON Schema does not know; it is left out.',
        'The MCP server played declares a tool "deep" whose input schema is too large or too deep; it is left out.',
        'The MCP server played has two tools whose name is mcp__played__n_me_one here, "näme one" and "n_me_one"; the second is left out.',
        'The MCP server played declares a tool whose name has no letter or digit: "§§"; it is left out.',
        'The MCP server played declares a tool without a name; it is left out.',
        'The MCP server played declares a tool without a name; it is left out.',
      ],
    ]);
  });
});
