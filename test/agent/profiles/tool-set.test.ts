import { expect, test } from 'vitest';
import { findProfile } from '../../../src/agent/profiles/profiles.ts';
import { makeToolSet } from '../../../src/agent/profiles/tool-set.ts';
import { advertisedTools } from '../../../src/tools/advertised-tools.ts';
import { builtinTools } from '../../../src/tools/builtin-tools.ts';

/** The tools of a craft run as a built program has them, and how often all of them were loaded. */
function lazyTools() {
  let loads = 0;
  const all = async () => {
    loads += 1;
    return builtinTools;
  };
  const set = makeToolSet({ atHand: advertisedTools, all }, findProfile('craft'), []);
  return { set, loads: () => loads };
}

test('a call for tools that are at hand loads no others', async () => {
  const { set, loads } = lazyTools();
  await set.ready(['bash', 'read', 'read_file']);
  expect([set.find('bash')?.tool.name, set.find('multi_edit')?.tool.name, loads()]).toEqual([
    'bash',
    undefined,
    0,
  ]);
});

test('a call for any other name loads all tools, once, and finds what it means', async () => {
  const { set, loads } = lazyTools();
  await set.ready(['multi_edit']);
  await set.ready(['no_such_tool']);
  expect([set.find('multi_edit')?.tool.name, set.find('bash')?.tool.name, loads()]).toEqual([
    'multi_edit',
    'bash',
    1,
  ]);
});

test('what leads to other tools loads them', async () => {
  const seen = [];
  for (const name of ['tool_search', 'use_tool', 'batch']) {
    const { set, loads } = lazyTools();
    await set.ready([name]);
    seen.push([name, set.find('list_directory')?.tool.name, loads()]);
  }
  expect(seen).toEqual([
    ['tool_search', 'list_directory', 1],
    ['use_tool', 'list_directory', 1],
    ['batch', 'list_directory', 1],
  ]);
});

test('all tools of a run are those that a set with everything at hand has', async () => {
  const names = (await lazyTools().set.all()).map(({ name }) => name);
  expect(names).toEqual(makeToolSet(builtinTools, findProfile('craft'), []).tools.map(({ name }) => name));
});

test('those at hand are the tools that a first request may tell of', () => {
  // No run begins with `task.return`: only children that have something to return are told of it.
  const told = builtinTools.filter(({ name, exposure }) => exposure === undefined && name !== 'task.return');
  expect(advertisedTools).toEqual(told);
});
