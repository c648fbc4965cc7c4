import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { diagnosticsTool } from '../../../src/extensions/language/diagnostics-tool.ts';
import { getDiagnosticsTool } from '../../../src/extensions/language/get-diagnostics-tool.ts';
import type { LanguageServers } from '../../../src/extensions/language/language-run.ts';
import { lspTool } from '../../../src/extensions/language/lsp-tool.ts';
import { able, type Script, type ScriptedLanguages, scriptedLanguages } from './scripted-server.ts';

const none = {} as LanguageServers;

describe('the definition of each language server tool', () => {
  const reply = (tool: ReturnType<typeof lspTool>) => {
    const { name, description, argumentAliases, exposure, level, readOnly } = tool;
    return { name, description, argumentAliases, exposure, level, readOnly };
  };
  const common = { exposure: 'deferred', level: 'auto_read', readOnly: true };

  test('has its name, its description, and other names of its arguments', () => {
    expect([reply(lspTool(none)), reply(getDiagnosticsTool(none)), reply(diagnosticsTool(none))]).toEqual([
      {
        ...common,
        name: 'lsp',
        description:
          'Ask a language server, which knows types: definitions, references, hover, symbols, implementations, diagnostics, call hierarchy. Name a place by path and symbol, or by line and character from 0.',
        argumentAliases: {
          ...{ file_path: 'path', file: 'path', filePath: 'path', column: 'character', name: 'symbol' },
          include_declaration: 'includeDeclaration',
        },
      },
      {
        ...common,
        name: 'get_diagnostics',
        description: 'Errors and warnings of language servers for files: types, unresolved names, syntax.',
        argumentAliases: { file_path: 'path', files: 'paths', file: 'path', timeout_ms: 'wait_timeout_ms' },
      },
      {
        ...common,
        name: 'diagnostics',
        description:
          'Errors and warnings of language servers for a folder or the whole project, up to 100 files.',
        argumentAliases: { file_path: 'path', directory: 'path', folder: 'path' },
      },
    ]);
    expect(lspTool(none, ['go', 'rust']).description.slice(-32)).toBe(
      'character from 0. Here: go, rust.'.slice(-32),
    );
  });

  test('has its default arguments and its targets', () => {
    const parsed = (tool: ReturnType<typeof lspTool>, input: object) => {
      const args = tool.input.parse(input);
      return [args, tool.targets(args)];
    };
    const long = Array.from({ length: 100 }, (_, index) => `folder/file${index}.ts`);
    const read = (path: string) => ({ path, access: 'read' });
    expect([
      parsed(lspTool(none), { operation: 'hover' }),
      parsed(lspTool(none), { operation: 'hover', path: 'a.ts', symbol: 's', query: 'q', line: '3' }),
      parsed(lspTool(none), { operation: 'hover', query: 'q', includeDeclaration: 'true', limit: 1 }),
      parsed(getDiagnosticsTool(none), { severity: 'all' }),
      parsed(getDiagnosticsTool(none), { path: 'a.ts', paths: ['b.ts'], wait: true, wait_timeout_ms: 5 }),
      parsed(diagnosticsTool(none), {}),
      parsed(diagnosticsTool(none), { path: 'src', limit: 1_000 }),
    ]).toEqual([
      [
        { operation: 'hover', includeDeclaration: false, limit: 200 },
        { what: 'hover', paths: [read('.')] },
      ],
      [
        {
          ...{ operation: 'hover', path: 'a.ts', symbol: 's', query: 'q', line: 3 },
          ...{ includeDeclaration: false, limit: 200 },
        },
        { what: 'hover s a.ts', paths: [read('a.ts')] },
      ],
      [
        { operation: 'hover', query: 'q', includeDeclaration: true, limit: 1 },
        { what: 'hover q', paths: [read('.')] },
      ],
      [
        { wait: false, wait_timeout_ms: 10_000, severity: 'any' },
        { what: 'diagnostics of changed files', paths: [read('.')] },
      ],
      [
        { path: 'a.ts', paths: ['b.ts'], wait: true, wait_timeout_ms: 5, severity: 'any' },
        { what: 'diagnostics of a.ts, b.ts', paths: [read('a.ts'), read('b.ts')] },
      ],
      [
        { path: '.', severity: 'any', limit: 200, wait_timeout_ms: 30_000 },
        { what: 'diagnostics of .', paths: [read('.')] },
      ],
      [
        { path: 'src', severity: 'any', limit: 1_000, wait_timeout_ms: 30_000 },
        { what: 'diagnostics of src', paths: [read('src')] },
      ],
    ]);
    const [, targets] = parsed(getDiagnosticsTool(none), { paths: long }) as [unknown, { what: string }];
    expect(targets.what).toBe(`diagnostics of ${long.join(', ')}`.slice(0, 500));
    const refused = [
      lspTool(none).input.safeParse({ operation: 'hover', line: -1 }),
      lspTool(none).input.safeParse({ operation: 'hover', symbol: 'x'.repeat(301) }),
      lspTool(none).input.safeParse({ operation: 'hover', limit: 0 }),
      diagnosticsTool(none).input.safeParse({ limit: 1_001 }),
      getDiagnosticsTool(none).input.safeParse({ wait_timeout_ms: 0 }),
    ];
    expect(refused.map(({ success }) => success)).toEqual([false, false, false, false, false]);
  });
});

