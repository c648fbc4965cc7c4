import { expect, test } from 'vitest';
import { builtinTools } from '../../src/tools/registry/builtin-tools.ts';
import { readSource, trackedFiles } from './source-tree.ts';

/** The lists of built-in tools, and what a first request or a start needs at hand. */
const lists = ['builtin-tools', 'standard-tools', 'start-tools'].map((one) => `src/tools/registry/${one}.ts`);

const sources = trackedFiles().filter((file) => /^src\/.*\.ts$/.test(file));
const fileOf = (name: string) => (name === 'PATCH' ? 'propose-patch' : name.replaceAll(/[._]/g, '-'));

test('a tool is named only in its own file and the list of built-in tools', () => {
  const others = sources.filter((file) => !lists.includes(file));
  const texts = others.map((file) => [file, readSource(file)] as const);
  const scattered = builtinTools.flatMap((tool) => {
    const own = `/${fileOf(tool.name)}.ts'`;
    // A tool may build on another; nothing but tools imports one.
    const importers = texts.filter(([, text]) => text.includes(own) && !text.includes('defineTool('));
    return importers.map(([file]) => `${tool.name}: ${file}`);
  });
  // These two use one tool as such: findings are proven by commands, and calls are made in batches.
  expect(scattered.sort()).toEqual(['bash: src/run/proof.ts', 'batch: src/agent/calls/inner-calls.ts']);
});

test('the search words of a tool are in its own file', () => {
  const found = builtinTools.filter(({ findBy }) => findBy !== undefined);
  const elsewhere = found.filter(({ name }) => {
    const file = sources.find((one) => one.endsWith(`/${fileOf(name)}.ts`)) ?? '';
    return !readSource(file).includes('findBy: [');
  });
  expect([found.length > 20, elsewhere.map(({ name }) => name)]).toEqual([true, []]);
});
