import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { languageServers } from '../../../src/extensions/language/server-table.ts';
import { able, type Script, type ScriptedLanguages, scriptedLanguages } from './scripted-server.ts';

const files = { 'a.toy': 'let one = two\n\nlet two = 2\n', 'b.toy': 'use one\n' };
let languages: ScriptedLanguages | null = null;
afterEach(async () => {
  await languages?.close();
  languages = null;
});

async function play(script: Script, more: Readonly<Record<string, string>> = {}, startMs?: number) {
  languages = await scriptedLanguages(
    { ...files, ...more },
    script,
    startMs === undefined ? {} : { startMs },
  );
  return languages;
}

const define = { operation: 'goToDefinition', path: 'a.toy', line: 0, symbol: 'two' };
const place = (root: string, file: string, line: number, character: number): JsonObject => {
  const start = { line, character };
  return { uri: `file://${root}/${file}`, range: { start, end: start } };
};
const note =
  '[path:line:column count from 1, as read shows lines; as input, line and character count from 0, one less]';
const answer = [
  '1 definition of two at a.toy:1:11 (line 0, character 10 from 0): let one = two',
  'a.toy:3:5  let two = 2',
  note,
].join('\n');
const defines = able(({ method }, { root }) =>
  method === 'textDocument/definition' ? [place(root, 'a.toy', 2, 4)] : undefined,
);

test('a server that prints text before its messages still works', async () => {
  const { say } = await play((received, server) => {
    if (received.method === 'initialize') server.print('Welcome!\nstarting up …\n');
    return defines(received, server);
  });
  expect(await say('lsp', define)).toBe(answer);
});

test('a server that prints only garbage is ended, restarted once, and reported', async () => {
  const { say, told, counts } = await play((_, server) => {
    server.print(Buffer.alloc(300_000, 'no protocol\n'));
    return undefined;
  });
  const gone =
    'unavailable: The language server toy has stopped: it prints what is no message of the Language Server Protocol. It is not started again in this run; use code_search and grep.';
  expect([await say('lsp', define), await say('lsp', define)]).toEqual([gone, gone]);
  expect({ told, ...counts }).toEqual({
    told: [
      'The language server toy prints what is no message of the Language Server Protocol; it is started once more.',
      'The language server toy prints what is no message of the Language Server Protocol; it is not started again in this run.',
    ],
    started: 2,
    running: 0,
  });
});

test('a flood without a request ends it', async () => {
  const { say } = await play(
    able(({ method }, server) => {
      if (method === 'textDocument/definition') {
        const text = JSON.stringify({
          jsonrpc: '2.0',
          method: 'window/logMessage',
          params: { type: 4, message: 'x'.repeat(1_000_000) },
        });
        for (let count = 0; count < 70; count += 1)
          server.print(`Content-Length: ${text.length}\r\n\r\n${text}`);
      }
      return undefined;
    }),
  );
  expect(await say('lsp', define)).toContain('it sent more than 64 MiB without a request.');
});

test('a server that never answers its first request is not awaited twice', async () => {
  const { say, counts } = await play(() => undefined, {}, 20);
  const reply = [await say('lsp', define), await say('lsp', define)];
  expect(reply[0]).toContain('it did not answer within 0.02 seconds of its start.');
  expect([reply[1] === reply[0], counts]).toEqual([true, { started: 1, running: 0 }]);
});

test('a server that ends during a call is restarted with the call; the second end is reported', async () => {
  let deaths = 1;
  const { say, told, counts } = await play((received, server) => {
    if (received.method === 'textDocument/definition' && deaths-- > 0) {
      server.exit(3, '\u001b[31mpanic: out of luck\u001b[0m\n');
      return undefined;
    }
    return defines(received, server);
  });
  expect(await say('lsp', define)).toBe(answer);
  deaths = 1;
  expect(await say('lsp', define)).toBe(
    'unavailable: The language server toy has stopped: it ended with exit code 3 and said: panic: out of luck. It is not started again in this run; use code_search and grep.',
  );
  expect([told.length, counts]).toEqual([2, { started: 2, running: 0 }]);
});

test('two calls that see one end count it once, cause one restart, and both are answered', async () => {
  let requested = 0;
  const { say, told, counts } = await play((received, server) => {
    if (received.method === 'textDocument/definition') requested += 1;
    if (received.method !== 'textDocument/definition' || requested > 2) return defines(received, server);
    if (requested === 2) server.exit(3);
    return undefined;
  });
  expect(await Promise.all([say('lsp', define), say('lsp', define)])).toEqual([answer, answer]);
  expect({ told, ...counts }).toEqual({
    told: ['The language server toy ended with exit code 3; it is started once more.'],
    started: 2,
    running: 1,
  });
});

test('a call that waits for a loading server continues when it ends, before its time limit', async () => {
  let deaths = 1;
  const { say, counts } = await play((received, server) => {
    if (deaths === 0) return defines(received, server);
    if (received.method === 'initialize')
      server.send({ method: '$/progress', params: { token: 1, value: { kind: 'begin' } } });
    if (received.method === 'textDocument/didOpen') {
      deaths -= 1;
      server.exit(3);
    }
    return defines(received, server);
  });
  expect([await say('lsp', define), counts.started]).toEqual([answer, 2]);
  // The 20 seconds that a server may take to load would end it.
}, 19_000);

