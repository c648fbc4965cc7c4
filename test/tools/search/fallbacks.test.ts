import { afterAll, beforeAll, expect, test } from 'vitest';
import { listers, listFiles } from '../../../src/tools/search/list-files.ts';
import { searchText } from '../../../src/tools/search/search-text.ts';
import { type TextSearch, textSearches } from '../../../src/tools/search/text-programs.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

const files = {
  'src/a.ts': 'before\nneedle one\nafter\n',
  'src/b.md': 'a Needle-two\n',
  'src/out/e.ts': 'needle ignored by a rule above\n',
  'src/lib/.gitignore': '*.gen.ts\n!kept.gen.ts\n',
  'src/lib/f.gen.ts': 'needle ignored by a rule beside\n',
  'src/lib/kept.gen.ts': 'needle kept\n',
  '.hidden/c.ts': 'needle three\n',
  'build/d.ts': 'needle ignored\n',
  '.gitignore': 'build/\n/src/out\n',
  '.ignore': '*\n',
  '.rgignore': '*\n',
  '.anode-harness/run.md': 'needle of a run before\n',
  'data.bin': Buffer.from('needle\0binary'),
  'odd\nname.ts': 'no match here\n',
  'link.ts': { symlink: 'src/a.ts' },
  'src/outside': { symlink: '/etc' },
} as const;
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
const whole = { dropped: 0, unfinished: null, hasLongLine: false, capped: [], excluded: [], problems: [] };

let tools: ToolHarness;
beforeAll(async () => {
  tools = await openTools(files, { git: true });
});
afterAll(() => tools.close());

const names = ['ripgrep', 'git', 'grep'];
const programs = textSearches.map((search, index) => [names[index] ?? '', search] as const);

test.each(programs)('%s finds the same lines in the same order', async (_, search) => {
  expect(await searchText(tools.context.workspace, root, query, { signal, searches: [search] })).toEqual({
    ...whole,
    lines: [
      { path: '.hidden/c.ts', line: 1, text: 'needle three', match: true },
      { path: 'src/a.ts', line: 1, text: 'before', match: false },
      { path: 'src/a.ts', line: 2, text: 'needle one', match: true },
      { path: 'src/a.ts', line: 3, text: 'after', match: false },
      { path: 'src/b.md', line: 1, text: 'a Needle-two', match: true },
      { path: 'src/lib/kept.gen.ts', line: 1, text: 'needle kept', match: true },
    ],
  });
});

test.each(programs)('%s applies the ignore rules above its start folder', async (_, search) => {
  const src = { path: 'src', kind: 'directory' } as const;
  const strict = { ...query, pattern: 'n[e]+dle\\b', regex: true, caseSensitive: true, context: 0 };
  expect(await searchText(tools.context.workspace, src, strict, { signal, searches: [search] })).toEqual({
    ...whole,
    lines: [
      { path: 'src/a.ts', line: 2, text: 'needle one', match: true },
      { path: 'src/lib/kept.gen.ts', line: 1, text: 'needle kept', match: true },
    ],
  });
});

test.each(programs)('%s accepts whole words and globs of every kind', async (_, search) => {
  const found = async (glob: string) => {
    const requested = { ...query, wordMatch: true, context: 0, glob };
    const { lines } = await searchText(tools.context.workspace, root, requested, {
      signal,
      searches: [search],
    });
    return lines.map(({ path }) => path);
  };
  expect([
    await found('*.md'),
    await found('*.{md,gen.ts}'),
    await found('src/*.ts'),
    await found('!src'),
    await found('!*.ts'),
    await found('!src/lib/**'),
    await found('src/lib/'),
    await found('@(a|c).ts'),
  ]).toEqual([
    ['src/b.md'],
    ['src/b.md', 'src/lib/kept.gen.ts'],
    ['src/a.ts'],
    ['.hidden/c.ts'],
    ['src/b.md'],
    ['.hidden/c.ts', 'src/a.ts', 'src/b.md'],
    ['src/lib/kept.gen.ts'],
    ['.hidden/c.ts', 'src/a.ts'],
  ]);
});

