import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  type ExternalSource,
  type LoadedTools,
  loadExternalTools,
} from '../../../src/tools/registry/load-external-tools.ts';
import { defineTool, type Tool } from '../../../src/tools/tool.ts';

const toolNamed = (name: string, description = 'Does it.'): Tool =>
  defineTool({
    name,
    description,
    aliases: name === 'read' ? { read_file: {} } : {},
    input: z.object({}),
    level: 'auto_read',
    readOnly: true,
    targets: () => ({ what: name }),
    execute: async () => ({ content: name }),
  });

const builtin = async () => [toolNamed('read'), toolNamed('task.return')];

/** A source that brings tools by name; `change` makes it bring others. */
function source(name: string, load: ExternalSource['load']) {
  const closed: string[] = [];
  let changed: (loaded: LoadedTools) => void = () => undefined;
  return {
    name,
    load,
    watch: (listen: typeof changed) => {
      changed = listen;
    },
    change: (...names: string[]) => changed({ tools: names.map((one) => toolNamed(one)), problems: [] }),
    close: async () => void closed.push(name),
    closed,
  };
}

const bringing =
  (names: readonly string[], problems: readonly string[] = []) =>
  async (): Promise<LoadedTools> => ({ tools: names.map((name) => toolNamed(name)), problems });

/** Loads the sources: names and reports so far, and a function that ends it. */
function open(sources: readonly ExternalSource[], timeoutMs = 60_000, signal = new AbortController().signal) {
  const told: string[] = [];
  const external = loadExternalTools(sources, {
    builtin,
    timeoutMs,
    signal,
    report: (one) => told.push(one),
  });
  return { external, told, names: () => external.current().map(({ name }) => name) };
}

describe('extension tools', () => {
  test('come in the order of their sources, without taken names, and each problem is reported once', async () => {
    const slow = Promise.withResolvers<LoadedTools>();
    const opened = open([
      source('the toolbox', () => slow.promise),
      source(
        'the MCP server shop',
        bringing(['mcp__b', 'READ_FILE', 'task_return', 'tb__a'], ['One thing.', 'One thing.']),
      ),
    ]);
    slow.resolve({ tools: [toolNamed('tb__a')], problems: [] });
    await opened.external.loaded;
    expect([opened.names(), opened.told.sort()]).toEqual([
      ['tb__a', 'mcp__b'],
      [
        'One thing.',
        'The MCP server shop has a tool READ_FILE, a name that a built-in tool already has; it is left out.',
        'The MCP server shop has a tool task_return, a name that a built-in tool already has; it is left out.',
        'The MCP server shop has a tool tb__a, a name that another tool of the toolbox already has; it is left out.',
      ],
    ]);
  });

  test('are available even if one source fails and another never answers', async () => {
    const opened = open(
      [
        source('the plugin lint', () => Promise.reject(new Error('it printed garbage'))),
        source('the MCP server deaf', () => new Promise(() => undefined)),
        source('the toolbox', bringing(['tb__a'])),
      ],
      20,
    );
    await opened.external.loaded;
    expect([opened.names(), opened.told]).toEqual([
      ['tb__a'],
      [
        'The plugin lint could not be loaded, so its tools are missing: it printed garbage.',
        'The MCP server deaf could not be loaded, so its tools are missing: not within 0.02 s.',
      ],
    ]);
  });

  test('change when their source reports it, until the run has ended', async () => {
    const server = source('the MCP server shop', bringing(['mcp__a', 'mcp__b']));
    const { external, names } = open([server]);
    await external.loaded;
    const first = external.current();
    const before = [names(), external.current() === first];
    server.change('mcp__b', 'mcp__c');
    const after = names();
    await external.close();
    await external.close();
    server.change('mcp__d');
    expect([before, after, names(), server.closed]).toEqual([
      [['mcp__a', 'mcp__b'], true],
      ['mcp__b', 'mcp__c'],
      ['mcp__b', 'mcp__c'],
      ['the MCP server shop'],
    ]);
  });

  test('do not delay the end of a run that is aborted while they load', async () => {
    const run = new AbortController();
    const opened = open([source('the toolbox', () => new Promise(() => undefined))], 60_000, run.signal);
    run.abort(new Error('cancelled'));
    await opened.external.loaded;
    await opened.external.close();
    expect([opened.names(), opened.told]).toEqual([[], []]);
  });

  test('have a limited number of reported problems', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `mcp__${index}`);
    const { external, names, told } = open([source('the MCP server shop', bringing(many, many))]);
    await external.loaded;
    expect([names().length, told.length, told.slice(20)]).toEqual([
      256,
      22,
      [
        'The MCP server shop has 280 more problems.',
        'The MCP server shop has 300 tools; only the first 256 can be called.',
      ],
    ]);
  });
});