test('an answer of 50 MB is not read but reported as too large, and the server continues', async () => {
  let large = true;
  const { say, counts } = await play((received, server) => {
    if (received.method !== 'textDocument/definition' || !large) return defines(received, server);
    large = false;
    const startedRun = `{"jsonrpc":"2.0","id":${received.id},"result":"`;
    const length = 50 * 1024 * 1024;
    server.print(`Content-Length: ${startedRun.length + length + 2}\r\n\r\n${startedRun}`);
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 50; count += 1) server.print(megabyte);
    server.print('"}');
    return undefined;
  });
  expect(await say('lsp', define)).toMatch(
    /^too_large: toy sent an answer of 524288\d\d bytes, which is too large/,
  );
  expect([await say('lsp', define), counts.started]).toEqual([answer, 1]);
});

test('addresses outside are reported and never opened, and invalid ranges are dropped', async () => {
  const { say, harness } = await play(
    able(({ method }, { root }) => {
      if (method === 'textDocument/definition') return null;
      if (method !== 'textDocument/references') return undefined;
      const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
      return [
        { uri: 'file:///etc/passwd', range },
        { uri: `file://${root}/../../etc/shadow`, range },
        { uri: `file://${root}/%2e%2e/%2e%2e/etc/group`, range },
        { uri: `file://${root}/out.toy`, range },
        { uri: 'https://example.com/a.toy', range },
        { uri: 'file://server/share/a.toy', range },
        { uri: '\u001b]0;title\u0007\u202enot an address', range },
        { uri: `file://${root}/b.toy`, range: { start: { line: -1, character: 0 }, end: null } },
        {
          uri: `file://${root}/b.toy`,
          range: { start: { line: 1e300, character: 0 }, end: { line: 1, character: 1 } },
        },
        {
          uri: `file://${root}/b.toy`,
          range: { start: { line: 900, character: 7 }, end: { line: 900, character: 9 } },
        },
        { uri: 7, range },
        place(root, '.aws/credentials', 0, 0),
        place(root, 'b.toy', 0, 4),
        place(root, 'b.toy', 0, 4),
        'no place',
      ];
    }),
  );
  harness.write('.aws/credentials', 'aws_secret_access_key = canary\n');
  symlinkSync('/etc/hostname', path.join(harness.root, 'out.toy'));
  const above = (file: string) => path.resolve(harness.root, '../..', file);
  expect(await say('lsp', { ...define, operation: 'references' })).toBe(
    [
      '10 references of two at a.toy:1:11 (line 0, character 10 from 0): let one = two',
      '.aws/credentials:1:1',
      'b.toy:1:5  use one',
      'b.toy:901:8',
      'out.toy:1:1',
      ...[
        'not an address',
        '/etc/passwd',
        above('etc/group'),
        above('etc/shadow'),
        'file://server/share/a.toy',
        'https://example.com/a.toy',
      ]
        .sort()
        .map((displayed) => `${displayed}:1:1  [outside the workspace]`),
      note,
    ].join('\n'),
  );
});

test('references exclude only the definition, never an import, and the server has files with the name open', async () => {
  const { say, harness, received } = await play(
    able(({ method }, { root }) => {
      const definition = place(root, 'a.toy', 0, 10);
      if (method === 'textDocument/definition') return definition;
      if (method === 'textDocument/references') return [definition, place(root, 'checks/c.toy', 0, 7)];
      return undefined;
    }),
  );
  harness.write('checks/c.toy', 'import two\n');
  harness.write('checks/twofold.toy', 'import twofold\n');
  expect(await say('lsp', { ...define, operation: 'references' })).toBe(
    [
      '1 reference of two at a.toy:1:11 (line 0, character 10 from 0): let one = two',
      'checks/c.toy:1:8  import two',
      '[path:line:column count from 1, as read shows lines; as input, line and character count from 0, one less]',
    ].join('\n'),
  );
  const requests = received.filter(({ method }) => /didOpen|references/.test(method));
  expect(requests.map(({ method, params }) => [method, params])).toMatchObject([
    ['textDocument/didOpen', { textDocument: { uri: expect.stringContaining('/a.toy') } }],
    ['textDocument/didOpen', { textDocument: { uri: expect.stringContaining('/checks/c.toy') } }],
    ['textDocument/references', { context: { includeDeclaration: true } }],
  ]);
});

test.each([
  ['gopls', 1],
  ['clangd', 2],
])('files with the name are opened unless the index covers the project: of two files for %s %i', async (name, open) => {
  const known = languageServers.find((one) => one.name === name);
  languages = await scriptedLanguages(
    { ...files, 'c.toy': 'import two\n' },
    able(({ method }) => (/definition|references/.test(method) ? null : undefined)),
    { indexesAll: known?.indexesAll ?? false },
  );
  const { say, received } = languages;
  expect(await say('lsp', { ...define, operation: 'references' })).toContain('No reference of two');
  expect(received.filter(({ method }) => method === 'textDocument/didOpen')).toHaveLength(open);
});

