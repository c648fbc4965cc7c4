import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { Config } from '../../src/config/schema.ts';
import { readSource, root, trackedFiles } from './source-tree.ts';

const documents = trackedFiles().filter((file) => file.endsWith('.md') && !file.startsWith('demo/sample/'));

test('every link in the documentation leads to a file', () => {
  const links = documents.flatMap((file) =>
    [...readSource(file).matchAll(/\[[^\]]*\]\(([^)#]+)[^)]*\)/g)]
      .map(([, target]) => target ?? '')
      .filter((target) => !/^https?:/.test(target))
      .map((target) => path.join(path.dirname(file), target)),
  );
  expect(links.filter((target) => !existsSync(path.join(root, target)))).toEqual([]);
});

test('every file that the documents name exists', () => {
  const names = [
    'ARCHITECTURE.md',
    'AGENTS.md',
    'CONTRIBUTING.md',
    'docs/dependencies.md',
    'docs/performance.md',
    'docs/security.md',
  ].flatMap((file) =>
    [...readSource(file).matchAll(/`((?:src|test|scripts|docs)\/[\w./-]+)`/g)].map(([, name]) => name ?? ''),
  );
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});

test('every configuration key is documented', () => {
  const text = readSource('docs/configuration.md');
  expect(Object.keys(Config.shape).filter((key) => !new RegExp(`\`${key}[.\`]`).test(text))).toEqual([]);
});

test('the examples of the configuration are valid', () => {
  const examples = [
    'docs/configuration.md',
    'docs/toolbox.md',
    'docs/web.md',
    'docs/plugins.md',
    'docs/a2a.md',
  ].flatMap((file) => [...readSource(file).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]);
  expect(examples.length).toBeGreaterThan(5);
  for (const [, text] of examples)
    expect(() => parseConfig(text ?? '', 'docs/configuration.md')).not.toThrow();
});

test('every dependency has its reason in docs/dependencies.md', () => {
  const text = readSource('docs/dependencies.md');
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readSource('package.json'));
  const packages = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const named = packages.filter((name) => !name.startsWith('@types/')).map((name) => `\`${name}\``);
  expect(named.filter((words) => !text.includes(words))).toEqual([]);
});

test('the toolbox programs in the documentation are those that are tested', () => {
  const displayed = [...readSource('docs/toolbox.md').matchAll(/^```(?:bash|js)\n([\s\S]*?)^```$/gm)];
  expect(displayed.map(([, text]) => text)).toEqual(
    ['run-tests', 'db-query'].map((name) => readSource(`test/fixtures/toolbox/${name}`)),
  );
});

test('each class of attacks is listed with the promise that it tests', () => {
  const promised = [...readSource('docs/security.md').matchAll(/^\| .+ \| (`.+`) \|$/gm)];
  const named = promised.flatMap(([, tests = '']) =>
    [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const classes = trackedFiles().flatMap(
    (file) => /^test\/red-team\/([^/]+)\.test\.ts$/.exec(file)?.[1] ?? [],
  );
  expect(named.toSorted()).toEqual(classes.toSorted());
});
