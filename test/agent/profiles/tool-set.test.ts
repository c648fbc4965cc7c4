import { expect, test } from 'vitest';
import * as z from 'zod';
import { findProfile } from '../../../src/agent/profiles/profiles.ts';
import { withoutThread } from '../../../src/agent/profiles/tool-filters.ts';
import { makeToolSet } from '../../../src/agent/profiles/tool-set.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import { standardTools } from '../../../src/tools/registry/standard-tools.ts';
import { startTools } from '../../../src/tools/registry/start-tools.ts';
import { defineTool, type Tool } from '../../../src/tools/tool.ts';

/** The tools of a craft run in a built program, and the loaded ones. */
function lazyTools() {
  const loads: string[] = [];
  const load = (name: string, tools: readonly Tool[]) => async () => {
    loads.push(name);
    return tools;
  };
  const more = [load('advertised', standardTools), load('all', builtinTools)];
  const set = makeToolSet({ atHand: startTools, more }, findProfile('craft'), []);
  return { set, loads };
}

test('calling a preloaded tool loads no others', async () => {
  const { set, loads } = lazyTools();
  await set.ready(['bash', 'read', 'read_file']);
  expect([set.find('bash')?.tool.name, set.find('edit_file')?.tool.name, loads]).toEqual([
    'bash',
    undefined,
    [],
  ]);
});

test('calling a tool with a definition loads only the tools with one', async () => {
  const { set, loads } = lazyTools();
  await Promise.all([set.ready(['edit_file']), set.ready(['bash', 'todo_write'])]);
  await set.ready(['task']);
  expect([set.find('edit_file')?.tool.name, set.find('multi_edit')?.tool.name, loads]).toEqual([
    'edit_file',
    undefined,
    ['advertised', 'advertised'],
  ]);
});

test('calling any other name loads all tools once and resolves the name', async () => {
  const { set, loads } = lazyTools();
  await set.ready(['multi_edit']);
  await set.ready(['no_such_tool']);
  expect([set.find('multi_edit')?.tool.name, set.find('bash')?.tool.name, loads]).toEqual([
    'multi_edit',
    'bash',
    ['advertised', 'all'],
  ]);
});

test('tools that lead to others load them', async () => {
  const seen = [];
  for (const name of ['tool_search', 'use_tool', 'batch']) {
    const { set, loads } = lazyTools();
    await set.ready([name]);
    seen.push([name, set.find('list_directory')?.tool.name, loads]);
  }
  expect(seen).toEqual([
    ['tool_search', 'list_directory', ['advertised', 'all']],
    ['use_tool', 'list_directory', ['advertised', 'all']],
    ['batch', 'list_directory', ['advertised', 'all']],
  ]);
});

test('all tools of a run are the same as in a set with everything loaded', async () => {
  const names = (await lazyTools().set.all()).map(({ name }) => name);
  expect(names).toEqual(makeToolSet(builtinTools, findProfile('craft'), []).tools.map(({ name }) => name));
});

test('a name resolves to the same tool however many are loaded, and a disabled one to none', async () => {
  const names = builtinTools.flatMap(({ name, aliases }) => [name, ...Object.keys(aliases ?? {})]);
  const spelt = names.flatMap((name) => [name, name.replaceAll('.', '_'), name.toUpperCase()]);
  const disabled = ['bash', 'edit_file'];
  const full = makeToolSet(builtinTools, findProfile('craft'), disabled);
  const meanings = await Promise.all(
    spelt.map(async (name) => {
      const more = [async () => standardTools, async () => builtinTools];
      const lazy = makeToolSet({ atHand: startTools, more }, findProfile('craft'), disabled);
      await lazy.ready([name]);
      return [name, lazy.find(name), lazy.absent(name)];
    }),
  );
  expect(meanings).toEqual(spelt.map((name) => [name, full.find(name), full.absent(name)]));
});

