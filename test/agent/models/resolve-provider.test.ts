import { describe, expect, it } from 'vitest';
import { plainDialect } from '../../../src/agent/models/chat-dialect.ts';
import { providers } from '../../../src/agent/models/providers.ts';
import { noCloud } from '../../../src/agent/models/resolve-cloud.ts';
import { type ModelChoice, resolveProvider } from '../../../src/agent/models/resolve-provider.ts';
import { ConfigError } from '../../../src/contract/errors.ts';

const resolve = (choice: Partial<ModelChoice>) =>
  resolveProvider({ name: null, providers: undefined, environment: {}, ...choice });

const anthropic = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-6',
  wire: 'anthropic',
  mayBeChat: false,
  baseUrl: 'https://api.anthropic.com',
  key: 'a',
  keySource: 'ANTHROPIC_API_KEY',
  nativeTools: true,
  images: true,
  contextWindow: 200_000,
  maxOutputTokens: null,
  host: null,
  cloud: noCloud,
  chat: plainDialect,
  price: null,
};

describe('resolveProvider', () => {
  it('uses the first provider with a key if no model is configured', () => {
    const keys = { ZAI_CODING_API_KEY: 'c', ZAI_API_KEY: 'z', OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' };
    const found: string[] = [];
    const environment: Record<string, string | undefined> = { ...keys };
    for (const name of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'ZAI_API_KEY', 'ZAI_CODING_API_KEY']) {
      const { provider, model } = resolve({ environment });
      found.push(`${provider}/${model}`);
      // A workflow passes on an unset secret like this.
      environment[name] = '';
    }
    expect(found).toEqual([
      'anthropic/claude-sonnet-4-6',
      'openai/gpt-5.5',
      'zai/glm-5.1',
      'zai-coding/GLM-5.1',
    ]);
    expect(resolve({ environment: keys })).toEqual(anthropic);
  });

  it("prefers the configured base URL to the SDK's variable", () => {
    const environment = { ANTHROPIC_API_KEY: 'a', ANTHROPIC_BASE_URL: 'http://gateway:1/' };
    const name = 'anthropic/claude-sonnet-4-6';
    expect(resolve({ name, environment })).toEqual({ ...anthropic, baseUrl: 'http://gateway:1' });
    const providers = { anthropic: { baseUrl: 'https://own.example/a' } };
    expect(resolve({ name, environment, providers })).toEqual({
      ...anthropic,
      baseUrl: 'https://own.example/a',
    });
  });

  it('uses key and limits from the configuration', () => {
    expect(
      resolve({
        name: 'work/vendor/large',
        environment: { WORK_KEY: 'w' },
        providers: {
          work: {
            type: 'deepseek',
            apiKey: '{env:WORK_KEY}',
            nativeTools: false,
            images: false,
            modelDefaults: {
              'vendor/large': { maxContextTokens: 64_000, maxOutputTokens: 4_000, nativeTools: true },
            },
          },
        },
      }),
    ).toEqual({
      provider: 'work',
      model: 'vendor/large',
      wire: 'openai-compatible',
      mayBeChat: false,
      baseUrl: 'https://api.deepseek.com',
      key: 'w',
      keySource: 'WORK_KEY',
      nativeTools: true,
      images: false,
      contextWindow: 64_000,
      maxOutputTokens: 4_000,
      host: null,
      cloud: noCloud,
      chat: { ...plainDialect, ...providers.deepseek?.chat },
      price: null,
    });
  });

  it.each([
    ['the table', { name: 'ollama/qwen3' }, 'http://127.0.0.1:11434/v1'],
    [
      'OPENAI_BASE_URL',
      { name: 'openai/llama', environment: { OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1' } },
      'http://127.0.0.1:8080/v1',
    ],
    [
      'the configuration',
      {
        name: 'local/llama',
        providers: { local: { type: 'openai-compatible', baseUrl: 'http://box:8080/v1/' } },
        environment: { OPENAI_API_KEY: 'not for this one' },
      },
      'http://box:8080/v1',
    ],
  ] satisfies [
    string,
    Partial<ModelChoice>,
    string,
  ][])('needs no key for a local server named by %s', (_title, choice, expectedUrl) => {
    const { wire, baseUrl, key } = resolve(choice);
    expect({ wire, baseUrl, key }).toEqual({ wire: 'openai-compatible', baseUrl: expectedUrl, key: null });
  });

  it('uses Responses for a gateway that gets a key', () => {
    const environment = { OPENAI_BASE_URL: 'https://gateway.example/v1', OPENAI_API_KEY: 'o' };
    expect(resolve({ name: 'openai/gpt-5.5', environment }).wire).toBe('openai');
  });

  it.each<[string, Partial<ModelChoice>, string, string]>([
    ['no key', {}, 'ANTHROPIC_API_KEY', 'ANTHROPIC_API_KEY, OPENAI_API_KEY, ZAI_API_KEY, ZAI_CODING_API_KEY'],
    ['no key for the model', { name: 'groq/llama' }, 'GROQ_API_KEY', 'set GROQ_API_KEY'],
    [
      'no value behind the reference',
      { name: 'ollama/llama', providers: { ollama: { apiKey: '{env:PROXY_KEY}' } } },
      'PROXY_KEY',
      'set PROXY_KEY',
    ],
    [
      'a key of two lines',
      { name: 'groq/llama', environment: { GROQ_API_KEY: 'gsk_1\ngsk_2' } },
      'GROQ_API_KEY',
      'copy it again',
    ],
    ['no provider in the name', { name: 'gpt-5.5' }, 'model', 'provider/model'],
    ['no model in the name', { name: 'openai/' }, 'model', 'provider/model'],
    ['a misspelt provider', { name: 'antropic/claude' }, 'model', 'did you mean anthropic?'],
    ['a name that every object has', { name: '__proto__/claude' }, 'model', 'known are anthropic, openai'],
    ['another such name', { name: 'constructor/claude' }, 'model', 'known are anthropic, openai'],
    ['an unknown provider', { name: 'acme/claude' }, 'model', 'known are anthropic, openai'],
    [
      'an unknown type',
      { name: 'own/x', providers: { own: { type: 'openai-compatble' } } },
      'providers.own.type',
      'did you mean openai-compatible?',
    ],
    [
      'no endpoint',
      { name: 'own/x', providers: { own: { type: 'openai-compatible' } } },
      'providers.own.baseUrl',
      'needs the URL',
    ],
    [
      'no URL in the variable',
      { name: 'openai/x', environment: { OPENAI_BASE_URL: 'localhost:8080', OPENAI_API_KEY: 'o' } },
      'OPENAI_BASE_URL',
      'needs the URL',
    ],
    [
      'an endpoint but no model',
      { environment: { OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1' } },
      'model',
      'give one as openai/NAME',
    ],
  ])('names the setting and the remedy: %s', (_title, choice, key, words) => {
    let error: unknown;
    try {
      resolve(choice);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ConfigError);
    expect(error instanceof ConfigError && error.key).toBe(key);
    expect(error instanceof ConfigError && error.message).toContain(words);
    expect(error instanceof ConfigError && error.message).not.toContain('gsk_');
  });
});
