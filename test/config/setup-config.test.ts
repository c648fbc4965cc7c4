import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { parseRepositoryConfig } from '../../src/config/parse-repository-config.ts';

const file = '.github/anode.yml';

test('a set-up is one command, or a table of settings', () => {
  const setup = {
    commands: ['npm ci', 'go mod download'],
    registries: ['registry.npmjs.org', '*.example.com', 'localhost:4873'],
    scripts: true,
    cache: ['**/node_modules', '~/go/pkg/mod'],
    lockfiles: ['**/package-lock.json'],
    timeoutSeconds: 60,
  };
  expect([parseConfig('setup: npm ci', file), parseConfig(JSON.stringify({ setup }), file)]).toEqual([
    { setup: 'npm ci' },
    { setup },
  ]);
});

test.each([
  [
    'setup:\n  commands: [npm ci]\n  registry: [x]',
    '3:3: unknown key setup.registry. Known here: commands, registries',
  ],
  ['setup:\n  registries: [a.example]', '2:3: setup.commands: Invalid input: expected array'],
  [
    'setup:\n  commands: [a]\n  registries: ["https://a.example"]',
    '3:16: setup.registries.0: a host, perhaps with a port',
  ],
  ['setup:\n  commands: [a]\n  registries: ["*"]', '3:16: setup.registries.0: a host, perhaps with a port'],
  ['setup:\n  commands: [a]\n  cache: [../out]', '3:11: setup.cache.0: a path below the root'],
  ['setup:\n  commands: [a]\n  cache: [/etc]', '3:11: setup.cache.0: a path below the root'],
  ['setup:\n  commands: [a]\n  cache: ["~/"]', '3:11: setup.cache.0: a path below the root'],
  ['setup:\n  commands: [a]\n  cache: [sub/.git/hooks]', '3:11: setup.cache.0: a path below the root'],
])('an invalid set-up is refused with its position (%#)', (text, words) => {
  expect(() => parseConfig(text, file)).toThrow(`${file}:${words}`);
});

test('private addresses are opened only by the operator of an App, and in a workflow by its base branch', () => {
  const text = 'network:\n  privateRegistries: [npm.internal:4873]';
  const config = { network: { privateRegistries: ['npm.internal:4873'] } };
  expect(() => parseRepositoryConfig(text, file, 'app')).toThrow(
    `${file}: network.privateRegistries cannot be set in a repository's file`,
  );
  expect(parseRepositoryConfig(text, file, 'action')).toEqual(config);
  expect(parseConfig(text, file)).toEqual(config);
});
