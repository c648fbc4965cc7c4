import { expect, test } from 'vitest';
import { configurationAnswer, introduction } from '../../../src/extensions/language/client-side.ts';

test('a server is told who asks, where, and what is understood', () => {
  const told = {
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
    introduction({ folder, initializationOptions: undefined }),
    introduction({ folder, initializationOptions: { a: 1 } }),
  ]).toStrictEqual([told, { ...told, initializationOptions: { a: 1 } }]);
});

test('a server gets its settings by section, all of them for none, and an empty object for an unknown one', () => {
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
