import { expect, test } from 'vitest';
import { effectiveConfig } from '../../src/config/effective-config.ts';
import type { Config } from '../../src/config/schema.ts';

/** What is left of the inputs, and the notes on the others. */
function resolved(input: Config, files: Config) {
  const { overrides, notes } = effectiveConfig(input, files);
  return { overrides, notes };
}

const preset = (word: string): Config => ({ permissions: { preset: word } });

test.each<[input: string | null, file: string | null, left: Config, note: string | null]>([
  [null, null, {}, null],
  [null, 'strict', {}, null],
  [null, 'yolo', {}, null],
  ['careful', null, preset('careful'), null],
  ['careful', 'careful', preset('careful'), null],
  ['unrestricted', 'yolo', preset('unrestricted'), null],
  [
    'careful',
    'strict',
    {},
    'strict applies, as the configuration says; it is stricter than the input preset: careful.',
  ],
  [
    'yolo',
    'strict',
    {},
    'strict applies, as the configuration says; it is stricter than the input preset: unrestricted.',
  ],
  [
    'unrestricted',
    'careful',
    {},
    'careful applies, as the configuration says; it is stricter than the input preset: unrestricted.',
  ],
  [
    'strict',
    'careful',
    preset('strict'),
    "strict applies, as the input preset says; it is stricter than the configuration's careful.",
  ],
  [
    'careful',
    'yolo',
    preset('careful'),
    "careful applies, as the input preset says; it is stricter than the configuration's unrestricted.",
  ],
])('of the presets %s (input) and %s (file) the stricter applies', (input, file, overrides, note) => {
  const settled = resolved(input === null ? {} : preset(input), file === null ? {} : preset(file));
  expect(settled).toEqual({ overrides, notes: note === null ? [] : [`permissions.preset: ${note}`] });
});

test.each<[input: Config['sandbox'], file: Config['sandbox'], left: Config, note: string | null]>([
  [
    'off',
    'required',
    {},
    'required applies, as the configuration says; it is stricter than the input sandbox: off.',
  ],
  [
    'off',
    'preferred',
    {},
    'preferred applies, as the configuration says; it is stricter than the input sandbox: off.',
  ],
  [
    'preferred',
    'required',
    {},
    'required applies, as the configuration says; it is stricter than the input sandbox: preferred.',
  ],
  ['preferred', 'preferred', { sandbox: 'preferred' }, null],
  [
    'required',
    'off',
    { sandbox: 'required' },
    "required applies, as the input sandbox says; it is stricter than the configuration's off.",
  ],
  ['required', undefined, { sandbox: 'required' }, null],
  [undefined, 'off', {}, null],
])('of the sandbox modes %s (input) and %s (file) the stricter applies', (input, file, overrides, note) => {
  const of = (sandbox: Config['sandbox']): Config => (sandbox === undefined ? {} : { sandbox });
  expect(resolved(of(input), of(file))).toEqual({
    overrides,
    notes: note === null ? [] : [`sandbox: ${note}`],
  });
});