test.for([
  [
    'goToDefinition',
    'goToDefinition',
    'go_to_definition',
    'definition',
    'textDocument/definition',
    'GOTODEFINITION',
  ],
  ['findReferences', 'findReferences', 'references', 'textDocument/references', 'find references'],
  ['hover', 'hover', 'textDocument/hover'],
  ['documentSymbol', 'documentSymbol', 'symbols', 'document-symbols', 'textDocument/documentSymbol'],
  ['workspaceSymbol', 'workspaceSymbol', 'workspace_symbols', 'workspace/symbol'],
  [
    'goToImplementation',
    'goToImplementation',
    'implementation',
    'findImplementations',
    'textDocument/implementation',
  ],
  ['diagnostics', 'diagnostics', 'getDiagnostics', 'textDocument/diagnostic', 'workspace/diagnostic'],
  ['prepareCallHierarchy', 'prepareCallHierarchy', 'callHierarchy', 'textDocument/prepareCallHierarchy'],
  ['incomingCalls', 'incomingCalls', 'incoming_calls', 'callHierarchy/incomingCalls'],
  ['outgoingCalls', 'outgoingCalls', 'callHierarchy/outgoingCalls'],
])('%s has these names', ([operation, ...names]) => {
  const read = names.map((name) => lspTool(none).input.parse({ operation: name }));
  expect(read).toEqual(names.map(() => ({ operation, includeDeclaration: false, limit: 200 })));
});

test.for(['rename', 'toString', 'symbol', 7, null])('%j is no operation', (operation) => {
  expect(lspTool(none).input.safeParse({ operation }).success).toBe(false);
});

const files = { 'a.toy': 'let one = two\n\nlet two = 2\n', 'b.toy': 'use one\n', 'c.text': '' };
let languages: ScriptedLanguages | null = null;
afterEach(async () => {
  await languages?.close();
  languages = null;
});

const everything = {
  ...{ definitionProvider: true, referencesProvider: true, hoverProvider: true, implementationProvider: {} },
  ...{ documentSymbolProvider: true, workspaceSymbolProvider: true, callHierarchyProvider: true },
};
async function play(script: Script, capabilities: JsonObject = everything) {
  languages = await scriptedLanguages(files, able(script, capabilities));
  return languages;
}
const range = (line: number, character: number) => {
  const start = { line, character };
  return { start, end: start };
};
const place = (root: string, file: string, line: number, character: number): JsonObject => ({
  ...{ uri: `file://${root}/${file}`, range: range(line, character) },
});
const note =
  '[path:line:column count from 1, as read shows lines; as input, line and character count from 0, one less]';
const two = 'two at a.toy:1:11 (line 0, character 10 from 0): let one = two';
const at = { path: 'a.toy', line: 0, symbol: 'two' };

/** The questions that the server was asked, less the address of the tree. */
const requested = ({ received, harness }: ScriptedLanguages) =>
  received
    .filter(
      ({ id, method }) => id !== undefined && method !== undefined && !/initialize|shutdown/.test(method),
    )
    .map(({ method, params }) =>
      `${method} ${JSON.stringify(params)}`.replaceAll(`file://${harness.root}/`, ''),
    );
const position = '"textDocument":{"uri":"a.toy"},"position":{"line":0,"character":10}';