test('a name unknown to every server needs no further request, and non-breaking spaces count as spaces', async () => {
  const { say } = await play(
    able(({ method }) =>
      method === 'workspace/symbol'
        ? []
        : method === 'textDocument/hover'
          ? { contents: 'a&nbsp;&nbsp;b' }
          : undefined,
    ),
  );
  expect([
    await say('lsp', { operation: 'references', symbol: 'nothing' }),
    await say('lsp', { ...define, operation: 'hover' }),
  ]).toEqual([
    'not_found: No symbol named "nothing".\nGive path beside symbol, as not all names are known without it, or use grep.',
    'two at a.toy:1:11 (line 0, character 10 from 0): let one = two\na  b',
  ]);
});

test('text that ends in no name is refused before any request, even if a symbol has no name', async () => {
  const { say, received } = await play(
    able(({ method }, { root }) =>
      method === 'workspace/symbol'
        ? [{ name: '<function>', kind: 12, location: place(root, 'a.toy', 0, 0) }]
        : undefined,
    ),
  );
  expect([await say('lsp', { operation: 'references', symbol: 'two.' }), received]).toEqual([
    'invalid_input: symbol must end with a name, and "two." does not. Give the name alone, or with its container: Class.method, module::name.',
    [],
  ]);
});

test('requests of a server are answered and change nothing', async () => {
  const replies: unknown[] = [];
  const asks: readonly (readonly [string, JsonObject])[] = [
    ['workspace/configuration', { items: [{ section: 'toy.lint' }, {}] }],
    ['workspace/workspaceFolders', {}],
    ['workspace/applyEdit', { edit: { changes: {} } }],
    ['client/registerCapability', { registrations: [{ id: '1', method: 'textDocument/implementation' }] }],
    ['window/showMessageRequest', { type: 1, message: 'Delete all?', actions: [{ title: 'Yes' }] }],
    ['window/showDocument', { uri: 'https://example.com' }],
    ['toy/unknown', {}],
  ];
  const { say, received, harness } = await play(
    able(({ method }, server) => {
      if (method === 'initialized')
        for (const [index, [name, params]] of asks.entries())
          server.send({ id: 100 + index, method: name, params });
      if (method === 'textDocument/implementation') return [];
      return undefined;
    }, {}),
  );
  expect(await say('lsp', { ...define, operation: 'hover' })).toBe(
    'unavailable: toy, the language server for a.toy, cannot do hover. It can do: goToImplementation, diagnostics. Use code_search or grep for the rest.',
  );
  expect(await say('lsp', { ...define, operation: 'implementation' })).toContain('No implementation of two');
  for (const message of received as readonly { id?: number; result?: unknown; error?: { code: number } }[])
    if (message.id !== undefined && message.id >= 100) replies.push(message.error?.code ?? message.result);
  expect(replies).toEqual([
    [{}, {}],
    [{ uri: `file://${harness.root}`, name: path.basename(harness.root) }],
    { applied: false, failureReason: 'Nothing is changed by language servers here.' },
    null,
    null,
    { success: false },
    -32601,
  ]);
});

test('an abort ends the call with its reason and notifies the server', async () => {
  const controller = new AbortController();
  const { say, received } = await play(
    able(({ method }) => {
      if (method === 'textDocument/definition') controller.abort(new Error('the run was stopped'));
      return undefined;
    }),
  );
  expect(await say('lsp', define, controller.signal)).toBe('error: the run was stopped');
  await expect.poll(() => received.at(-1)?.method).toBe('$/cancelRequest');
});

test('an idle server is stopped, and restarted by the next call', async () => {
  const played = await play(defines);
  expect([await played.say('lsp', define), played.counts.started]).toEqual([answer, 1]);
  played.idle?.();
  await expect.poll(() => played.counts.running).toBe(0);
  expect(played.received.map(({ method }) => method).slice(-2)).toEqual(['shutdown', 'exit']);
  expect([await played.say('lsp', define), played.counts, played.told]).toEqual([
    answer,
    { started: 2, running: 1 },
    [],
  ]);
});

test('an error of the server is reported with its message, and so is its message for no result', async () => {
  let error: JsonObject | null = { code: -32603, message: 'no\u0000 project\nfound' };
  const { say } = await play(
    able(({ method, id }, server) => {
      if (method !== 'textDocument/definition') return undefined;
      if (error === null) {
        server.send({
          method: 'window/showMessage',
          params: { type: 1, message: 'go.mod: line 3 is broken' },
        });
        return null;
      }
      server.send({ id: id ?? 0, error });
      error = null;
      return undefined;
    }),
  );
  expect([await say('lsp', define), await say('lsp', define)]).toEqual([
    'failed: toy answered textDocument/definition with an error: no␀ project\nfound',
    'No definition of two at a.toy:1:11 (line 0, character 10 from 0): let one = two\n[the server said: go.mod: line 3 is broken]',
  ]);
});
