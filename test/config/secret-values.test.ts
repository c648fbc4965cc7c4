import { expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import {
  configuredSecrets,
  passedSecrets,
  runSecrets,
  secretValues,
} from '../../src/config/secret-values.ts';

it('finds secrets by the names of variables, in URLs, and in the settings of providers', () => {
  const environment = {
    ANTHROPIC_API_KEY: 'anthropic-key',
    GITHUB_TOKEN: 'github-token',
    DEPLOY_PAT: 'deploy-pat',
    SENTRY_DSN: 'sentry-dsn',
    NPM_AUTH: 'npm-auth',
    DB_PASS: 'database-pass',
    DB_PASSWORD: 'database-password',
    DB_PASSWD: 'database-passwd',
    KEY_PASSPHRASE: 'key-passphrase',
    CLIENT_SECRET: 'client-secret',
    CLOUD_CREDENTIALS: 'cloud-credentials',
    KEYBOARD: 'no-secret-at-all',
    COMPASS: 'none-either',
    AWS_ACCESS_KEY_ID: 'access-key-id',
    AWS_BEARER_TOKEN_BEDROCK: 'bedrock-key',
    DATABASE_URL: 'postgres://app:p%40ssword@db.internal/app',
    OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
    MY_MODEL: 'key-by-reference',
    SHORT_TOKEN: 'abc',
    EMPTY_TOKEN: undefined,
    HOME: '/home/ada',
  };
  const providers = {
    local: { apiKey: '{env:MY_MODEL}' },
    other: { apiKey: 'literal-key' },
    missing: { apiKey: '{env:NOT_SET}' },
    none: {},
    proxy: { baseUrl: 'https://us:gateway-pass@models.internal/v1' },
  };
  expect(secretValues(environment, providers)).toEqual([
    'anthropic-key',
    'github-token',
    'deploy-pat',
    'sentry-dsn',
    'npm-auth',
    'database-pass',
    'database-password',
    'database-passwd',
    'key-passphrase',
    'client-secret',
    'cloud-credentials',
    'access-key-id',
    'bedrock-key',
    'p%40ssword',
    'p@ssword',
    'key-by-reference',
    'literal-key',
    'gateway-pass',
  ]);
});

it('a variable of env.pass is a secret, unless it is a word, a number, a path or a host', () => {
  const environment = {
    DATABASE_URL: 'postgres://ada@db/shop',
    LINT: 'k3y-of-the-linter',
    MODE: 'production',
    PORT: '1234567',
    PLACE: '/srv/data-1/x',
    HOST: 'db.example.com:5432',
    SHORT: 'a1b2',
    OTHER: 'n0t-handed-on',
  };
  const pass = {
    'toolbox:db': ['DATABASE_URL', 'LINT', 'MODE', 'PORT'],
    'hook:x': ['PLACE', 'HOST', 'SHORT', 'LINT', 'UNSET'],
  };
  expect([passedSecrets(environment, { pass }), passedSecrets(environment, undefined)]).toEqual([
    ['postgres://ada@db/shop', 'k3y-of-the-linter'],
    [],
  ]);
});

it('a configured value for servers and agents is a secret if its name says so and it is literal', () => {
  const config = parseConfig(
    JSON.stringify({
      mcp: {
        servers: {
          shop: {
            url: 'https://mcp.example.com/mcp',
            headers: {
              Authorization: 'Bearer of-the-shop-1',
              'X-Api-Key': 'of-the-shop-2',
              Accept: 'text/plain',
            },
          },
          db: {
            command: 'db',
            env: { DB_PASSWORD: 'of-the-db-3', DB_HOST: 'localhost', TOKEN: '{env:TOKEN}' },
          },
        },
      },
      a2a: {
        agents: { docs: { url: 'https://a.example.com', headers: { Authorization: 'Basic of-docs-4' } } },
      },
    }),
    'config.json',
  );
  expect([configuredSecrets(config), configuredSecrets({})]).toEqual([
    ['of-the-shop-1', 'of-the-shop-2', 'of-the-db-3', 'of-docs-4'],
    [],
  ]);
});

it("includes the values of a run's environment, programs, configuration and own program", () => {
  const config = {
    providers: { other: { apiKey: 'literal-key' } },
    env: { pass: { 'mcp:shop': ['SHOP_LOGIN'] } },
    a2a: {
      agents: { far: { url: 'https://far.example', headers: { authorization: 'Bearer of-the-agent-1' } } },
    },
  };
  const environment = { NPM_TOKEN: 'npm-token', SHOP_LOGIN: 'rex:of-the-shop-4' };
  expect(runSecrets({ environment, config, secrets: ['of-the-run'] })).toEqual([
    'npm-token',
    'literal-key',
    'rex:of-the-shop-4',
    'of-the-agent-1',
    'of-the-run',
  ]);
});
