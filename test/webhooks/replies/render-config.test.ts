import { expect, test } from 'vitest';
import type { Config } from '../../../src/config/schema.ts';
import { ConfigError } from '../../../src/contract/errors.ts';
import { renderConfig } from '../../../src/webhooks/replies/render-config.ts';

type EventRequest = Parameters<typeof renderConfig>[0];
const settings: Parameters<typeof renderConfig>[1] = {
  host: 'app',
  ownLogins: [],
  serverUrl: 'https://github.test',
  overrides: {},
  operatorConfig: {},
  sandbox: 'required',
  dryRun: false,
};
const judged = (layers: EventRequest['configLayers'], configError: ConfigError | null = null) =>
  ({
    ...{ configError, configLayers: layers, trustedBranch: null },
    facts: { repository: { private: false } },
  }) as EventRequest;
const shown = (text: string) => text.split('\n').filter((line) => line.startsWith('| `'));

test('each key has its value and the strongest source of it', () => {
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

test('keys, tokens and addresses of the operator are not shown', () => {
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

test('an invalid file is reported with its problem', () => {
  const error = new ConfigError('.github/anode.yml:3: modle: unknown key.', { key: 'modle' });
  expect(renderConfig(judged([], error), settings).split('\n')[0]).toBe(
    '**The configuration cannot be used, so nothing is started.** .github/anode.yml:3: modle: unknown key.',
  );
});

const rows = (config: Config, change: Partial<typeof settings> = {}) =>
  shown(renderConfig(judged([{ name: 'file', config }]), { ...settings, ...change }));

test('the answer is a table with a heading, and no value can break it', () => {
  const text = renderConfig(judged([{ name: 'a|b\n file', config: { model: 'a|`b`\n c' } }]), settings);
  expect(text.split('\n').slice(0, 5)).toEqual([
    'Configuration of this thread:',
    '',
    '| key | value | from |',
    '|---|---|---|',
    "| `model` | `a\\|'b' c` | a\\|b file |",
  ]);
});

test('150 rows are shown, with the number of further ones', () => {
  const layer = (count: number): Config => ({
    providers: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'openai' as const }]),
    ),
  });
  const lines = (count: number) =>
    renderConfig(judged([{ name: 'file', config: layer(count) }]), settings).split('\n');
  // Eight rows are defaults.
  expect([lines(142).length, lines(142).at(-1)?.startsWith('| `review.auto`')]).toEqual([154, true]);
  expect(lines(143).slice(-2)).toEqual(['', 'and 1 more']);
  expect(lines(143).length).toBe(156);
});

test('a key without a value is omitted, and white space around a value removed', () => {
  expect(rows({ model: undefined, profile: ' b ' })[0]).toBe('| `profile` | `b` | file |');
});

test('a value of 160 characters is shown whole, and a longer one is cut', () => {
  const [whole, cut] = [160, 161].map((length) => rows({ model: 'm'.repeat(length) })[0]);
  expect([whole, cut]).toEqual([
    `| \`model\` | \`${'m'.repeat(160)}\` | file |`,
    `| \`model\` | \`${'m'.repeat(160)}…\` | file |`,
  ]);
});

test('a default is shown only if nothing sets it, or a key below it', () => {
  const set: Config = {
    ...{ permissions: { preset: 'strict' }, sandbox: 'required', profile: 'quick' },
    ...{ limits: { timeoutSeconds: 5 }, review: { auto: false } },
    triggers: { mention: 'm', label: { a: 'fix' }, onRefusal: 'comment' },
  };
  expect(rows(set)).toEqual([
    '| `permissions.preset` | `strict` | file |',
    '| `sandbox` | `required` | file |',
    '| `profile` | `quick` | file |',
    '| `limits.timeoutSeconds` | `5` | file |',
    '| `review.auto` | `false` | file |',
    '| `triggers.mention` | `m` | file |',
    '| `triggers.label.a` | `fix` | file |',
    '| `triggers.onRefusal` | `comment` | file |',
  ]);
  expect(rows({}, { overrides: { limits: { maxTurns: 3 } }, host: 'action' })[0]).toBe(
    '| `limits.maxTurns` | `3` | the workflow |',
  );
  expect(rows({}, { overrides: { limits: { maxTurns: 3 } } })[0]).toBe(
    '| `limits.maxTurns` | `3` | the operator |',
  );
  expect(
    rows({ profile: 'quick' }, { operatorConfig: { profile: 'study', model: 'a/b' } }).slice(0, 2),
  ).toEqual(['| `profile` | `quick` | file |', '| `model` | `a/b` | the operator |']);
});

test('operator values are shown only for keys that reveal nothing of the machine', () => {
  const operatorConfig = {
    ...{ model: 'a/b', models: { allow: ['c'] }, profile: 'quick', limits: { maxTurns: 3 } },
    ...{ sandbox: 'required', permissions: { preset: 'strict' }, triggers: { mention: 'm' } },
    ...{ review: { auto: false }, storage: { path: '/srv' }, tools: { x: 1 } },
  } as Config;
  const values = shown(renderConfig(judged([]), { ...settings, operatorConfig })).map((line) =>
    line.split(' | ').slice(0, 2).join(': '),
  );
  expect(values.filter((line) => !/label|onRefusal|timeoutSeconds/.test(line))).toEqual([
    '| `model`: `a/b`',
    '| `models.allow`: `["c"]`',
    '| `profile`: `quick`',
    '| `limits.maxTurns`: `3`',
    '| `sandbox`: `required`',
    '| `permissions.preset`: `strict`',
    '| `triggers.mention`: `m`',
    '| `review.auto`: `false`',
    '| `storage.path`: `(not shown)`',
    '| `tools.x`: `(not shown)`',
  ]);
});

test("a text under the name of a secret is not shown, nor a provider's values except its type", () => {
  const named = (name: string, value: unknown) =>
    rows({ a: { [name]: value } } as Config)[0]?.split(' | ')[1];
  const secret = ['apiKey', 'TOKEN', 'secrets', 'my_password', 'credentials'];
  expect(secret.map((name) => named(name, 'x'))).toEqual(secret.map(() => '`(not shown)`'));
  expect([named('maxTokens', 5), named('name', 'x'), named('key', true)]).toEqual(['`5`', '`x`', '`true`']);
  const providers = { own: { type: 'openai', baseUrl: 'u' } } as Config['providers'];
  expect(rows(providers === undefined ? {} : { providers }).slice(0, 2)).toEqual([
    '| `providers.own.type` | `openai` | file |',
    '| `providers.own.baseUrl` | `(not shown)` | file |',
  ]);
  const rules = [{ tool: 'bash', action: 'allow', source: 'file:3' }];
  expect(rows({ permissions: { rules } } as Config)[0]).toBe(
    '| `permissions.rules` | `[{"tool":"bash","action":"allow"}]` | file |',
  );
});
