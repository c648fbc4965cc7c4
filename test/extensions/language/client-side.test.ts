import { PassThrough } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node';
import {
  answerServer,
  configurationAnswer,
  initializeParams,
} from '../../../src/extensions/language/client-side.ts';

test("a server receives the client's name, its folder and its capabilities", () => {
  const reported = {
    processId: null,
    clientInfo: { name: 'anode' },
    locale: 'en',
    rootPath: '/w/my shop',
    rootUri: 'file:///w/my%20shop',
    workspaceFolders: [{ uri: 'file:///w/my%20shop', name: 'my shop' }],
    capabilities: {
      general: { positionEncodings: ['utf-16'] },
      window: { workDoneProgress: true, showMessage: {} },
      workspace: {
        configuration: true,
        workspaceFolders: true,
        didChangeConfiguration: { dynamicRegistration: true },
        didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
        diagnostics: { refreshSupport: true },
        symbol: {},
      },
      textDocument: {
        synchronization: { dynamicRegistration: true, didSave: true },
        publishDiagnostics: { versionSupport: true, relatedInformation: true },
        diagnostic: { dynamicRegistration: true, relatedDocumentSupport: false },
        definition: { linkSupport: true },
        implementation: { linkSupport: true },
        references: {},
        hover: { contentFormat: ['markdown', 'plaintext'] },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        callHierarchy: {},
      },
    },
  };
  const folder = '/w/my shop';
  expect([
    initializeParams({ folder, initializationOptions: undefined }),
    initializeParams({ folder, initializationOptions: { a: 1 } }),
  ]).toStrictEqual([reported, { ...reported, initializationOptions: { a: 1 } }]);
});

test('a server gets its settings by section, all without a section, and an empty object for an unknown one', () => {
  const settings = { toy: { lint: { strict: true }, off: false }, json: { a: 1 } };
  const ask = (...items: unknown[]) => configurationAnswer({ items } as never, settings);
  expect(
    ask(
      { section: 'toy.lint' },
      { section: 'toy' },
      { section: 'toy.off' },
      { section: '' },
      {},
      'json',
      { section: 'toy.lint.strict.more' },
      { section: 'toy.toString' },
      { section: 'other' },
    ),
  ).toEqual([{ strict: true }, settings.toy, false, settings, settings, settings, {}, {}, {}]);
  expect([configurationAnswer([], settings), configurationAnswer({ items: 'toy' }, settings)]).toEqual([
    [],
    [],
  ]);
  expect((ask(...Array.from({ length: 1_001 }, () => ({}))) as unknown[]).length).toBe(1_000);
});

const open: MessageConnection[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.dispose();
});

/** What is kept of what a server says, and the server's end of the connection. */
function answered() {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const [own, server] = [createMessageConnection(there, back), createMessageConnection(back, there)];
  open.push(own, server);
  const notices = answerServer(own, { folder: '/w', settings: {} });
  own.listen();
  server.listen();
  return { notices, server };
}

test('ids, methods and tokens have at most 200 characters', async () => {
  const { notices, server } = answered();
  const [longest, longer] = ['x'.repeat(200), 'y'.repeat(201)];
  const register = (id: string, method: string) =>
    server.sendRequest('client/registerCapability', { registrations: [{ id, method }] });
  const progress = async (token: string | number, kind: string) => {
    await server.sendNotification('$/progress', { token, value: { kind } });
    // Is answered when what was said before it is heard.
    await server.sendRequest('window/showMessageRequest', {});
    return notices.busy;
  };
  await register(longer, 'by a longer id');
  await register('1', longer);
  await register(longest, 'by the longest id');
  await register('2', longest);
  expect({
    registered: ['by a longer id', longer, 'by the longest id', longest].map(notices.registers),
    busy: [
      await progress(longer, 'begin'),
      await progress(longest, 'begin'),
      await progress(7, 'begin'),
      await progress(longest, 'end'),
      await progress(7, 'end'),
    ],
  }).toEqual({
    registered: [false, false, true, true],
    busy: [false, true, true, true, false],
  });
});
