import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { directoryTree, type TreeRequest } from '../../../src/tools/search/list-directory.ts';
import type { SearchPlaces } from '../../../src/tools/search/search-root.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
beforeAll(async () => {
  tools = await openTools(
    {
      'README.md': 'x'.repeat(120),
      'src/main.ts': 'y'.repeat(1234),
      'src/deep/er/leaf.ts': '',
      'src/gen/out.ts': '',
      'node_modules/a/index.js': '',
      '.gitignore': 'node_modules/\n/src/gen\n',
      '.github/ci.yml': '',
      latest: { symlink: 'src/main.ts' },
      outside: { symlink: '/etc' },
      'odd\nname': '',
    },
    {
      git: true,
      repositories: { lib: { 'lib.ts': 'z'.repeat(2_500_000), 'tmp/x': '', '.gitignore': 'tmp\n' } },
    },
  );
  execFileSync('mkfifo', [`${tools.root}/pipe`]);
});
afterAll(() => tools.close());

test('list_directory displays kinds, sizes and targets, and counts omitted entries', async () => {
  expect(await tools.call('list_directory', {})).toEqual({
    content: [
      './',
      'README.md  120 B',
      'latest -> src/main.ts',
      '"odd\\nname"  0 B',
      'outside -> /etc',
      'pipe  (neither file nor folder)',
      'src/',
      '[left out: 2 hidden (include_hidden shows them), 1 ignored]',
      '[other repositories: ../lib]',
    ].join('\n'),
    data: { path: '.', entries: 6, hidden: 2, ignored: 1, truncated: false },
  });
});

test.each([
  [
    'LS',
    { path: 'src', depth: 3 },
    ['src/', 'deep/', '  er/', '    leaf.ts  0 B', 'main.ts  1.2 KB', '[left out: 1 ignored]'],
  ],
  [
    'list_dir',
    { dir_path: 'src', depth: '5', limit: 2 },
    [
      'src/',
      'deep/',
      'main.ts  1.2 KB',
      '[only the first 2 entries are shown; list a folder below, or raise limit]',
      '[left out: 1 ignored]',
    ],
  ],
  ['list_directory', { path: 'src', ignore: '*.ts' }, ['src/', 'deep/', '[left out: 2 ignored]']],
  ['list_directory', { path: '.github' }, ['.github/', 'ci.yml  0 B']],
  [
    'list_directory',
    { path: '../lib' },
    ['../lib/', 'lib.ts  2.5 MB', '[left out: 1 hidden (include_hidden shows them), 1 ignored]'],
  ],
  [
    'list_directory',
    { path: 'README.md' },
    ['not_a_directory: README.md is not a directory, so it has no entries.'],
  ],
  ['list_directory', { path: 'nowhere' }, ['not_found: nowhere does not exist.']],
  [
    'list_directory',
    { path: 'outside' },
    ['outside_workspace: outside leads outside the workspace through a link. Use paths inside it.'],
  ],
  [
    'list_directory',
    { path: '..' },
    ['outside_workspace: .. lies outside the workspace. Use paths inside it.'],
  ],
])('%s %j', async (name, input, lines) => {
  expect((await tools.say(name, input)).split('\n')).toEqual(lines);
});

test('hidden entries are displayed if requested, but never those of git', async () => {
  const lines = (await tools.say('list_directory', { include_hidden: true })).split('\n');
  expect(lines.slice(1, 3)).toEqual(['.github/', '.gitignore  23 B']);
});

type Entry = { readonly kind: 'file' | 'directory' | 'symlink' | 'other'; readonly size?: number };

/** Folders as listed, by path: a number is the size of a file, a text the target of a link. */
function places(
  tree: Readonly<Record<string, Readonly<Record<string, number | string | null>>>>,
): SearchPlaces {
  const kindOf = (folder: string, name: string): Entry['kind'] => {
    const path = folder === '' ? name : `${folder}/${name}`;
    const value = tree[folder]?.[name];
    if (path in tree || value === -1) return 'directory';
    if (typeof value === 'string') return 'symlink';
    return value === null ? 'other' : 'file';
  };
  const entryAt = (path: string) =>
    tree[path.slice(0, Math.max(0, path.lastIndexOf('/')))]?.[path.slice(path.lastIndexOf('/') + 1)];
  const files = {
    relative: (path: string) => (path === '.' ? '' : path),
    async list(folder: string) {
      if (tree[folder] === undefined) throw new ToolError('not_found', `${folder} cannot be opened`);
      return Object.keys(tree[folder])
        .sort()
        .map((name) => ({ name, kind: kindOf(folder, name) }));
    },
    async readLink(path: string) {
      const target = entryAt(path);
      if (target === '!') throw new ToolError('not_found', 'gone');
      return String(target);
    },
    async stat(path: string) {
      const size = entryAt(path);
      return size === -2 ? null : { kind: 'file', size, mode: 0o644 };
    },
    hold() {
      throw new ToolError('not_found', 'there are no rules');
    },
  };
  return {
    workspace: { files } as unknown as SearchPlaces['workspace'],
    repositories: [
      { name: 'lib', displayPath: '../lib', root: '/lib' },
    ] as unknown as SearchPlaces['repositories'],
  };
}

