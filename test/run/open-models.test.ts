import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/schema.ts';
import { ConfigError } from '../../src/contract/errors.ts';
import type { RunLimits } from '../../src/contract/limits.ts';
import type { Message } from '../../src/contract/message.ts';
import { openModels } from '../../src/run/open-models.ts';
import type { Script } from '../support/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../support/model/scripted-model.ts';

const servers: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const limits: RunLimits = {
  max_turns: null,
  max_tool_calls: null,
  max_tokens: null,
  max_cost_usd: null,
  timeout_seconds: null,
};

async function open(script: Script, config: Config, change: Partial<RunLimits> = {}) {
  const server = await startScriptedModel({ script });
  servers.push(server);
  const told: string[] = [];
  const endpoint = { baseUrl: `${server.url}/v1`, apiKey: 'key' };
  const providers = { openai: endpoint, mistral: endpoint };
  const request = {
    model: null,
    config: { ...config, providers },
    environment: {},
    limits: { ...limits, ...change },
    sessionId: 'sess_1',
    root: '/srv/checkout',
  };
  const models = openModels(
    request,
    (text) => text.replaceAll('s3cret', '[redacted]'),
    (entry) =>
      told.push('message' in entry && typeof entry.message === 'string' ? entry.message : entry.type),
  );
  return { server, models, told };
}

const ask: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Is s3cret safe?' }] }];
const request = { system: '', tools: [], messages: ask, effort: 3, signal: new AbortController().signal };

describe('openModels', () => {
  it('switches to the next model with the same settings if a balance is used up, and reports it', async () => {
    const { server, models, told } = await open(
      ({ model }) => (model === 'gpt-5.5' ? { status: 402 } : { text: 'Here.' }),
      { model: 'openai/gpt-5.5', models: { fallback: ['openai/gpt-5.5', 'cerebras/none', 'mistral/large'] } },
    );
    const model = await models.main;
    await model.complete(request, () => {});
    const reply = await model.complete(request, () => {});
    expect(reply.message.parts).toEqual([{ type: 'text', text: 'Here.' }]);
    expect(server.requests.map((one) => [one.api, one.model, one.raw.prompt_cache_key])).toEqual([
      ['responses', 'gpt-5.5', 'sess_1'],
      ['chat', 'large', 'sess_1'],
      ['chat', 'large', 'sess_1'],
    ]);
    expect([model.name, ...told]).toEqual([
      'mistral/large',
      'The fallback cerebras/none was passed over: The provider cerebras needs a key: set CEREBRAS_API_KEY.',
      expect.stringMatching(
        /^The model openai\/gpt-5\.5 failed: .* mistral\/large took over from openai\/gpt-5\.5 for the rest of the run\.$/,
      ),
    ]);
  });

  it('creates each named model once, sends none a secret, and finds its own by name', async () => {
    const { server, models } = await open(() => ({ text: 'Yes.' }), {
      model: 'openai/gpt-5.5',
      models: { allow: ['mistral/large'] },
    });
    const named = await models.named('large');
    expect([named.name, named === (await models.named('mistral/large'))]).toEqual(['mistral/large', true]);
    expect(await models.named('gpt-5.5')).toBe(await models.main);
    await named.complete(request, () => {});
    expect(server.requests.map(({ messages }) => messages)).toEqual([
      [{ role: 'user', parts: [{ type: 'text', text: 'Is [redacted] safe?' }] }],
    ]);
    await expect(models.named('openai/other')).rejects.toBeInstanceOf(ConfigError);
  });

  it('refuses a limit in dollars that it could not enforce, also for a fallback model', async () => {
    const { models } = await open(
      () => ({ text: 'Never.' }),
      { model: 'openai/gpt-5.5', models: { fallback: ['mistral/large'] } },
      { max_cost_usd: 2 },
    );
    await expect(models.main).rejects.toThrow(
      'The limit of $2 cannot be enforced: the price of mistral/large is unknown',
    );
  });
});
