import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import type { LanguageServer } from '../../../src/extensions/language/language-server.ts';
import { OpenDocuments, textOf, uriOf } from '../../../src/extensions/language/open-documents.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';

/** A server that notes what it is sent, over files that can be changed. */
function opened(
  files: Record<string, string | Buffer>,
  { changedBefore = 0, changed = [] as string[] } = {},
) {
  const sent: unknown[] = [];
  const published = {
    count: 7,
    forgotten: [] as string[],
    gone: new Set<string>(),
    forget: (uri: string) => published.forgotten.push(uri),
    wasDropped: (uri: string, since: number) => since === 7 && published.gone.has(uri),
  };
  const server = {
    published,
    notify: (method: string, params: unknown) => sent.push([method, params]),
  } as unknown as LanguageServer;
  const read = (path: string) => {
    const content = files[path];
    if (content === undefined) throw new ToolError('not_found', `${path} is not there`);
    return Buffer.from(content);
  };
  const reads: string[] = [];
  const workspace = {
    root: '/w',
    changes: { changedPaths: changed },
    files: {
      stat: async (path: string) => (files[path] === undefined ? null : { kind: 'file' }),
      async read(path: string, most: number) {
        reads.push(path);
        const bytes = read(path);
        return { bytes: bytes.subarray(0, most), size: bytes.length };
      },
    },
  } as unknown as Workspace;
  const documents = new OpenDocuments(server, (path) => path.split('.').at(-1) ?? '', changedBefore);
  const take = () => sent.splice(0);
  return { documents, workspace, take, published, reads, changed, files };
}
const open = (path: string, text: string, version = 1) => [
  'textDocument/didOpen',
  { textDocument: { uri: `file:///w/${path}`, languageId: path.split('.').at(-1), version, text } },
];
const changedTo = (path: string, text: string, version: number) => [
  [
    'textDocument/didChange',
    { textDocument: { uri: `file:///w/${path}`, version }, contentChanges: [{ text }] },
  ],
  ['textDocument/didSave', { textDocument: { uri: `file:///w/${path}` }, text }],
];
const closed = (path: string) => ['textDocument/didClose', { textDocument: { uri: `file:///w/${path}` } }];

describe('the open documents of a server', () => {
  test('are sent once, and again after changes', async () => {
    const { documents, workspace, take, files } = opened({ 'a.ts': 'one', 'b.py': '\uFEFFtwo' });
    expect(await documents.sync(['b.py', 'a.ts'], workspace)).toEqual([
      { path: 'b.py', uri: 'file:///w/b.py', version: 1, text: 'two', sentAt: 7 },
      { path: 'a.ts', uri: 'file:///w/a.ts', version: 1, text: 'one', sentAt: 7 },
    ]);
    expect(take()).toEqual([open('b.py', 'two'), open('a.ts', 'one')]);
    // That it was opened is no change.
    expect(documents.lastSent).toEqual({ time: 0, count: 0 });
    await documents.sync(['a.ts'], workspace);
    expect(take()).toEqual([]);
    files['a.ts'] = 'ONE';
    files['b.py'] = 'TWO';
    expect(await documents.sync(['a.ts'], workspace)).toMatchObject([
      { path: 'a.ts', version: 2, text: 'ONE' },
    ]);
    expect(take()).toEqual([...changedTo('b.py', 'TWO', 2), ...changedTo('a.ts', 'ONE', 2)]);
    expect(documents.lastSent).toEqual({ time: expect.any(Number), count: 7 });
    expect(documents.lastSent.time).toBeGreaterThan(0);
  });

  test('are sent again if their diagnostics were dropped', async () => {
    const { documents, workspace, take, published } = opened({ 'a.ts': 'one' });
    await documents.sync(['a.ts'], workspace);
    published.gone.add('file:///w/a.ts');
    take();
    await documents.sync(['a.ts'], workspace);
    expect(take()).toEqual(changedTo('a.ts', 'one', 2));
  });

  test('are closed when deleted, and their diagnostics dropped', async () => {
    const { documents, workspace, take, published, files } = opened({ 'a.ts': 'one', 'b.ts': 'two' });
    await documents.sync(['a.ts', 'b.ts'], workspace);
    take();
    delete files['a.ts'];
    await documents.sync(['b.ts'], workspace);
    expect([take(), published.forgotten]).toEqual([[closed('a.ts')], ['file:///w/a.ts']]);
    files['a.ts'] = 'new';
    await documents.sync(['a.ts'], workspace);
    expect(take()).toEqual([open('a.ts', 'new')]);
    await expect(documents.sync(['gone.ts'], workspace)).rejects.toThrow('gone.ts is not there');
    // One that failed does not hold up the next.
    expect(await documents.sync(['b.ts'], workspace)).toMatchObject([{ path: 'b.ts' }]);
  });

  test('are at most 120 files, and the least recently requested one is closed', async () => {
    const names = Array.from({ length: 121 }, (_, index) => `f${index}.ts`);
    const { documents, workspace, take } = opened(Object.fromEntries(names.map((name) => [name, 'x'])));
    await documents.sync(names.slice(0, 120), workspace);
    await documents.sync(['f0.ts'], workspace);
    expect(take().length).toBe(120);
    await documents.sync(['f120.ts'], workspace);
    expect(take()).toEqual([open('f120.ts', 'x'), closed('f1.ts')]);
    // Those that are asked for together stay.
    await documents.sync(names, workspace);
    expect(take()).toEqual([open('f1.ts', 'x')]);
  });
});

