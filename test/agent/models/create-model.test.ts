import { afterEach, describe, expect, it } from 'vitest';
import { createModel } from '../../../src/agent/models/create-model.ts';
import { ConfigError } from '../../../src/contract/errors.ts';
import type { Script } from '../../support/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/model/scripted-model.ts';

const servers: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(script: Script): Promise<ScriptedModel> {
  const server = await startScriptedModel({ script });
  servers.push(server);
  return server;
}

const request = { system: '', tools: [], effort: 3 };
const hello = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hello' }] }];

describe('createModel', () => {
  it('makes a model from a key and a base URL in the environment', async () => {
    const server = await serve(() => ({ text: 'Hello.' }));
    const model = await createModel({
      name: null,
      providers: undefined,
      environment: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url },
    });
    const signal = new AbortController().signal;
    const reply = await model.complete({ ...request, messages: hello, signal }, () => {});
    const { name, nativeTools, contextWindow } = model;
    expect({
      name,
      nativeTools,
      contextWindow,
      cost: model.cost({ ...reply.usage, input: 1, output: 1 }),
    }).toEqual({
      name: 'anthropic/claude-sonnet-4-6',
      nativeTools: true,
      contextWindow: 200_000,
      cost: 0.000018,
    });
    expect(server.requests.map(({ model, api }) => [model, api])).toEqual([
      ['claude-sonnet-4-6', 'messages'],
    ]);
  });

  it.each([
    ['that takes none', 'local/small', 'iVBORw0KGgo=', '[image left out: this model takes no images]'],
    [
      'of Anthropic, when they are too large for it',
      'anthropic/x',
      'A'.repeat(5 * 1024 * 1024 + 1),
      '[image left out: this model takes at most 3840 KiB; make a smaller copy and view that]',
    ],
  ])('replaces images by text for a model %s', async (_, name, data, words) => {
    const server = await serve(() => ({ text: 'Hm.' }));
    const model = await createModel({
      name,
      providers: {
        local: { type: 'openai-compatible', baseUrl: `${server.url}/v1`, images: false },
        anthropic: { baseUrl: server.url },
      },
      environment: { ANTHROPIC_API_KEY: 'k' },
    });
    const image = { type: 'image' as const, media_type: 'image/png' as const, data };
    const messages = [{ role: 'user' as const, parts: [image] }];
    await model.complete({ ...request, messages, signal: new AbortController().signal }, () => {});
    expect(server.requests.map((one) => one.messages)).toEqual([
      [{ role: 'user', parts: [{ type: 'text', text: words }] }],
    ]);
  });

  it.each([
    ['ollama/qwen3', 'chat'],
    ['openai/qwen3', 'chat'],
  ] as const)('calls a local server without a key for %s', async (name, api) => {
    const server = await serve(() => ({ text: 'Hello.' }));
    const model = await createModel({
      name,
      providers: name.startsWith('ollama') ? { ollama: { baseUrl: `${server.url}/v1` } } : undefined,
      environment: { OPENAI_BASE_URL: `${server.url}/v1` },
    });
    await model.complete({ ...request, messages: hello, signal: new AbortController().signal }, () => {});
    expect(server.requests.map((one) => [one.api, one.headers.authorization])).toEqual([[api, undefined]]);
  });

  it('rejects without a key before any request', async () => {
    const made = createModel({ name: 'openai/gpt-5.5', providers: undefined, environment: {} });
    await expect(made).rejects.toEqual(
      new ConfigError('The provider openai needs a key: set OPENAI_API_KEY.', { key: 'OPENAI_API_KEY' }),
    );
  });
});
