import { describe, expect, it } from 'vitest';
import { ConfigError, RunStopped } from '../../../src/contract/errors.ts';
import type { Message } from '../../../src/contract/message.ts';
import type { Reply, Script, ScriptedFault } from '../../support/model/script.ts';
import {
  adapters,
  ask,
  endServers,
  failure,
  hello,
  key,
  request,
  result,
  startAdapter,
} from './adapter-contract.ts';

endServers();

describe.each(adapters)('$title', (adapter) => {
  const start = (script: Script, idleTimeoutMs?: number) => startAdapter(adapter, script, idleTimeoutMs);

  it.each<ScriptedFault['fault']>([
    'reset',
    'reset-mid-event',
    'half-json',
    'cut',
    'garbage',
    'error-event',
  ])('retries after the fault %s', async (fault) => {
    const { server, model, delays } = await start(({ index }) =>
      index === 0 ? { fault } : { text: 'Whole.' },
    );
    const { reply } = await ask(model, hello);
    expect(reply.message.parts).toEqual([{ type: 'text', text: 'Whole.' }]);
    expect(server.requests).toHaveLength(2);
    expect(delays).toEqual([500]);
  });

  it('returns text and calls of a reply once if its first stream broke', async () => {
    const output = {
      text: 'I look at it.',
      calls: [{ id: 'call_a', name: 'bash', input: { command: 'ls' } }],
    };
    const { server, model } = await start(({ index }) =>
      index < 2 ? { fault: 'reset-mid-event', reply: output } : output,
    );
    const { reply, text } = await ask(model, hello);
    expect({ requests: server.requests.length, text: text.join(''), parts: reply.message.parts }).toEqual({
      requests: 3,
      text: 'I look at it.',
      parts: [
        { type: 'text', text: 'I look at it.' },
        { type: 'tool_call', id: 'call_a', name: 'bash', input: { command: 'ls' } },
      ],
    });
  });

  it('retries when the stream is silent for too long', async () => {
    const { model } = await start(
      ({ index }) => (index === 0 ? { fault: 'stall' } : { text: 'Whole.' }),
      150,
    );
    const { reply } = await ask(model, hello);
    expect(reply.message.parts).toEqual([{ type: 'text', text: 'Whole.' }]);
  });

  it('parses a stream in arbitrarily small chunks', async () => {
    const call = { id: 'call_a', name: 'bash', input: { command: 'echo "ä€😀"' } };
    const { model } = await start(() => ({ fault: 'drip', reply: { text: 'ä€😀', calls: [call] } }));
    const { reply } = await ask(model, hello);
    expect(reply.message.parts).toEqual([
      { type: 'text', text: 'ä€😀' },
      { type: 'tool_call', ...call },
    ]);
  });

  it.each([429, 500, 503, 529])('retries after status %i, not before Retry-After', async (status) => {
    const { model, delays } = await start(({ index }) =>
      index === 0 ? { status, headers: { 'retry-after': '7' } } : { text: 'At last.' },
    );
    await ask(model, hello);
    expect(delays).toEqual([7_000]);
  });

  it('gives up with the model, the cause, the number of tries and the remedy', async () => {
    const { server, model } = await start(() => ({ fault: 'cut' }));
    const error = await failure(ask(model, hello));
    expect(error).toBeInstanceOf(RunStopped);
    const sentence = (which: string) =>
      `The model ${which} failed: the stream ended before the reply was whole. Tried 4 times. Start the run again; if it persists, check proxies and firewalls on the way to the endpoint.`;
    expect(error instanceof RunStopped && error.reason).toEqual({
      kind: 'provider_failed',
      message: sentence(model.name),
      detail: sentence(`at ${new URL(server.url).host}`),
    });
  });

  it('names the variable of a refused key and never the key', async () => {
    const { server, model } = await start(() => ({
      status: 401,
      body: { error: { type: 'authentication_error', message: `bad key ${key}` } },
    }));
    const error = await failure(ask(model, hello));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error instanceof ConfigError && error.key).toBe('THE_KEY');
    expect(error.message).toContain('bad key [key]');
    expect(error.message).not.toContain(key);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[Reply & { status: number }, string]>([
    [{ status: 404 }, 'model'],
    [{ status: 403 }, 'THE_KEY'],
  ])('reports %j as an error of configuration', async (reply, place) => {
    const { server, model } = await start(() => reply);
    const error = await failure(ask(model, hello));
    expect(error instanceof ConfigError && error.key).toBe(place);
    // A custom endpoint may not know Responses: the other protocol is tried once.
    const guessed = adapter.provider === 'openai' && reply.status === 404;
    expect(server.requests.map(({ api }) => api)).toEqual(guessed ? ['responses', 'chat'] : [adapter.api]);
  });

  it("stops immediately on a rejected request, with the endpoint's message", async () => {
    const { server, model, delays } = await start(() => ({ text: 'Never.' }));
    const orphan: Message[] = [...hello, { role: 'assistant', parts: [{ type: 'text', text: 'Yes?' }] }];
    const error = await failure(ask(model, [...orphan, { role: 'user', parts: [result('call_x', 'lost')] }]));
    expect(error instanceof RunStopped && error.reason.kind).toBe('provider_failed');
    expect(error.message).toContain('no call is open for the result call_x');
    expect(server.rejections).toHaveLength(1);
    expect(delays).toEqual([]);
  });

  it('stops with the reason of an abort, before and during a stream', async () => {
    const { server, model } = await start(() => ({
      fault: 'stall',
      reply: { text: 'Long ago there lived' },
    }));
    const reason = new Error('enough');
    const controller = new AbortController();
    const requested = failure(
      model.complete({ ...request, messages: hello, signal: controller.signal }, () =>
        controller.abort(reason),
      ),
    );
    expect(await requested).toBe(reason);
    expect(
      await failure(model.complete({ ...request, messages: hello, signal: controller.signal }, () => {})),
    ).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it('passes on an error of the listener unchanged', async () => {
    const { model, delays } = await start(() => ({ text: 'Hello.' }));
    const defect = new Error('defect of the listener');
    const requestLog = model.complete({ ...request, messages: hello }, () => {
      throw defect;
    });
    expect(await failure(requestLog)).toBe(defect);
    expect(delays).toEqual([]);
  });

  it('names the remedy if nothing listens at the endpoint', async () => {
    const { server, model } = await start(() => ({ text: 'Never.' }));
    await server.close();
    const error = await failure(ask(model, hello));
    expect(error.message).toBe(
      `The model ${model.name} failed: the connection failed (ECONNREFUSED). Tried 4 times. Check that the endpoint is up and that this machine can reach it.`,
    );
  });
});
