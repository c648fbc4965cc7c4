import { describe, expect, it } from 'vitest';
import { chatEffort, plainDialect } from '../../../src/agent/models/chat-dialect.ts';
import { chatHeaders, chatRequest } from '../../../src/agent/models/chat-request.ts';
import { providerAliases, providers } from '../../../src/agent/models/providers.ts';
import { effortNames } from '../../../src/contract/profile-names.ts';
import { endpointFor } from './endpoint-fixture.ts';

const dialect = (name: string) => ({ ...plainDialect, ...providers[name]?.chat });
const disabled = { thinking: { type: 'disabled' } };
const enabled = { thinking: { type: 'enabled' } };
const thinks = (reasoning_effort: string) => ({ ...enabled, reasoning_effort });
const effort = (reasoning_effort: string) => ({ reasoning_effort });
const reasons = (word: string) => ({ reasoning: { effort: word } });

describe('chatEffort', () => {
  it.each([
    ['zai', 'glm-5.1', [disabled, disabled, ...Array(5).fill(enabled)]],
    ['zai-coding', 'GLM-5.3', ['low', 'low', 'low', 'low', 'high', 'high', 'max'].map(thinks)],
    ['zai', 'glm-4-plus', Array(7).fill({})],
    [
      'deepseek',
      'deepseek-v4-pro',
      [disabled, disabled, ...['low', 'high', 'high', 'high', 'max'].map(thinks)],
    ],
    ['deepseek', 'deepseek-chat', Array(7).fill({})],
    ['gemini', 'gemini-3-pro-preview', ['low', 'low', 'low', 'medium', 'high', 'high', 'high'].map(effort)],
    [
      'gemini',
      'gemini-3.5-flash',
      ['minimal', 'minimal', 'low', 'medium', 'high', 'high', 'high'].map(effort),
    ],
    ['groq', 'openai/gpt-oss-120b', ['low', 'low', 'low', 'medium', 'high', 'high', 'high'].map(effort)],
    ['groq', 'llama-3.3-70b-versatile', Array(7).fill({})],
    [
      'mistral',
      'mistral-medium-latest',
      ['none', 'none', 'none', 'high', 'high', 'high', 'high'].map(effort),
    ],
    ['xai', 'grok-4.5', ['none', 'none', 'low', 'medium', 'high', 'high', 'high'].map(effort)],
    ['xai', 'grok-4', Array(7).fill({})],
    ['openrouter', 'any/model', ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'xhigh'].map(reasons)],
    ['ollama', 'qwen3-coder', Array(7).fill({})],
  ])('sends %s every effort level of %s in its terms', (provider, model, expected) => {
    expect(effortNames.map((_, level) => chatEffort(dialect(provider), model, level))).toEqual(expected);
  });
});

describe('chatRequest', () => {
  const bash = { name: 'bash', description: 'Runs.', input_schema: { type: 'object' } };
  const request = {
    system: 'S',
    tools: [bash],
    messages: [],
    effort: 3,
    signal: new AbortController().signal,
  };
  const requested = (provider: string, model: string) => {
    const endpoint = endpointFor(`${provider}/${model}`, {
      chat: dialect(provider),
      cacheKey: 'sess_1',
      maxOutputTokens: 9,
    });
    const { tools, messages, ...rest } = chatRequest(request, endpoint);
    expect([tools?.length, messages.length]).toEqual([1, 1]);
    return { ...rest, headers: chatHeaders(endpoint) };
  };
  const usage = { stream_options: { include_usage: true } };

  it.each([
    ['zai', 'glm-5.1', { ...usage, max_tokens: 9, ...enabled, tool_stream: true }],
    ['mistral', 'devstral-latest', { max_tokens: 9, prompt_cache_key: 'sess_1', parallel_tool_calls: true }],
    [
      'groq',
      'openai/gpt-oss-20b',
      { ...usage, max_completion_tokens: 9, reasoning_effort: 'medium', parallel_tool_calls: true },
    ],
    [
      'openrouter',
      'a/b',
      { ...usage, max_tokens: 9, session_id: 'sess_1', ...reasons('medium'), parallel_tool_calls: true },
    ],
    [
      'xai',
      'grok-4',
      { ...usage, max_tokens: 9, parallel_tool_calls: true, headers: { 'x-grok-conv-id': 'sess_1' } },
    ],
    ['huggingface', 'a/b', { ...usage, max_tokens: 9 }],
  ])('sends %s only supported parameters', (provider, model, expected) => {
    expect(requested(provider, model)).toEqual({ headers: {}, model, stream: true, ...expected });
  });
});

describe('the table of providers', () => {
  it("has only aliases that lead to a provider and are no provider's name", () => {
    const wrong = Object.entries(providerAliases).filter(
      ([alias, name]) => alias in providers || !(name in providers),
    );
    expect(wrong).toEqual([]);
  });

  it('gives each an address, a cloud or both, with https except on this machine', () => {
    const wrong = Object.entries(providers).filter(
      ([, { baseUrl, host }]) => !/^(https:\/\/|http:\/\/127\.0\.0\.1:)/.test(baseUrl) && host === undefined,
    );
    expect(wrong).toEqual([]);
  });
});
