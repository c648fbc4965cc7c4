import { afterEach, expect, test } from 'vitest';
import { lspTool } from '../../../src/extensions/language/lsp-tool.ts';
import { able, type ScriptedLanguages, scriptedLanguages } from './scripted-server.ts';

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

test('on the way to references each file is read once, and its server looked up once for each folder', async () => {
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
  const asked = {
    read: ['a.toy', 'b.toy', 'deep/er/c.toy', 'deep/er/d.toy'],
    looked: [
      ...['deep/er/toy.bin', 'deep/er/toy.mod', 'deep/toy.bin', 'deep/toy.mod'],
      ...['other/more/toy.bin', 'other/toy.bin', 'other/toy.mod'],
      // Of the file that is asked about, and of the others.
      ...['toy.bin', 'toy.bin', 'toy.mod', 'toy.mod'],
    ],
  };
  expect(await ask()).toEqual(asked);
  // What is open is read again, as it may have changed.
  expect(await ask()).toEqual(asked);
  expect(languages.heard.filter(({ method }) => method === 'textDocument/didOpen')).toHaveLength(4);
});