test('a request while all tools load removes none of them', async () => {
  const advertised = Promise.withResolvers<readonly Tool[]>();
  const more = [() => advertised.promise, async () => builtinTools];
  const set = makeToolSet({ atHand: startTools, more }, findProfile('craft'), []);
  const slow = set.ready(['edit_file']);
  const all = await set.all();
  advertised.resolve(standardTools);
  await slow;
  expect([set.tools.length, set.find('multi_edit')?.tool.name]).toEqual([all.length, 'multi_edit']);
});

test('the tools loaded early are those of a first request and include the preloaded ones', () => {
  // No run starts with `task.return`: only children with a result to return get it.
  const reported = builtinTools.filter(
    ({ name, exposure }) => exposure === undefined && name !== 'task.return',
  );
  expect(standardTools).toEqual(reported);
  expect(startTools.filter((tool) => !reported.includes(tool))).toEqual([]);
});

test('a run without a thread finds no tool to read one, and gets the reason', () => {
  const set = makeToolSet(builtinTools, withoutThread(findProfile('craft')), []);
  const found = (name: string) => [set.find(name)?.tool.name ?? null, set.absent(name)];
  const why =
    'This run belongs to no issue or pull request, so there is no conversation to read; go on without it.';
  expect([found('chat_search'), found('chat.read_messages'), found('set_labels'), found('read')]).toEqual([
    [null, why],
    [null, why],
    [null, 'This run has no set_labels; go on without it.'],
    ['read', null],
  ]);
});

/** A craft run with tools that others bring. */
const bringing = (...names: string[]) =>
  makeToolSet(
    [
      ...builtinTools,
      ...names.map((name) =>
        defineTool({
          name,
          description: 'Does it.',
          exposure: 'deferred',
          input: z.object({}),
          level: 'confirm_execute',
          readOnly: false,
          targets: () => ({ what: name }),
          execute: async () => ({ content: name }),
        }),
      ),
    ],
    findProfile('craft'),
    [],
  );

test('an extension tool is found with underscores for hyphens if only one tool matches', () => {
  const set = bringing('mcp__a__get-sum', 'mcp__a__run-it', 'mcp__a__run.it', 'tb__Tests');
  const requested = [
    'mcp__a__get_sum',
    'MCP__A__Get-Sum',
    'mcp__a__run_it',
    'mcp__a__run-it',
    'tb__tests',
    'get_sum',
  ];
  expect(requested.map((name) => set.find(name)?.tool.name ?? null)).toEqual([
    'mcp__a__get-sum',
    'mcp__a__get-sum',
    'mcp__a__run.it',
    'mcp__a__run-it',
    'tb__Tests',
    null,
  ]);
});

test('similar names share the most words, for built-in and extension tools', () => {
  const files = ['read_file', 'read_text_file', 'write_file'].map((name) => `mcp__filesystem__${name}`);
  const set = bringing('tb__go-tests', 'tb__run-tests', ...files, 'plugin__todo__scan');
  const near = (name: string) => set.near(name);
  expect([
    near('mcp__filesystem__read_text'),
    near('filesystem.read_text_file'),
    near('tb__run_test'),
    near('plugin__todos__scan'),
    near('mcp__mute__anything'),
  ]).toEqual([
    ['mcp__filesystem__read_text_file'],
    ['mcp__filesystem__read_text_file'],
    ['tb__run-tests'],
    ['plugin__todo__scan'],
    [],
  ]);
});

test('a search waits a limited time for extension tools, and a call of an unknown tool until they are loaded', async () => {
  const loaded = Promise.withResolvers<void>();
  const external = {
    ...{ current: () => [], problems: () => [], loaded: loaded.promise },
    close: async () => undefined,
  };
  const set = makeToolSet(builtinTools, findProfile('craft'), [], { external, graceMs: 1 });
  const done: string[] = [];
  const wait = async (name: string) => {
    await set.ready([name]);
    done.push(name);
  };
  const called = wait('mcp__a__b');
  await wait('list_directory');
  await wait('tool_search');
  const before = [...done];
  loaded.resolve();
  await called;
  expect([before, done]).toEqual([
    ['list_directory', 'tool_search'],
    ['list_directory', 'tool_search', 'mcp__a__b'],
  ]);
});
