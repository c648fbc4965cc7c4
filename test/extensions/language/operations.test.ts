import { afterEach, describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import type { LanguageServers, ServerInUse } from '../../../src/extensions/language/language-run.ts';
import { lspTool } from '../../../src/extensions/language/lsp-tool.ts';
import {
  askAtPosition,
  askOfFile,
  askOfWorkspace,
  readCalls,
} from '../../../src/extensions/language/operations.ts';
import { able, type ScriptedLanguages, scriptedLanguages } from './scripted-server.ts';

const capabilities = [
  ...[
    'definition',
    'references',
    'hover',
    'documentSymbol',
    'workspaceSymbol',
    'implementation',
    'callHierarchy',
  ],
].map((name) => `${name}Provider`);

/** A server that can do what is named and answers by method, over one file. */
function played(
  answers: Readonly<Record<string, Json | Error>>,
  { can = capabilities, busy = false }: { can?: readonly string[]; busy?: boolean } = {},
) {
  const asked: unknown[] = [];
  const server = {
    ...{ name: 'toyls', busy, messages: ['w1'] },
    can: (capability: string) => can.includes(capability),
    ready: async (milliseconds: number) => void asked.push(['ready', milliseconds]),
    async request(method: string, params: Json, { timeoutMs }: { timeoutMs: number }) {
      asked.push([method, params, timeoutMs]);
      const answer = answers[method];
      if (answer instanceof Error) throw answer;
      return answer ?? null;
    },
  };
  const documents = {
    sync: async (paths: readonly string[]) =>
      paths.map((path) => ({
        path,
        uri: `file:///w/${path}`,
        version: 1,
        text: 'let one = two\none()\n',
        sentAt: 0,
      })),
  };
  const used = { server, documents, key: 'k', reads: () => true, tsserver: false, indexesAll: true };
  const servers = {
    withServer: (file: string, _: unknown, work: (used: ServerInUse) => unknown) => {
      asked.push(file);
      return work(used as unknown as ServerInUse);
    },
  } as unknown as LanguageServers;
  const call = { workspace: {} as never, signal: new AbortController().signal };
  const at = (operation: Parameters<typeof askAtPosition>[0], more: JsonObject = {}) =>
    askAtPosition(
      operation,
      { path: 'a.toy', line: 0, character: 4, includeDeclaration: true, ...more },
      servers,
      call,
    ).catch((error: ToolError) => `${error.kind}: ${error.message}`);
  return { asked, servers, call, at };
}
const place = { textDocument: { uri: 'file:///w/a.toy' }, position: { line: 0, character: 4 } };
const answer = {
  text: 'let one = two\none()\n',
  position: { line: 0, character: 4 },
  state: { partial: false, messages: ['w1'] },
  unopened: 0,
};
const started = ['a.toy', ['ready', 20_000]];

describe('a request about a position', () => {
  test.each([
    ['goToDefinition', 'textDocument/definition'],
    ['hover', 'textDocument/hover'],
    ['goToImplementation', 'textDocument/implementation'],
    ['prepareCallHierarchy', 'textDocument/prepareCallHierarchy'],
  ] as const)('%s sends %s', async (operation, method) => {
    const { at, asked } = played({ [method]: { x: 1 } });
    expect(await at(operation)).toEqual({ ...answer, result: { x: 1 } });
    expect(asked).toEqual([...started, [method, place, 45_000]]);
  });

  test.each([
    ['incomingCalls', 'callHierarchy/incomingCalls'],
    ['outgoingCalls', 'callHierarchy/outgoingCalls'],
  ] as const)('%s requests the item, then %s', async (operation, method) => {
    const prepare = 'textDocument/prepareCallHierarchy';
    const { at, asked } = played({ [prepare]: [{ name: 'one' }, { name: 'two' }], [method]: [{ y: 1 }] });
    expect(await at(operation)).toEqual({ ...answer, result: { item: { name: 'one' }, calls: [{ y: 1 }] } });
    expect(asked.slice(2)).toEqual([
      [prepare, place, 45_000],
      [method, { item: { name: 'one' } }, 45_000],
    ]);
    const none = played({ [prepare]: [] });
    expect([await none.at(operation), none.asked.length]).toEqual([{ ...answer, result: null }, 3]);
    expect(await played({ [prepare]: 'x' }).at(operation)).toEqual({ ...answer, result: null });
  });

  test('reports that the server is still loading', async () => {
    expect(await played({}, { busy: true }).at('hover')).toMatchObject({
      state: { partial: true, messages: ['w1'] },
    });
  });
});

describe('references', () => {
  const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 3 } });
  const location = (line: number, uri = 'file:///w/a.toy') => ({ uri, range: range(line) });
  const all = [location(0), location(1), location(0, 'file:///w/b.toy'), 'no place'];
  const [references, definition] = ['textDocument/references', 'textDocument/definition'];

  test('are all, or those at which no definition starts', async () => {
    const answers = { [references]: all, [definition]: [location(0)] };
    const whole = played(answers);
    expect(await whole.at('findReferences')).toEqual({ ...answer, result: all });
    expect(whole.asked.slice(2)).toEqual([
      [references, { ...place, context: { includeDeclaration: true } }, 45_000],
    ]);
    const fewer = played(answers);
    expect(await fewer.at('findReferences', { includeDeclaration: false })).toEqual({
      ...answer,
      result: [location(1), location(0, 'file:///w/b.toy'), 'no place'],
    });
    expect(fewer.asked.slice(3)).toEqual([[definition, place, 45_000]]);
  });

  test.each([
    ['is not known', { [references]: all, [definition]: new ToolError('failed', 'no') }, capabilities],
    ['cannot be asked for', { [references]: all, [definition]: [location(0)] }, ['referencesProvider']],
    ['is null', { [references]: all }, capabilities],
  ])('stay complete if the definition %s', async (_, answers, can) => {
    const { at } = played(answers, { can });
    expect(await at('findReferences', { includeDeclaration: false })).toMatchObject({ result: all });
  });

  test("of nothing are empty, and our own error is not reported as the server's", async () => {
    const { at } = played({ [definition]: [location(0)] });
    expect(await at('findReferences', { includeDeclaration: false })).toMatchObject({ result: null });
    const broken = played({ [references]: all, [definition]: new TypeError('ours') });
    expect(await broken.at('findReferences', { includeDeclaration: false })).toBe('undefined: ours');
  });
});

