import { expect, test } from 'vitest';
import { findLocksOutOfStep } from '../../src/checks/lockfiles.ts';
import { diffOf, type Tree } from './diff-fixture.ts';

const found = async (before: Tree, after: Tree) =>
  (await findLocksOutOfStep(await diffOf(before, after))).map(
    ({ path, line, title, body }) =>
      `${path}:${line} ${title}: ${[...body.matchAll(/^- (.*)$/gm)].map(([, one]) => one).join('; ')}`,
  );

const npm = (dependencies: object) => `${JSON.stringify({ name: 'shop', dependencies }, null, 2)}\n`;
const npmLock = (packages: object) => `${JSON.stringify({ lockfileVersion: 3, packages }, null, 2)}\n`;

test('npm: a dependency that is missing, different or outdated in the lock file is reported at its line', async () => {
  const before = {
    'package.json': npm({ a: '^1.0.0', b: '^1.0.0' }),
    'package-lock.json': npmLock({ '': { dependencies: { a: '^1.0.0', b: '^1.0.0' } } }),
  };
  expect([
    await found(before, { 'package.json': npm({ a: '^2.0.0', c: '^1.0.0' }) }),
    await found(before, {
      'package.json': npm({ a: '^1.0.0', b: '^1.0.0', c: '^1.0.0' }),
      'package-lock.json': npmLock({ '': { dependencies: { a: '^1.0.0', b: '^1.0.0', c: '^1.0.0' } } }),
    }),
    await found(before, { 'package.json': npm({ a: '^1.0.0', b: '^1.0.0' }).replace('shop', 'store') }),
  ]).toEqual([
    [
      'package.json:4 package-lock.json is out of step: `a` is in it for another version; `c` is not in it; `b` was removed here and is still in it',
    ],
    [],
    [],
  ]);
});

test('npm: the lock file of a workspace is in a parent folder, and excludes local packages', async () => {
  const lock = npmLock({ 'packages/web': { dependencies: { a: '^1.0.0' } } });
  const before = { 'packages/web/package.json': npm({ a: '^1.0.0' }), 'package-lock.json': lock };
  expect(
    await found(before, {
      'packages/web/package.json': npm({ a: '^1.0.0', own: 'workspace:*', b: '^3.0.0' }),
    }),
  ).toEqual(['packages/web/package.json:6 package-lock.json is out of step: `b` is not in it']);
});

