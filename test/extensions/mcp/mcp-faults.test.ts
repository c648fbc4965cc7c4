import { describe, expect, test } from 'vitest';
import { again, dying, isCall, playedCalls } from './played-calls.ts';
import { type Script, scripted, tool } from './scripted-server.ts';

const { harness, say, play } = playedCalls();
const signal = new AbortController().signal;

describe('an MCP server that misbehaves', () => {
  test('works despite garbage between its messages, which is reported to the operator once', async () => {
    const played = await play((message, stage) => {
      if (isCall(message))
        stage.print('\u001b[31mStarting up…\n[1,2]\n{"jsonrpc":"2.0","id":99,"result":{}}\n');
      return undefined;
    }, 2);
    expect(played).toEqual({
      said: ['worked', 'worked'],
      problems: [],
      warnings: [
        'The MCP server played prints text that is no protocol message and is ignored: "Starting up…".',
      ],
      changed: [],
    });
  });

  test('is ended if it prints endless empty lines, empty values or overlong lines', async () => {
    const short = ['\n', 'null\n', '[]\n'].map((line) => Buffer.from(line.repeat(20_000)));
    const floods = [...short, Buffer.concat([Buffer.alloc(17 * 1024 * 1024, 'x'), Buffer.from('\n')])];
    const reply = floods.map(async (chunk) => {
      const played = await play((message, stage) => {
        if (isCall(message)) for (let count = 0; count < 8; count += 1) stage.print(chunk);
        return undefined;
      }, 1);
      return played.said;
    });
    const words =
      'unavailable: During this call the MCP server played printed more than 8388608 bytes without a request and was ended.';
    expect(await Promise.all(reply)).toEqual(floods.map(() => [`${words} ${again}`]));
  });

  test('works despite messages nested a hundred thousand deep, instead of a message or inside one', async () => {
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
      warnings: [expect.stringContaining('prints text that is no protocol message')],
      changed: [],
    });
  });

  test('is left out if it prints only garbage, with that text and its end', async () => {
    const { source } = scripted((_, stage) => {
      stage.print('Usage: server [options]\n');
      stage.end(2, 'error: no token\n');
      return true;
    });
    await expect(source.load(signal)).rejects.toThrow(
      'ended with exit code 2; it had said: error: no token; it printed text that is no message: "Usage: server [options]"',
    );
    await source.close();
  });

  test('is ended if it floods, with lines or an endless one, and restarted once', async () => {
    const flood: Script = (message, stage) => {
      if (!isCall(message)) return undefined;
      const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
      for (let index = 0; index < 9; index += 1) stage.print(line);
      return true;
    };
    const why = 'The MCP server played printed more than 8388608 bytes without a request and was ended';
    expect(await play(flood, 3)).toEqual({
      said: [
        `unavailable: ${dying(why)}. ${again}`,
        `unavailable: ${dying(why)}. It is not started again. Go on without its tools.`,
        'unavailable: The MCP server played has ended 2 times in this run (the last time it printed more than 8388608 bytes without a request and was ended), and is not started again. Go on without its tools.',
      ],
      problems: [],
      warnings: [
        `${why}. The next call restarts it.`,
        expect.stringContaining('prints text that is no protocol message'),
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
        'timeout: The MCP server played did not answer within 0.05 s and was told to stop. Its effects until then may remain: check before you retry, with less in one call.',
        'worked',
      ],
      problems: [],
      warnings: [],
      changed: [],
    });
  });

  test('is left out if it never completes the handshake', async () => {
    const { source } = scripted(() => true, { timeoutSeconds: 0.05 });
    await expect(source.load(signal)).rejects.toThrow('did not answer within 0.05 s');
    await source.close();
  });

  test('is restarted once if it exits during a call, with its tools read again, and then no more', async () => {
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
      warnings: [`${why}. The next call restarts it.`],
      changed: [['mcp__played__work', 'mcp__played__more']],
    });
  });

  test('gives no result of 50 MB, uses the memory of one message, and answers the next call', async () => {
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
        'too_large: The MCP server played gave no usable answer: it answered with 52428873 bytes, and 16777216 are the most. Ask for less: a narrower query, a page, a smaller image.',
        'worked',
      ],
      problems: [],
      warnings: [],
      changed: [],
    });
  });

  test('is refused every request except for the workspace, and continues to work', async () => {
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
    const replyText = await say(tools, 'work');
    await source.close();
    const answers = received.filter((message) => !('method' in message));
    expect([replyText, answers]).toEqual([
      'worked',
      [
        { jsonrpc: '2.0', id: 'a', error: { code: -32601, message: 'Method not found' } },
        { jsonrpc: '2.0', id: 'b', error: { code: -32601, message: 'Method not found' } },
        { jsonrpc: '2.0', id: 'c', result: { roots: [{ uri: 'file:///srv/shop', name: 'workspace' }] } },
      ],
    ]);
  });

  test('is notified if the run is aborted, which is no error of the tool', async () => {
    const abort = new AbortController();
    const { source, received } = scripted((message) => {
      if (isCall(message)) abort.abort(new Error('stopped'));
      return isCall(message);
    });
    const { tools } = await source.load(signal);
    const [work] = tools;
    await expect(
      work?.execute({}, { ...harness().context, signal: abort.signal }, undefined),
    ).rejects.toThrow('stopped');
    await source.close();
    expect(received.at(-1)).toMatchObject({ method: 'notifications/cancelled' });
  });
});
