import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('list_directory shows kinds, sizes and targets, and counts what it leaves out', async () => {
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

test('hidden entries are shown when asked for, never those of git', async () => {
  const lines = (await tools.say('list_directory', { include_hidden: true })).split('\n');
  expect(lines.slice(1, 3)).toEqual(['.github/', '.gitignore  23 B']);
});