const others: readonly { name: string; before: Tree; after: Tree; expected: readonly string[] }[] = [
  {
    name: 'yarn',
    before: { 'package.json': npm({ a: '^1.0.0' }), 'yarn.lock': 'a@^1.0.0:\n  version "1.0.0"\n' },
    after: { 'package.json': npm({ a: '^1.1.0', '@s/b': '^1.0.0' }) },
    expected: [
      'package.json:4 yarn.lock is out of step: `a` is in it for another version; `@s/b` is not in it',
    ],
  },
  {
    name: 'pnpm',
    before: {
      'package.json': npm({ a: '^1.0.0' }),
      'pnpm-lock.yaml': 'importers:\n  .:\n    dependencies:\n      a:\n        specifier: ^1.0.0\n',
    },
    after: { 'package.json': npm({ a: '^1.1.0', b: '^1.0.0' }) },
    expected: ['package.json:4 pnpm-lock.yaml is out of step: `a` changed here alone; `b` is not in it'],
  },
  {
    name: 'uv',
    before: {
      'pyproject.toml': '[project]\ndependencies = ["requests>=2"]\n',
      'uv.lock': '[[package]]\nname = "requests"\n',
    },
    after: {
      'pyproject.toml': '[project]\ndependencies = [\n  "requests>=2",\n  "Typing_Extensions>=4",\n]\n',
    },
    expected: ['pyproject.toml:2 uv.lock is out of step: `typing-extensions` is not in it'],
  },
  {
    name: 'poetry',
    before: {
      'pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.12"\n',
      'poetry.lock': '[[package]]\nname = "idna"\n',
    },
    after: { 'pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.13"\nflask = "^3"\n' },
    expected: ['pyproject.toml:3 poetry.lock is out of step: `flask` is not in it'],
  },
  {
    name: 'cargo',
    before: {
      'Cargo.toml': '[dependencies]\nserde = "1"\n',
      'Cargo.lock': '[[package]]\nname = "serde"\n',
    },
    after: { 'Cargo.toml': '[dependencies]\nserde = "1"\nrt = { package = "tokio", version = "1" }\n' },
    expected: ['Cargo.toml:3 Cargo.lock is out of step: `tokio` is not in it'],
  },
  {
    name: 'go',
    before: {
      'go.mod': 'module x\n\nrequire example.com/a v1.0.0\n',
      'go.sum': 'example.com/a v1.0.0 h1:x\nexample.com/a v1.0.0/go.mod h1:y\n',
    },
    after: {
      'go.mod': 'module x\n\nrequire (\n\texample.com/a v1.2.0\n\texample.com/b v1.0.0 // indirect\n)\n',
    },
    expected: [
      'go.mod:4 go.sum is out of step: `example.com/a` is in it for another version; `example.com/b` is not in it',
    ],
  },
  {
    name: 'bundler',
    before: { Gemfile: "gem 'rails'\n", 'Gemfile.lock': 'GEM\n  specs:\n    rails (8.0.0)\n' },
    after: { Gemfile: "gem 'rails'\ngem 'puma', '~> 6'\n" },
    expected: ['Gemfile:2 Gemfile.lock is out of step: `puma` is not in it'],
  },
  {
    name: 'composer',
    before: {
      'composer.json': '{"require": {"php": ">=8"}}\n',
      'composer.lock': '{"packages": []}\n',
    },
    after: { 'composer.json': '{"require": {"php": ">=8.1",\n"monolog/monolog": "^3"}}\n' },
    expected: ['composer.json:2 composer.lock is out of step: `monolog/monolog` is not in it'],
  },
];

test.for(others)("$name: the lock file is parsed in its package manager's format", async (one) => {
  expect(await found(one.before, one.after)).toEqual(one.expected);
});

test('without a lock file, or with an unreadable manifest or lock, nothing is compared', async () => {
  expect([
    await found({ 'package.json': npm({}) }, { 'package.json': npm({ a: '1' }) }),
    await found({ 'package.json': npm({}), 'package-lock.json': '{' }, { 'package.json': npm({ a: '1' }) }),
    await found({ 'Cargo.toml': '[a]\n', 'Cargo.lock': '' }, { 'Cargo.toml': '[dependencies\n' }),
  ]).toEqual([[], [], []]);
});

test('hostile manifests and locks take limited time, and parts not compared are reported', async () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, '1']));
  const deep = `{"lockfileVersion":3,"packages":{"":{}},"x":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
  const diff = await diffOf(
    {},
    {
      'npm/package.json': JSON.stringify({ dependencies: many }),
      'npm/package-lock.json': deep,
      'pnpm/package.json': JSON.stringify({ dependencies: many }),
      'pnpm/pnpm-lock.yaml': '\n'.repeat(400_000),
      'go/go.mod': `${'a.b.'.repeat(100_000)}\n${'\n'.repeat(400_000)}require a.b/c v1.0.0\n`,
      'go/go.sum': 'x\n',
      'gem/Gemfile': `${' '.repeat(200_000)}x\n${'\n'.repeat(400_000)}gem "rails"\n`,
      'gem/Gemfile.lock': 'x\n',
    },
  );
  const found = await findLocksOutOfStep(diff);
  expect(found.map(({ path, title }) => [path, title])).toEqual([
    ['gem/Gemfile', 'gem/Gemfile.lock is out of step'],
    ['go/go.mod', 'go/go.sum is out of step'],
    ['npm/package.json', 'npm/package-lock.json is out of step'],
    ['pnpm/package.json', 'pnpm/pnpm-lock.yaml was not compared'],
  ]);
});
