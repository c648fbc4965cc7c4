import { expect, test } from 'vitest';
import { changeRisk } from '../../src/workspace/change-risk.ts';

const nothing = { before: null, after: null };

test.each([
  ['package-lock.json', 'high'],
  ['deep/Cargo.lock', 'high'],
  ['.github/workflows/test.yml', 'high'],
  ['.npmrc', 'high'],
  ['tsconfig.json', 'medium'],
  ['config/app.yaml', 'medium'],
  ['Dockerfile', 'medium'],
  ['.eslintrc', 'medium'],
  ['src/main.ts', 'low'],
  ['README.md', 'low'],
])('%s is of %s risk', (path, risk) => {
  expect(changeRisk(path, nothing)).toBe(risk);
});

test('a package.json is of high risk when something else is installed or run by itself', () => {
  const manifest = (value: object) => JSON.stringify(value);
  const before = manifest({ version: '1', scripts: { test: 't' }, dependencies: { a: '1' } });
  const risk = (after: string | null) => changeRisk('packages/a/package.json', { before, after });
  expect({
    version: risk(manifest({ version: '2', scripts: { test: 'u' }, dependencies: { a: '1' } })),
    postinstall: risk(manifest({ scripts: { test: 't', postinstall: 'x' }, dependencies: { a: '1' } })),
    dependency: risk(manifest({ scripts: { test: 't' }, dependencies: { a: '2' } })),
    broken: risk('{'),
    deleted: risk(null),
  }).toEqual({ version: 'medium', postinstall: 'high', dependency: 'high', broken: 'high', deleted: 'high' });
});