test('each request about a position follows the protocol', async () => {
  const played = await play(({ method }, { root }) => {
    if (method === 'textDocument/hover') return { contents: 'a number' };
    if (method === 'textDocument/prepareCallHierarchy')
      return [{ name: 'two', kind: 12, ...place(root, 'a.toy', 2, 4) }];
    if (method === 'callHierarchy/incomingCalls')
      return [{ from: { name: 'one', kind: 12, ...place(root, 'b.toy', 0, 4) }, fromRanges: [range(0, 0)] }];
    if (method === 'callHierarchy/outgoingCalls')
      return [{ to: { name: 'one', kind: 12, ...place(root, 'b.toy', 0, 4) }, fromRanges: [range(0, 4)] }];
    if (method === 'textDocument/documentSymbol') return [{ name: 'two', kind: 13, range: range(2, 4) }];
    return method === 'initialize' ? undefined : [place(root, 'b.toy', 0, 4)];
  });
  const { say } = played;
  const ask = (operation: string, more: JsonObject = {}) => say('lsp', { operation, ...at, ...more });
  const found = `b.toy:1:5  use one\n${note}`;
  expect([
    await ask('goToDefinition'),
    await ask('goToImplementation'),
    await ask('findReferences', { includeDeclaration: true }),
    await ask('hover'),
    await ask('prepareCallHierarchy'),
    await ask('incomingCalls'),
    await ask('outgoingCalls'),
    await say('lsp', { operation: 'documentSymbol', path: 'a.toy' }),
  ]).toEqual([
    `1 definition of ${two}\n${found}`,
    `1 implementation of ${two}\n${found}`,
    `1 reference of ${two}\n${found}`,
    `${two}\na number`,
    `Call hierarchy of ${two}\na.toy:3:5  function two\n${note}`,
    `1 caller of ${two}\nb.toy:1:5  function one\n  call at b.toy:1:1  use one\n${note}`,
    `1 callee of ${two}\nb.toy:1:5  function one\n  call at a.toy:1:5  let one = two\n${note}`,
    `1 symbol in a.toy\na.toy:3:5  variable two\n${note}`,
  ]);
  const item =
    '{"item":{"name":"two","kind":12,"uri":"a.toy","range":{"start":{"line":2,"character":4},"end":{"line":2,"character":4}}}}';
  expect(requested(played)).toEqual([
    `textDocument/definition {${position}}`,
    `textDocument/implementation {${position}}`,
    `textDocument/references {${position},"context":{"includeDeclaration":true}}`,
    `textDocument/hover {${position}}`,
    `textDocument/prepareCallHierarchy {${position}}`,
    `textDocument/prepareCallHierarchy {${position}}`,
    `callHierarchy/incomingCalls ${item}`,
    `textDocument/prepareCallHierarchy {${position}}`,
    `callHierarchy/outgoingCalls ${item}`,
    'textDocument/documentSymbol {"textDocument":{"uri":"a.toy"}}',
  ]);
});

test('an empty answer is reported', async () => {
  const { say } = await play(() => null);
  const ask = (operation: string) => say('lsp', { operation, ...at });
  expect([await ask('hover'), await ask('prepareCallHierarchy'), await ask('incomingCalls')]).toEqual([
    `Nothing is known of ${two}.`,
    `Nothing callable is at ${two}`,
    `Nothing callable is at ${two}`,
  ]);
  expect(await say('lsp', { operation: 'hover', path: 'a.toy', line: 0, character: 9 })).toBe(
    'Nothing is known of a.toy:1:10 (line 0, character 9 from 0): let one = two.',
  );
});

test('a name without a line is searched for where the file defines it', async () => {
  const played = await play(({ method }) =>
    method === 'textDocument/documentSymbol'
      ? [{ name: 'two', kind: 13, range: range(2, 0) }]
      : method === 'textDocument/hover'
        ? { contents: 'known' }
        : undefined,
  );
  expect(await played.say('lsp', { operation: 'hover', path: 'a.toy', symbol: 'two' })).toBe(
    'two at a.toy:3:5 (line 2, character 4 from 0): let two = 2\nknown',
  );
  expect(await played.say('lsp', { operation: 'hover', path: 'a.toy', symbol: 'one' })).toBe(
    'one at a.toy:1:5 (line 0, character 4 from 0): let one = two\nknown',
  );
});

test('a name without a file works if the workspace has exactly one such symbol', async () => {
  let symbols: (root: string) => JsonObject[] = () => [];
  const played = await play(({ method }, { root }) =>
    method === 'workspace/symbol'
      ? symbols(root)
      : method === 'textDocument/hover'
        ? { contents: 'known' }
        : undefined,
  );
  const ask = () => played.say('lsp', { operation: 'hover', symbol: 'Box.one' });
  const one = (root: string, file: string): JsonObject => ({
    ...{ name: 'one', kind: 6, containerName: 'Box', location: place(root, file, 0, 4) },
  });
  symbols = (root) => [one(root, 'a.toy')];
  expect(await ask()).toBe('one at a.toy:1:5 (line 0, character 4 from 0): let one = two\nknown');
  symbols = (root) => [one(root, 'a.toy'), one(root, 'b.toy')];
  expect(await ask()).toBe(
    `invalid_input: 2 symbols named "Box.one"\na.toy:1:5  method one in Box\nb.toy:1:5  method one in Box\n${note}\nSay which: give path beside symbol.`,
  );
  expect(requested(played).filter((line) => line.startsWith('workspace'))).toEqual([
    'workspace/symbol {"query":"one"}',
    'workspace/symbol {"query":"one"}',
  ]);
});