test('further files are opened beside it, each read once, and unreadable ones are left out', async () => {
  const { documents, workspace, take, reads, files } = opened({ 'a.ts': 'one', 'b.ts': 'two' });
  await documents.sync(['a.ts'], workspace);
  files['a.ts'] = 'not looked at';
  await documents.open(['a.ts', 'gone.ts', 'b.ts'], workspace);
  expect([take(), reads]).toEqual([
    [open('a.ts', 'one'), open('b.ts', 'two')],
    ['a.ts', 'gone.ts', 'b.ts'],
  ]);
});

test("the run's changes since its start are sent once, each file in its current state", async () => {
  const { documents, workspace, take, changed } = opened(
    { 'a.ts': 'one', 'new.ts': 'x' },
    { changedBefore: 1, changed: ['before.ts'] },
  );
  await documents.sync(['a.ts'], workspace);
  expect(take()).toEqual([open('a.ts', 'one')]);
  changed.push('a.ts', 'new.ts', 'gone.ts', 'a.ts');
  await documents.sync([], workspace);
  const event = (path: string, type: number) => ({ uri: `file:///w/${path}`, type });
  expect(take()).toEqual([
    [
      'workspace/didChangeWatchedFiles',
      { changes: [event('a.ts', 2), event('new.ts', 1), event('gone.ts', 3)] },
    ],
  ]);
  expect(documents.lastSent.count).toBe(7);
  await documents.sync([], workspace);
  expect(take()).toEqual([]);
});

test('a file that is not text, or longer than 4 MiB, is not sent', async () => {
  const { workspace } = opened({
    binary: Buffer.from('a\0'),
    full: Buffer.alloc(4 * 1024 * 1024, 'x'),
    large: Buffer.alloc(4 * 1024 * 1024 + 1, 'x'),
  });
  const reply = (path: string) =>
    textOf(path, workspace).then(
      (text) => text.length,
      (error: ToolError) => `${error.kind}: ${error.message}`,
    );
  expect([await reply('binary'), await reply('full'), await reply('large')]).toEqual([
    'invalid_input: binary is no text; language servers read text.',
    4_194_304,
    'too_large: large has 4194305 bytes; language servers are sent files up to 4194304. Use grep.',
  ]);
  expect(uriOf('/w x', 'ä.ts')).toBe('file:///w%20x/%C3%A4.ts');
});
