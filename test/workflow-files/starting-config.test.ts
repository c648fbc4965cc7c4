import { expect, test } from 'vitest';
import { parseRepositoryConfig } from '../../src/config/parse-repository-config.ts';
import { knownLockfiles, setupFor, startingConfig } from '../../src/workflow-files/starting-config.ts';
import { ecosystems } from '../../src/workspace/setup/ecosystems.ts';

test('a first configuration is valid, with one command for each ecosystem', () => {
  const config = (...files: string[]) =>
    parseRepositoryConfig(startingConfig(setupFor(files)), 'anode.yml', 'app');
  expect([
    config(),
    config('package-lock.json'),
    config('package-lock.json', 'pnpm-lock.yaml', 'go.sum', 'poetry.lock', 'uv.lock'),
  ]).toEqual([
    { permissions: { preset: 'careful' } },
    { permissions: { preset: 'careful' }, setup: 'npm ci' },
    {
      permissions: { preset: 'careful' },
      setup: { commands: ['pnpm install --frozen-lockfile', 'uv sync --frozen', 'go mod download'] },
    },
  ]);
});

test('each command is one of a package manager that the set-up knows', () => {
  const programs = new Set(ecosystems.flatMap((one) => one.programs));
  const commands = knownLockfiles.flatMap((name) => setupFor([name]));
  expect(commands).toHaveLength(knownLockfiles.length);
  expect(commands.filter((command) => !programs.has(command.split(' ')[0] ?? ''))).toEqual([]);
});