const request = (more: Partial<TreeRequest> = {}): TreeRequest => ({
  path: '.',
  depth: 3,
  limit: 100,
  include_hidden: false,
  ...more,
});

test('each entry is displayed with its kind, folders with their content', async () => {
  const tree = places({
    '': { 'a.ts': 5, dir: -1, gone: -2, link: 'v2\n', lost: '!', pipe: null, 'z\n': 1 },
    dir: { 'b.ts': 1200, sub: -1 },
    'dir/sub': { deep: -1 },
    'dir/sub/deep': { x: 1 },
  });
  expect(await directoryTree(tree, request())).toEqual({
    lines: [
      'a.ts  5 B',
      'dir/',
      '  b.ts  1.2 KB',
      '  sub/',
      '    deep/',
      'gone',
      'link -> "v2\\n"',
      'lost -> ?',
      'pipe  (neither file nor folder)',
      '"z\\n"  1 B',
    ],
    entries: 10,
    omitted: { hidden: 0, ignored: 0 },
    hasMore: false,
  });
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [1049, '1.0 KB'],
  [1050, '1.1 KB'],
  [999_949, '999.9 KB'],
  [999_950, '1.0 MB'],
  [3_400_000, '3.4 MB'],
  [2_000_000_000, '2.0 GB'],
  [5e12, '5.0 TB'],
  [5e15, '5000.0 TB'],
])('a size of %d bytes is %s', async (size, displayed) => {
  expect((await directoryTree(places({ '': { f: size } }), request())).lines).toEqual([`f  ${displayed}`]);
});

describe('the omitted entries', () => {
  const tree = places({
    '': { '.env': 1, '.anode-harness': -1, 'a.log': 1, 'a.ts': 1, src: -1 },
    src: { 'b.log': 1, 'c.ts': 1 },
  });
  test.each([
    [{}, ['a.log  1 B', 'a.ts  1 B', 'src/', '  b.log  1 B', '  c.ts  1 B'], 2, 0],
    [{ ignore: ['*.log'] }, ['a.ts  1 B', 'src/', '  c.ts  1 B'], 2, 2],
    [{ ignore: ['src', 'a.*'] }, [], 2, 3],
    [{ include_hidden: true, depth: 1 }, ['.env  1 B', 'a.log  1 B', 'a.ts  1 B', 'src/'], 0, 1],
  ])('%j', async (more, lines, hidden, ignored) => {
    expect(await directoryTree(tree, request(more))).toEqual({
      lines,
      entries: lines.length,
      omitted: { hidden, ignored },
      hasMore: false,
    });
  });
});

describe('the limit', () => {
  const tree = places({
    '': { a: -1, b: -1, c: 1 },
    a: { a1: 1, a2: -1 },
    b: { b1: 1 },
    'a/a2': { deep: 1 },
  });
  test.each([
    [{ limit: 2 }, ['a/', 'b/'], true],
    [{ limit: 3, depth: 1 }, ['a/', 'b/', 'c  1 B'], false],
    // Every folder is named before any is opened.
    [{ limit: 4 }, ['a/', '  a1  1 B', 'b/', 'c  1 B'], true],
    [{ limit: 5 }, ['a/', '  a1  1 B', '  a2/', 'b/', 'c  1 B'], true],
    [{ limit: 6, depth: 2 }, ['a/', '  a1  1 B', '  a2/', 'b/', '  b1  1 B', 'c  1 B'], false],
    [{ limit: 6 }, ['a/', '  a1  1 B', '  a2/', 'b/', '  b1  1 B', 'c  1 B'], true],
  ])('%j removes the deepest entries first', async (more, lines, hasMore) => {
    expect(await directoryTree(tree, request(more))).toEqual({
      lines,
      entries: lines.length,
      omitted: { hidden: 0, ignored: 0 },
      hasMore,
    });
  });
});

test('an unreadable folder below the start is empty, and an unreadable start is refused', async () => {
  const tree = places({ '': { closed: -1 } });
  expect((await directoryTree(tree, request())).lines).toEqual(['closed/']);
  await expect(directoryTree(tree, request({ path: 'closed' }))).rejects.toThrow(
    new ToolError('not_found', 'closed cannot be opened'),
  );
  const broken = places({ '': { inner: -1 } });
  const { list } = broken.workspace.files;
  broken.workspace.files.list = (folder) =>
    folder === 'inner' ? Promise.reject(new TypeError('our own fault')) : list(folder);
  await expect(directoryTree(broken, request())).rejects.toThrow(new TypeError('our own fault'));
});

test('globs match from the top of a repository, and at any depth without a slash', async () => {
  const tree = places({ '../lib': { x: 1, src: -1 }, '../lib/src': { x: 1, y: 1 } });
  const lines = async (ignore: string, path = '../lib') =>
    (await directoryTree(tree, request({ path, ignore: [ignore] }))).lines;
  expect([
    await lines('x', '../lib/src'),
    await lines('src/y', '../lib/src'),
    await lines('!src/y', '../lib/src'),
  ]).toEqual([['y  1 B'], ['x  1 B'], ['y  1 B']]);
  expect([await lines('x'), await lines('src/y')]).toEqual([
    ['src/', '  y  1 B'],
    ['src/', '  x  1 B', 'x  1 B'],
  ]);
});
