import { expect, it } from 'vitest';
import { costOf as costAt, isPriced, listPrice } from '../../../src/agent/models/prices.ts';
import type { Usage } from '../../../src/contract/usage.ts';

const costOf = (provider: string, model: string, used: Usage) => costAt(listPrice(provider, model), used);
const usage = { input: 1_000_000, output: 100_000, cache_read: 2_000_000, cache_write: 200_000 };

it('counts each kind of token at its own price', () => {
  expect(costOf('anthropic', 'claude-sonnet-4-6', usage)).toBeCloseTo(3 + 1.5 + 0.6 + 0.75, 10);
  expect(costOf('openai', 'gpt-5.5', { ...usage, cache_write: 0 })).toBeCloseTo(5 + 3 + 1, 10);
});

it('knows a model also by its dated and latest names, and not by a longer one', () => {
  const plain = costOf('anthropic', 'claude-haiku-4-5', usage);
  expect(costOf('anthropic', 'claude-haiku-4-5-20251001', usage)).toBe(plain);
  expect(costOf('anthropic', 'claude-haiku-4-5-latest', usage)).toBe(plain);
  expect(costOf('openai', 'gpt-5.4-2026-03-05', usage)).toBe(costOf('openai', 'gpt-5.4', usage));
  expect(costOf('openai', 'gpt-5.4-pro', usage)).toBeNull();
});

it('makes up no price for what it does not know', () => {
  expect(costOf('anthropic', 'fake', usage)).toBeNull();
  expect(costOf('openrouter', 'claude-sonnet-4-6', usage)).toBeNull();
  expect(costOf('bedrock', 'claude-sonnet-4-6', usage)).toBeNull();
  expect(costOf('zai-coding', 'GLM-5.1', usage)).toBeNull();
});

it('knows beforehand whether a cost will be known', () => {
  const names = [
    'anthropic/claude-opus-5',
    'openrouter/any/model',
    'ollama/qwen3',
    'groq/llama',
    'openai/new',
  ];
  const known = names.map((name) => isPriced(...(name.split(/\/(.*)/).slice(0, 2) as [string, string])));
  expect(known).toEqual([true, true, true, false, false]);
});

it('asks nothing for what runs on the own machine', () => {
  expect(costOf('ollama', 'qwen3', usage)).toBe(0);
});
