import { describe, expect, it } from 'vitest';
import { findNamedModel } from '../../../src/agent/models/named-models.ts';
import { ConfigError } from '../../../src/contract/errors.ts';

const config = {
  model: 'anthropic/claude-sonnet-4-6',
  models: {
    allow: ['openai/gpt-5.5', 'openrouter/openai/gpt-5.5', 'azure/gpt-5.5'],
    fallback: ['zai/glm-5.1'],
  },
};

describe('findNamedModel', () => {
  it.each([
    ['anthropic/claude-sonnet-4-6', 'anthropic/claude-sonnet-4-6'],
    ['claude-sonnet-4-6', 'anthropic/claude-sonnet-4-6'],
    ['zai/glm-5.1', 'zai/glm-5.1'],
    ['openai/gpt-5.5', 'openai/gpt-5.5'],
    ['local/own', 'local/own'],
  ])('resolves %s to %s', (name, expected) => {
    expect(findNamedModel(name, config, 'local/own')).toBe(expected);
  });

  it.each([
    ['openai/gpt-5.5-pro', /not one that this run may use; these are: anthropic\/claude-sonnet-4-6, openai/],
    ['gpt-5.5', /Several providers have a model gpt-5.5: say which, as openai\/gpt-5.5 or azure\/gpt-5.5/],
  ])('refuses %s and lists the available models', (name, words) => {
    expect(() => findNamedModel(name, config, null)).toThrow(ConfigError);
    expect(() => findNamedModel(name, config, null)).toThrow(words);
  });
});
