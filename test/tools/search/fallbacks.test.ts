import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFiles, listings } from '../../../src/tools/search/list-files.ts';
import { searchText, textSearches } from '../../../src/tools/search/search-text.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

const files = {
  'src/a.ts': 'before\nneedle one\nafter\n',
  'src/b.md': 'a Needle-two\n',
  '.hidden/c.ts': 'needle three\n',
  'build/d.ts': 'needle ignored\n',
  '.gitignore': 'build/\n',
};
const root = { path: '.', kind: 'directory' } as const;
const query = {
  pattern: 'needle',
  regex: false,
  caseSensitive: false,
  wordMatch: false,
  glob: undefined,
  maxMatches: 50,
  context: 1,
};
const signal = new AbortController().signal;

let tools: ToolHarness;
beforeAll(async () => {
  tools = await openTools(files, { git: true });
});
afterAll(() => tools.close());

const [ripgrep, git, grep] = textSearches.map((search) => [search]);
const [, gitFiles, find] = listings.map((listing) => [listing]);

test('ripgrep and git grep find the same lines', async () => {
  const { workspace } = tools.context;
  const expected = {
    lines: [
      { path: '.hidden/c.ts', line: 1, text: 'needle three', match: true },
      { path: 'src/a.ts', line: 1, text: 'before', match: false },
      { path: 'src/a.ts', line: 2, text: 'needle one', match: true },
      { path: 'src/a.ts', line: 3, text: 'after', match: false },
      { path: 'src/b.md', line: 1, text: 'a Needle-two', match: true },
    ],
    truncated: false,
    tooLong: false,
  };
  expect(await searchText(workspace, root, query, signal, ripgrep)).toEqual(expected);
  expect(await searchText(workspace, root, query, signal, git)).toEqual(expected);
});

test('grep -r finds the lines too, ignored files not left out', async () => {
  const { lines } = await searchText(tools.context.workspace, root, { ...query, context: 0 }, signal, grep);
  expect(lines.map(({ path, line }) => `${path}:${line}`)).toEqual([
    '.hidden/c.ts:1',
    'build/d.ts:1',
    'src/a.ts:2',
    'src/b.md:1',
  ]);
});

test.each(textSearches)('search $# takes expressions, whole words, case and a folder', async (search) => {
  const strict = {
    ...query,
    pattern: 'n[e]+dle',
    regex: true,
    wordMatch: true,
    caseSensitive: true,
    context: 0,
  };
  const src = { path: 'src', kind: 'directory' } as const;
  expect(await searchText(tools.context.workspace, src, strict, signal, [search])).toEqual({
    lines: [{ path: 'src/a.ts', line: 2, text: 'needle one', match: true }],
    truncated: false,
    tooLong: false,
  });
});

test('git that knows no repository passes the search on', async () => {
  const bare = await openTools({ 'a.txt': 'needle\n' });
  const { lines } = await searchText(bare.context.workspace, root, query, signal, textSearches.slice(1));
  expect(lines).toEqual([{ path: 'a.txt', line: 1, text: 'needle', match: true }]);
  await bare.close();
});

test('a program that does not exist is passed over, and none at all is said', async () => {
  const missing = { ...(textSearches[0] ?? never()), program: async () => 'no-such-program' };
  const found = await searchText(tools.context.workspace, root, query, signal, [missing, ...textSearches]);
  expect(found.lines).toHaveLength(5);
  await expect(searchText(tools.context.workspace, root, query, signal, [missing])).rejects.toMatchObject({
    kind: 'unavailable',
  });
});

test('git and find list files as ripgrep does, find the ignored ones too', async () => {
  const { workspace } = tools.context;
  const paths = ['.gitignore', '.hidden/c.ts', 'src/a.ts', 'src/b.md'];
  expect(await listFiles(workspace, root, { hidden: true, signal })).toEqual({ paths, truncated: false });
  expect((await listFiles(workspace, root, { hidden: true, signal }, gitFiles)).paths).toEqual(paths);
  expect((await listFiles(workspace, root, { hidden: false, signal }, find)).paths).toEqual([
    'build/d.ts',
    'src/a.ts',
    'src/b.md',
  ]);
});

function never(): never {
  throw new TypeError('there are searches');
}