describe('a name without a line', () => {
  const symbol = (name: string, line: number, character: number) => ({
    ...{ name, kind: 12 },
    range: { start: { line, character: 0 }, end: { line, character: 9 } },
    selectionRange: { start: { line, character }, end: { line, character: character + 3 } },
  });
  const requested = { symbol: 'one', line: undefined, character: undefined } as unknown as JsonObject;

  test("is searched for at the server's definition", async () => {
    const { at } = played({ 'textDocument/documentSymbol': [symbol('one', 1, 0)] });
    expect(await at('hover', requested)).toMatchObject({ position: { line: 1, character: 0 } });
  });

  test.each([
    ['cannot say what a file defines', ['hoverProvider']],
    ['knows no such name', capabilities],
  ])('is at its first occurrence if the server %s', async (_, can) => {
    const { at, asked: requests } = played({ 'textDocument/documentSymbol': [symbol('two', 1, 0)] }, { can });
    expect(await at('hover', requested)).toMatchObject({ position: { line: 0, character: 4 } });
    expect(requests.length).toBe(can.length === 1 ? 3 : 4);
  });

  test('needs no such request if it has a line', async () => {
    const { at, asked: requests } = played({});
    expect(await at('hover', { symbol: 'one', line: 1 })).toMatchObject({
      position: { line: 1, character: 0 },
    });
    expect(requests.length).toBe(3);
  });
});

