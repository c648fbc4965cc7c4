import { expect, it } from 'vitest';
import { requirePrices } from '../../../src/agent/models/prices.ts';
import { ConfigError } from '../../../src/contract/errors.ts';

const providers = { groq: { modelDefaults: { llama: { price: { input: 1, output: 2 } } } } };

it.each([
  [null, ['groq/new', 'own/model']],
  [2, ['anthropic/claude-opus-5', 'z.ai/glm-5.1', 'openrouter/any/model', 'ollama/qwen3', 'groq/llama']],
])('a limit of %j is accepted with %j', (limit, names) => {
  expect(requirePrices(limit, names, providers)).toBeUndefined();
});

it('a limit that could not be enforced is refused with a remedy', () => {
  const check = () => requirePrices(2, ['anthropic/claude-opus-5', 'groq/meta/new'], providers);
  expect(check).toThrow(ConfigError);
  expect(check).toThrow(
    'The limit of $2 cannot be enforced: the price of groq/meta/new is unknown. Set providers.groq.modelDefaults.meta/new.price to its price in dollars',
  );
});
