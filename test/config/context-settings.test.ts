import { expect, it } from 'vitest';
import { resolveProvider } from '../../src/agent/models/resolve-provider.ts';
import { contextBounds } from '../../src/config/defaults.ts';
import { parseConfig } from '../../src/config/parse-config.ts';

const read = (text: string) => contextBounds(parseConfig(text, 'anode.yml').context);
const defaults = { reserveTokens: 16_384, keepRecent: 20_000, compactPercent: 0.85, compactEnabled: true };

it('uses the limits of other agents by default', () => {
  expect([read(''), read('context: {}')]).toEqual([defaults, defaults]);
});

it('accepts a share up to 0.99, and -1 for the window minus the reserve', () => {
  expect(
    ['0.99', '0.01', '-1'].map((share) => read(`context: {compactPercent: ${share}}`).compactPercent),
  ).toEqual([0.99, 0.01, -1]);
  for (const share of ['0', '1', '-0.5', '-2', '"85"'])
    expect(() => read(`context: {compactPercent: ${share}}`)).toThrow('context.compactPercent');
});

it("prefers the model's own window to the context's, with 200,000 as the default", () => {
  const windowOf = (model: string, contextWindow?: number) =>
    resolveProvider({
      name: `anthropic/${model}`,
      providers: { anthropic: { modelDefaults: { known: { maxContextTokens: 64_000 } } } },
      environment: { ANTHROPIC_API_KEY: 'k' },
      contextWindow,
    }).contextWindow;
  expect([windowOf('known', 50_000), windowOf('other', 50_000), windowOf('other')]).toEqual([
    64_000, 50_000, 200_000,
  ]);
});