describe('a request about a file or the workspace', () => {
  test('is sent when the file is open', async () => {
    const { asked, servers, call } = played({ 'textDocument/documentSymbol': [1], 'workspace/symbol': [2] });
    const state = { partial: false, messages: ['w1'] };
    expect([
      await askOfFile('a.toy', servers, call),
      await askOfWorkspace('q', 'a.toy', servers, call),
    ]).toEqual([
      { result: [1], state },
      { result: [2], state },
    ]);
    expect(asked).toEqual([
      ...[...started, ['textDocument/documentSymbol', { textDocument: { uri: 'file:///w/a.toy' } }, 45_000]],
      ...[...started, ['workspace/symbol', { query: 'q' }, 45_000]],
    ]);
  });
});

test('an unsupported operation is refused with the supported ones', async () => {
  const { at } = played({}, { can: ['hoverProvider', 'callHierarchyProvider'] });
  expect(await at('goToDefinition')).toBe(
    'unavailable: toyls, the language server for a.toy, cannot do goToDefinition. It can do: hover, prepareCallHierarchy, incomingCalls, outgoingCalls, diagnostics. Use code_search or grep for the rest.',
  );
});

test('calls are parsed from an answer', () => {
  const item = { name: 'one' };
  expect([
    readCalls({ item, calls: [{ a: 1 }, 'x', null] }),
    readCalls({ item, calls: 'none' }),
    readCalls({ item: 'x', calls: [] }),
    readCalls(null),
  ]).toEqual([{ item, calls: [{ a: 1 }] }, { item, calls: [] }, null, null]);
});

let languages: ScriptedLanguages | null = null;
afterEach(async () => {
  await languages?.close();
  languages = null;
});

/** The languages' tools over files that are counted: what was read, and where servers and roots of projects were looked for. */
function counting({ harness: { context }, servers }: ScriptedLanguages) {
  const { files } = context.workspace;
  const read: string[] = [];
  const looked: string[] = [];
  const counted: typeof files = {
    ...files,
    read(path, most) {
      read.push(path);
      return files.read(path, most);
    },
    stat(path) {
      looked.push(path);
      return files.stat(path);
    },
  };
  const workspace = { ...context.workspace, files: counted };
  const tool = lspTool(servers);
  return {
    /** Asks for the references of `two` in a.toy. */
    async ask() {
      read.length = 0;
      looked.length = 0;
      const input = tool.input.parse({ operation: 'findReferences', path: 'a.toy', line: 0, symbol: 'two' });
      await tool.execute(input, { ...context, workspace }, undefined);
      return { read: [...read].sort(), looked: looked.filter((path) => /toy\.(mod|bin)$/.test(path)).sort() };
    },
  };
}

const silent = able(({ method }) => (/definition|references/.test(method) ? null : undefined));

test('for references each file is read once, and its server found once for each folder', async () => {
  languages = await scriptedLanguages(
    {
      ...{ 'a.toy': 'two', 'b.toy': 'two', 'deep/er/c.toy': 'two', 'deep/er/d.toy': 'two' },
      // Of another project: another server's.
      ...{ 'other/toy.mod': '', 'other/e.toy': 'two', 'other/more/f.toy': 'two' },
      // No text, and of no server.
      ...{ 'g.toy': Buffer.from('two \0'), 'h.text': 'two' },
    },
    silent,
    { inCheckout: 'toy.bin', markers: ['toy.mod'] },
  );
  const { ask } = counting(languages);
  const requestLog = {
    read: ['a.toy', 'b.toy', 'deep/er/c.toy', 'deep/er/d.toy'],
    looked: [
      ...['deep/er/toy.bin', 'deep/er/toy.mod', 'deep/toy.bin', 'deep/toy.mod'],
      ...['other/more/toy.bin', 'other/toy.bin', 'other/toy.mod'],
      // Of the file that is asked about, and of the others.
      ...['toy.bin', 'toy.bin', 'toy.mod', 'toy.mod'],
    ],
  };
  expect(await ask()).toEqual(requestLog);
  // What is open is read again, as it may have changed.
  expect(await ask()).toEqual(requestLog);
  expect(languages.received.filter(({ method }) => method === 'textDocument/didOpen')).toHaveLength(4);
});
