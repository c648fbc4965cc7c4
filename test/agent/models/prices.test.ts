import { expect, it } from 'vitest';
import { costOf as costAt, isPriced, listPrice } from '../../../src/agent/models/prices.ts';
import type { Usage } from '../../../src/contract/usage.ts';

const costOf = (provider: string, model: string, used: Usage) => costAt(listPrice(provider, model), used);
const usage = { input: 1_000_000, output: 100_000, cache_read: 2_000_000, cache_write: 200_000 };

it('each kind of token has its own price', () => {
  expect(costOf('anthropic', 'claude-sonnet-4-6', usage)).toBeCloseTo(3 + 1.5 + 0.6 + 0.75, 10);
  expect(costOf('openai', 'gpt-5.5', { ...usage, cache_write: 0 })).toBeCloseTo(5 + 3 + 1, 10);
});

it('a model is found by its dated and latest names, but not by a longer one', () => {
  const plain = costOf('anthropic', 'claude-haiku-4-5', usage);
  expect(costOf('anthropic', 'claude-haiku-4-5-20251001', usage)).toBe(plain);
  expect(costOf('anthropic', 'claude-haiku-4-5-latest', usage)).toBe(plain);
  expect(costOf('openai', 'gpt-5.4-2026-03-05', usage)).toBe(costOf('openai', 'gpt-5.4', usage));
  expect(costOf('openai', 'gpt-5.4-pro', usage)).toBeNull();
});

it('an unknown model has no price', () => {
  expect(costOf('anthropic', 'fake', usage)).toBeNull();
  expect(costOf('openrouter', 'claude-sonnet-4-6', usage)).toBeNull();
  expect(costOf('bedrock', 'claude-sonnet-4-6', usage)).toBeNull();
  expect(costOf('zai-coding', 'GLM-5.1', usage)).toBeNull();
});

it('a missing price is known before the run', () => {
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

it('a model on the own machine costs nothing', () => {
  expect(costOf('ollama', 'qwen3', usage)).toBe(0);
});