test('symbols of the workspace are requested by a query, or a symbol, from the server of a file', async () => {
  const { say } = await play(({ method }, { root }) =>
    method === 'workspace/symbol'
      ? [{ name: 'one', kind: 13, location: place(root, 'a.toy', 0, 4) }]
      : undefined,
  );
  const found = (query: string) => `1 symbol for "${query}"\na.toy:1:5  variable one\n${note}`;
  expect([
    await say('lsp', { operation: 'workspaceSymbol', query: 'on' }),
    await say('lsp', { operation: 'workspaceSymbol', symbol: 'one' }),
    await say('lsp', { operation: 'workspaceSymbol', query: 'o', symbol: 'one', path: 'b.toy' }),
    await say('lsp', { operation: 'workspaceSymbol' }),
    await say('lsp', { operation: 'workspaceSymbol', query: 'x', path: 'c.text' }),
  ]).toEqual([
    found('on'),
    found('one'),
    found('o'),
    'invalid_input: workspaceSymbol needs query: a name or the beginning of one.',
    'invalid_input: No language server reads c.text. Use code_search and grep.',
  ]);
});

test('without a file of a server, or a path, the missing argument is named', async () => {
  const { say } = await play(() => undefined);
  const none = lspTool({ samples: () => [] } as unknown as LanguageServers);
  const args = none.input.parse({ operation: 'workspaceSymbol', query: 'x' });
  await expect(none.execute(args, {} as never, undefined)).rejects.toThrow(
    'No file of a language that has a server was found: give path, any file of the language to search.',
  );
  expect([
    await say('lsp', { operation: 'hover' }),
    await say('lsp', { operation: 'diagnostics' }),
    await say('lsp', { operation: 'diagnostics', symbol: 'one' }),
    await say('lsp', { operation: 'hover', path: '.' }),
  ]).toEqual([
    'invalid_input: hover needs path, the file to look at, or symbol.',
    'invalid_input: diagnostics needs path, the file to look at; get_diagnostics takes several, diagnostics a folder.',
    'invalid_input: diagnostics needs path, the file to look at; get_diagnostics takes several, diagnostics a folder.',
    'invalid_input: . is a folder; name a file. For a whole folder there is diagnostics.',
  ]);
});

test('a server with few features lists them', async () => {
  const { say } = await play(() => undefined, { hoverProvider: true, definitionProvider: false });
  const cannot = (operation: string) =>
    `unavailable: toy, the language server for a.toy, cannot do ${operation}. It can do: hover, diagnostics. Use code_search or grep for the rest.`;
  expect([
    await say('lsp', { operation: 'goToDefinition', ...at }),
    await say('lsp', { operation: 'documentSymbol', path: 'a.toy' }),
    await say('lsp', { operation: 'workspaceSymbol', query: 'x', path: 'a.toy' }),
    await say('lsp', { operation: 'outgoingCalls', ...at }),
  ]).toEqual([
    cannot('goToDefinition'),
    cannot('documentSymbol'),
    cannot('workspaceSymbol'),
    cannot('outgoingCalls'),
  ]);
});

test('the requested number of results is displayed, at most a thousand', async () => {
  const { say } = await play(({ method }, { root }) =>
    method === 'textDocument/definition'
      ? Array.from({ length: 1_005 }, (_, index) => place(root, 'gone.toy', index, 0))
      : undefined,
  );
  const lines = async (limit: number) =>
    (await say('lsp', { operation: 'definition', ...at, limit })).split('\n').slice(-3, -1);
  expect([await lines(2_000), await lines(1)]).toEqual([
    ['gone.toy:1000:1', '[5 more; raise limit or ask more narrowly]'],
    ['gone.toy:1:1', '[1004 more; raise limit or ask more narrowly]'],
  ]);
});

test('diagnostics of one file include every severity', async () => {
  const item = (severity: number, line: number) => ({
    range: range(line, 0),
    severity,
    message: `m${severity}`,
  });
  const { say } = await play(
    ({ method }) =>
      method === 'textDocument/diagnostic' ? { items: [item(2, 1), item(1, 2), item(4, 0)] } : undefined,
    { diagnosticProvider: {} },
  );
  const all = ['a.toy:3:1 error: m1', 'a.toy:2:1 warning: m2', 'a.toy:1:1 hint: m4', note];
  expect([
    await say('lsp', { operation: 'diagnostics', path: 'a.toy' }),
    await say('lsp', { operation: 'diagnostics', path: 'a.toy', limit: 1 }),
    await say('get_diagnostics', { path: 'a.toy', severity: 'warning' }),
  ]).toEqual([
    ['1 error, 1 warning, 1 hint in a.toy', ...all].join('\n'),
    ['1 error, 1 warning, 1 hint in a.toy', all[0], '[2 more; narrow path or severity]', note].join('\n'),
    ['1 warning in a.toy', all[1], note].join('\n'),
  ]);
});
