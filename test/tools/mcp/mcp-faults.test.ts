import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { png } from '../../support/images.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';
import { type Script, scripted, tool } from './scripted-server.ts';

let harness: ToolHarness;
beforeAll(async () => {
  harness = await openTools({ 'a.txt': 'one\n' }, { git: true });
});
afterAll(() => harness.close());

const signal = new AbortController().signal;

/** What a call says: its text, or the kind and the words of its error. */
async function say(tools: readonly Tool[], name: string, input: JsonObject = {}): Promise<unknown> {
  const found = tools.find((one) => one.name === `mcp__played__${name}`);
  if (found === undefined) return `no tool ${name}`;
  try {
    const { content } = await found.execute(found.input.parse(input), harness.context, undefined);
    return typeof content === 'string'
      ? content
      : content.map((part) => ('text' in part ? part.text : part.media_type));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return `${error.kind}: ${error.message}`;
  }
}

const isCall = ({ method }: JsonObject) => method === 'tools/call';
const again =
  'What it did until then may stand: look before you try again. The next call starts it once more.';

/** `The MCP server …` as it is told of a call in which that happened. */
const dying = (why: string): string => `During this call t${why.slice(1)}`;

/** Loads a played server and calls its tool so often. */
async function play(script: Script, times: number, options: Parameters<typeof scripted>[1] = {}) {
  const { source, warnings, changes } = scripted(script, options);
  try {
    const { tools, problems } = await source.load(signal);
    const said = [];
    for (let index = 0; index < times; index += 1) said.push(await say(tools, 'work'));
    return { said, problems, warnings, changed: changes.map((one) => one.tools.map(({ name }) => name)) };
  } finally {
    await source.close();
  }
}