test.each<[key: string, input: Config, file: Config, applies: Config, note: string]>([
  [
    'limits.maxTurns',
    { limits: { maxTurns: 9 } },
    { limits: { maxTurns: 3 } },
    {},
    '3 applies, as the configuration says; it is stricter than the input max_turns: 9.',
  ],
  [
    'limits.maxCostUsd',
    { limits: { maxCostUsd: 1, maxTurns: 2 } },
    { limits: { maxCostUsd: 5 } },
    { limits: { maxCostUsd: 1, maxTurns: 2 } },
    "1 applies, as the input budget_usd says; it is stricter than the configuration's 5.",
  ],
  [
    'triggers.allowBots',
    { triggers: { allowBots: ['Renovate[bot]', 'x[bot]'] } },
    { triggers: { allowBots: ['renovate[bot]', 'y[bot]'] } },
    { triggers: { allowBots: ['Renovate[bot]'] } },
    'Renovate[bot] applies, which the configuration (renovate[bot], y[bot]) and the input allowed_bots (Renovate[bot], x[bot]) allow together.',
  ],
  [
    'tools.web',
    { tools: { web: { allow: ['a.test'] } } },
    { tools: { web: false } },
    {},
    'false applies, as the configuration says; it is stricter than the input network_allow: {"allow":["a.test"]}.',
  ],
  [
    'tools.web',
    { tools: { web: { allow: ['a.test', 'b.test'] } } },
    { tools: { web: { allow: ['b.test'], backend: 'exa' } } },
    {},
    '{"allow":["b.test"],"backend":"exa"} applies, as the configuration says; it is stricter than the input network_allow: {"allow":["a.test","b.test"]}.',
  ],
  [
    'review.failOn',
    { review: { failOn: 'critical' } },
    { review: { failOn: 'medium' } },
    {},
    'medium applies, as the configuration says; it is stricter than the input fail_on: critical.',
  ],
  [
    'review.checksOnly',
    { review: { checksOnly: false } },
    { review: { checksOnly: true } },
    {},
    'true applies, as the configuration says; it is stricter than the input checks_only: false.',
  ],
  [
    'triggers.failedBuild',
    { triggers: { failedBuild: 'all' } },
    { triggers: { failedBuild: 'off' } },
    {},
    'off applies, as the configuration says; it is stricter than the input config: all.',
  ],
  [
    'permissions.onAsk',
    { permissions: { onAsk: 'comment' } },
    { permissions: { onAsk: 'deny' } },
    {},
    'deny applies, as the configuration says; it is stricter than the input config: comment.',
  ],
  [
    'permissions.rules',
    { permissions: { rules: [{ tool: 'bash', action: 'allow' }] } },
    { permissions: { rules: [{ tool: 'bash', action: 'reject' }] } },
    {
      permissions: {
        rules: [
          { tool: 'bash', action: 'reject' },
          { tool: 'bash', action: 'allow' },
        ],
      },
    },
    'a list of 2 applies, which the configuration (a list of 1) and the input config (a list of 1) allow together.',
  ],
  [
    'protected.allow',
    { protected: { allow: ['.github/workflows/**'] } },
    { protected: { allow: [] } },
    {},
    'none applies, as the configuration says; it is stricter than the input config: .github/workflows/**.',
  ],
  [
    'env.pass',
    { env: { pass: { 'hook:lint': ['NPM_TOKEN'] } } },
    { env: { pass: {} } },
    {},
    '{} applies, as the configuration says; it is stricter than the input config: {"hook:lint":["NPM_TOKEN"]}.',
  ],
])('of two values of %s the stricter applies: %j and %j', (key, input, file, applies, note) => {
  expect(resolved(input, file)).toEqual({ overrides: applies, notes: [`${key}: ${note}`] });
});

test('a value that only one of them sets applies without a word', () => {
  const input: Config = { limits: { maxTurns: 3 }, triggers: { allowBots: ['x[bot]'] } };
  expect(resolved(input, { limits: { maxCostUsd: 1 } })).toEqual({ overrides: input, notes: [] });
});

test('every other input takes precedence over the files', () => {
  const inputs: Config = { model: 'a/b', profile: 'review', setup: 'npm ci', sandbox: 'off' };
  const files: Config = { model: 'c/d', profile: 'craft', setup: 'make', sandbox: 'required' };
  expect(resolved(inputs, files).overrides).toEqual({
    ...{ model: 'a/b', profile: 'review', setup: 'npm ci' },
  });
});

test('the configuration is what is left of the inputs over the files', () => {
  const files: Config = { model: 'a/b', limits: { maxTurns: 5, maxCostUsd: 1 } };
  const inputs: Config = { model: 'c/d', limits: { maxTurns: 9, maxTokens: 100 } };
  expect(effectiveConfig(inputs, files).config).toEqual({
    model: 'c/d',
    limits: { maxTurns: 5, maxCostUsd: 1, maxTokens: 100 },
  });
});
