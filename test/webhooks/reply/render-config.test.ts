import { expect, test } from 'vitest';
import type { Config } from '../../../src/config/schema.ts';
import { ConfigError } from '../../../src/contract/errors.ts';
import { renderConfig } from '../../../src/webhooks/reply/render-config.ts';

type Judged = Parameters<typeof renderConfig>[0];
const settings: Parameters<typeof renderConfig>[1] = {
  host: 'app',
  ownLogins: [],
  serverUrl: 'https://github.test',
  overrides: {},
  sandbox: 'required',
  dryRun: false,
};
const judged = (layers: Judged['configLayers'], configError: ConfigError | null = null) =>
  ({ configError, configLayers: layers }) as Judged;
const shown = (text: string) => text.split('\n').filter((line) => line.startsWith('| `'));

test('each key is told with what holds and the strongest that says so', () => {
  const own: Config = { limits: { maxTurns: 9 }, review: { ignore: ['a|b'] }, hooks: { before: [] } };
  const organisation: Config = { limits: { maxTurns: 5, maxCostUsd: 1 }, hooks: { before: [] } };
  const text = renderConfig(
    judged([
      { name: '.github/anode.yml', config: own },
      { name: 'acme/.github', config: organisation },
    ]),
    settings,
  );
  expect(shown(text)).toEqual([
    '| `limits.maxTurns` | `9` | .github/anode.yml |',
    '| `limits.maxCostUsd` | `1` | acme/.github |',
    '| `hooks.before` | `[]` | .github/anode.yml, acme/.github |',
    '| `review.ignore` | `["a\\|b"]` | .github/anode.yml |',
    '| `permissions.preset` | `careful` | default |',
    '| `sandbox` | `required` | default |',
    '| `profile` | `craft` | default |',
    '| `limits.timeoutSeconds` | `1800` | default |',
    '| `triggers.mention` | `anode` | default |',
    '| `triggers.label` | `anode:implement` | default |',
    '| `triggers.onRefusal` | `silent` | default |',
    '| `review.auto` | `true` | default |',
  ]);
});

test('keys, tokens and the addresses of the operator stay out of it', () => {
  const operatorConfig: Config = {
    model: 'own/a',
    workspace: { repos: ['/srv/canary-3'] },
    providers: { own: { type: 'openai', apiKey: 'canary-1', baseUrl: 'https://canary-2:x@intern.test/v1' } },
  };
  const text = renderConfig(judged([]), { ...settings, operatorConfig });
  expect(text).not.toMatch(/canary|intern/);
  expect(text).toContain('| `providers.own.apiKey` | `(not shown)` | the operator |');
  expect(text).toContain('| `workspace.repos` | `(not shown)` | the operator |');
  expect(text).toContain('| `model` | `own/a` | the operator |');
});

test('a file that cannot be used is told with its problem', () => {
  const error = new ConfigError('.github/anode.yml:3: modle: unknown key.', { key: 'modle' });
  expect(renderConfig(judged([], error), settings).split('\n')[0]).toBe(
    '**The configuration cannot be used, so nothing is started.** .github/anode.yml:3: modle: unknown key.',
  );
});