test.each(programs)('%s refuses an invalid pattern and quotes it', async (_, search) => {
  const requests = { ...query, pattern: 'un(closed', regex: true };
  await expect(
    searchText(tools.context.workspace, root, requests, { signal, searches: [search] }),
  ).rejects.toMatchObject({
    kind: 'invalid_input',
    message: expect.stringContaining('The pattern "un(closed" was refused: '),
  });
});

test.each([
  ['def (', 'unclosed group'],
  ['a(?=b', 'missing closing parenthesis'],
  ['[z-a]', 'invalid character class range, the start must be <= the end'],
])('ripgrep gives one reason for refusing %j', async (pattern, reason) => {
  const [search] = textSearches;
  const requestLog = { ...query, pattern, regex: true };
  await expect(
    searchText(tools.context.workspace, root, requestLog, {
      signal,
      searches: search === undefined ? [] : [search],
    }),
  ).rejects.toMatchObject({
    message: `The pattern "${pattern}" was refused: ${reason}. Put a backslash before each sign that stands for itself, or set regex to false to search for the text as it is.`,
  });
});

const [ripgrep, git, grep] = textSearches;

test.each([
  ['ripgrep', ripgrep],
  ['grep', grep],
])('%s searches one file as its standard input', async (_, search) => {
  const file = { path: 'src/a.ts', kind: 'file' } as const;
  const asked = { ...query, context: 0 };
  expect(
    await searchText(tools.context.workspace, file, asked, { signal, searches: [search ?? never()] }),
  ).toEqual({
    ...whole,
    lines: [{ path: 'src/a.ts', line: 2, text: 'needle one', match: true }],
  });
});

test('features that only ripgrep has are refused without it', async () => {
  const asked = { ...query, pattern: 'before\nneedle' };
  const others: TextSearch[] = [git ?? never(), grep ?? never()];
  await expect(
    searchText(tools.context.workspace, root, asked, { signal, searches: others }),
  ).rejects.toMatchObject({
    kind: 'unavailable',
  });
});

test('ignore rules above the workspace exclude nothing', async () => {
  const inner = await openTools({ 'a.ts': 'needle\n', 'b.log': 'needle\n', '.gitignore': '*.log\n' });
  inner.write('../.gitignore', '*\n');
  const lines = [{ path: 'a.ts', line: 1, text: 'needle', match: true }];
  for (const [, search] of programs)
    expect(await searchText(inner.context.workspace, root, query, { signal, searches: [search] })).toEqual({
      ...whole,
      lines,
    });
  for (const list of listers)
    expect(await listFiles(inner.context.workspace, root, { hidden: false, signal }, [list])).toEqual({
      paths: ['a.ts'],
      truncated: false,
    });
  await inner.close();
});

test('a missing program is skipped, and the lack of all is reported', async () => {
  const missing = { ...(ripgrep ?? never()), program: async () => 'no-such-program' };
  const found = await searchText(tools.context.workspace, root, query, {
    signal,
    searches: [missing, ...textSearches],
  });
  expect(found.lines).toHaveLength(6);
  await expect(
    searchText(tools.context.workspace, root, query, { signal, searches: [missing] }),
  ).rejects.toMatchObject({
    kind: 'unavailable',
  });
});

test.each([
  ['ripgrep', listers[0] ?? never()],
  ['a walk', listers[1] ?? never()],
])('%s lists the same files, without links and ignored ones', async (_, list) => {
  const { workspace } = tools.context;
  const displayed = ['odd\nname.ts', 'data.bin', 'src/a.ts', 'src/b.md', 'src/lib/kept.gen.ts'].sort();
  const hidden = ['.gitignore', '.hidden/c.ts', '.ignore', '.rgignore', 'src/lib/.gitignore'];
  const listed = async (asked: boolean) => listFiles(workspace, root, { hidden: asked, signal }, [list]);
  expect([await listed(false), await listed(true)]).toEqual([
    { paths: displayed, truncated: false },
    { paths: [...displayed, ...hidden].sort(), truncated: false },
  ]);
});

function never(): never {
  throw new TypeError('there are such programs');
}