describe('an MCP server that does not do what it should', () => {
  test('works on though it prints garbage between its messages, which the operator is told of once', async () => {
    const played = await play((message, stage) => {
      if (isCall(message))
        stage.print('\u001b[31mStarting up…\n[1,2]\n{"jsonrpc":"2.0","id":99,"result":{}}\n');
      return undefined;
    }, 2);
    expect(played).toEqual({
      said: ['worked', 'worked'],
      problems: [],
      warnings: [
        'The MCP server played prints what is no message of the protocol, which is passed over: "Starting up…".',
      ],
      changed: [],
    });
  });

  test('is ended where it prints without end what says nothing: empty lines, empty values, lines too long to be read', async () => {
    const short = ['\n', 'null\n', '[]\n'].map((line) => Buffer.from(line.repeat(20_000)));
    const floods = [...short, Buffer.concat([Buffer.alloc(17 * 1024 * 1024, 'x'), Buffer.from('\n')])];
    const said = floods.map(async (chunk) => {
      const played = await play((message, stage) => {
        if (isCall(message)) for (let count = 0; count < 8; count += 1) stage.print(chunk);
        return undefined;
      }, 1);
      return played.said;
    });
    const words =
      'unavailable: During this call the MCP server played printed more than 8388608 bytes that nobody had asked for, and was ended.';
    expect(await Promise.all(said)).toEqual(floods.map(() => [`${words} ${again}`]));
  });

  test('works on though it sends what is nested a hundred thousand deep, in place of a message and within one', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const played = await play((message, stage) => {
      if (!isCall(message)) return undefined;
      stage.print(`${deep}\n{"jsonrpc":"2.0","id":${deep},"result":{}}\n`);
      stage.print(`{"jsonrpc":"2.0","id":${message.id},"result":{"structuredContent":{"a":${deep}}}}\n`);
      return true;
    }, 1);
    expect(played).toEqual({
      said: ['[left out: structured content that is too large or too deep to be shown]'],
      problems: [],
      warnings: [expect.stringContaining('prints what is no message of the protocol')],
      changed: [],
    });
  });

  test('is left out where it only prints garbage, with what it printed and how it ended', async () => {
    const { source } = scripted((_, stage) => {
      stage.print('Usage: server [options]\n');
      stage.end(2, 'error: no token\n');
      return true;
    });
    await expect(source.load(signal)).rejects.toThrow(
      'ended with exit code 2; it had said: error: no token; it printed what is no message: "Usage: server [options]"',
    );
    await source.close();
  });

  test('is ended where it floods, with lines or with one that is endless, and started once more', async () => {
    const flood: Script = (message, stage) => {
      if (!isCall(message)) return undefined;
      const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
      for (let index = 0; index < 9; index += 1) stage.print(line);
      return true;
    };
    const why =
      'The MCP server played printed more than 8388608 bytes that nobody had asked for, and was ended';
    expect(await play(flood, 3)).toEqual({
      said: [
        `unavailable: ${dying(why)}. ${again}`,
        `unavailable: ${dying(why)}. It is not started again. Go on without its tools.`,
        'unavailable: The MCP server played has ended 2 times in this run (the last time it printed more than 8388608 bytes that nobody had asked for, and was ended), and is not started again. Go on without its tools.',
      ],
      problems: [],
      warnings: [
        `${why}. It is started once more when it is next called.`,
        expect.stringContaining('prints what is no message'),
        `${why}. It is not started again, so its tools fail from now on.`,
      ],
      changed: [['mcp__played__work']],
    });
  });

  test('fails a call that it never answers, and answers the next', async () => {
    let calls = 0;
    const played = await play(
      (message) => {
        if (isCall(message)) calls += 1;
        return isCall(message) && calls === 1;
      },
      2,
      { timeoutSeconds: 0.05 },
    );
    expect(played).toEqual({
      said: [
        'timeout: The MCP server played did not answer within 0.05 s and was told to stop. What it did until then may stand: look before you try again, with less in one call.',
        'worked',
      ],
      problems: [],
      warnings: [],
      changed: [],
    });
  });

  test('is left out where it never says what it is', async () => {
    const { source } = scripted(() => true, { timeoutSeconds: 0.05 });
    await expect(source.load(signal)).rejects.toThrow('did not answer within 0.05 s');
    await source.close();
  });

  test('is started once more where it exits in mid-call, its tools read again, and then no more', async () => {
    const played = await play((message, stage) => {
      if (message.method === 'tools/list' && stage.starts === 2) {
        stage.answer({ tools: [tool('work'), tool('more')] });
        return true;
      }
      if (isCall(message) && stage.starts !== 2) stage.end(3, 'segmentation fault\n');
      else if (isCall(message)) stage.answer({ content: [{ type: 'text', text: `start ${stage.starts}` }] });
      return isCall(message);
    }, 2);
    const why = 'The MCP server played ended with exit code 3; it had said: segmentation fault';
    expect(played).toEqual({
      said: [`unavailable: ${dying(why)}. ${again}`, 'start 2'],
      problems: [],
      warnings: [`${why}. It is started once more when it is next called.`],
      changed: [['mcp__played__work', 'mcp__played__more']],
    });
  });

  test('gives no result of 50 MB, which costs the memory of one message, and the call after it works', async () => {
    let calls = 0;
    const played = await play((message, stage) => {
      if (!isCall(message)) return undefined;
      calls += 1;
      if (calls === 2) return undefined;
      const chunk = Buffer.alloc(1024 * 1024, 'y');
      stage.print('{"result":{"content":[{"type":"text","text":"');
      for (let index = 0; index < 50; index += 1) stage.print(chunk);
      stage.print(`"}]},"jsonrpc":"2.0","id":${message.id}}\n`);
      return true;
    }, 2);
    expect(played).toEqual({
      said: [
        'too_large: The MCP server played gave no answer that can be used: it answered with 52428873 bytes, and 16777216 are the most. Ask for less: a narrower query, a page, a smaller image.',
        'worked',
      ],
      problems: [],
      warnings: [],
      changed: [],
    });
  });

  test('says nothing of what it was given, whether it fails, refuses or dies', async () => {
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
      warnings: [`${ended}. It is started once more when it is next called.`],
      changed: [],
    });
  });

  test.each([
    'tools/call',
    'tools/list',
  ])('may change its tools during %s: they are read again before the call is over', async (during) => {
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

  test('has eight images of a prompt shown, or of a resource, and the others named', async () => {
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
    const shown = [expect.stringMatching(/^\[image: PNG/), 'image/png'];
    const left = expect.stringMatching(/^\[left out: an image of \d+ bytes; 8 of one result are shown\]$/);
    const expected = (head: string) => [
      ...Array.from({ length: 8 }, () => [head, ...shown]).flat(),
      ...[head, left],
    ];
    expect([prompt, resource]).toEqual([
      expected('[user]'),
      ['[resource x:/]\nNine:', ...expected('[resource x:/, image/png]')],
    ]);
  });

  test('may declare tools that cannot be: each is left out with the reason, the others are there', async () => {
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

  test('is refused whatever it asks for but the workspace, and what goes on is that it works', async () => {
    const { source, received } = scripted((message, stage) => {
      if (!isCall(message)) return undefined;
      stage.send({ id: 'a', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
      stage.send({
        id: 'b',
        method: 'elicitation/create',
        params: { message: 'Password?', requestedSchema: {} },
      });
      stage.send({ id: 'c', method: 'roots/list' });
      return undefined;
    });
    const { tools } = await source.load(signal);
    const said = await say(tools, 'work');
    await source.close();
    const answers = received.filter((message) => !('method' in message));
    expect([said, answers]).toEqual([
      'worked',
      [
        { jsonrpc: '2.0', id: 'a', error: { code: -32601, message: 'Method not found' } },
        { jsonrpc: '2.0', id: 'b', error: { code: -32601, message: 'Method not found' } },
        { jsonrpc: '2.0', id: 'c', result: { roots: [{ uri: 'file:///srv/shop', name: 'workspace' }] } },
      ],
    ]);
  });

  test('is told to stop where the run is aborted, which is no error of the tool', async () => {
    const abort = new AbortController();
    const { source, received } = scripted((message) => {
      if (isCall(message)) abort.abort(new Error('stopped'));
      return isCall(message);
    });
    const { tools } = await source.load(signal);
    const [work] = tools;
    await expect(work?.execute({}, { ...harness.context, signal: abort.signal }, undefined)).rejects.toThrow(
      'stopped',
    );
    await source.close();
    expect(received.at(-1)).toMatchObject({ method: 'notifications/cancelled' });
  });
});
