import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTools, type ToolHarness } from './tool-harness.ts';

let tools: ToolHarness;
beforeAll(async () => {
  tools = await openTools(
    { 'src/main.ts': 'import { greet } from "shared";\n', 'README.md': 'greet people\n' },
    {
      git: true,
      repositories: {
        'shared-lib': {
          'src/greet.ts': 'export function greet(name: string) {\n  return name;\n}\n',
          'build/greet.js': 'greet\n',
          '.gitignore': 'build/\n',
          '.netrc': 'machine greet\n',
          'src/out': { symlink: '/etc' },
        },
        docs: { 'greet.md': '# How to greet\n' },
      },
    },
  );
});
afterAll(() => tools.close());

test('read and multi_read take files of a registered repository', async () => {
  expect([
    await tools.say('read', { path: '../shared-lib/src/greet.ts', end_line: 1 }),
    await tools.say('read', { path: `${tools.root}/../docs/greet.md` }),
    await tools.say('multi_read', { paths: ['README.md', '../docs/greet.md'] }),
    await tools.say('read', { path: '../shared-lib/src/gret.ts' }),
    await tools.say('read', { path: '../shared-lib/src/out/passwd' }),
    await tools.say('read', { path: '../shared-lib/.git/config' }),
    await tools.say('read', { path: '../shared-library/x' }),
  ]).toEqual([
    '1\texport function greet(name: string) {\n[line 1 of 3]',
    '1\t# How to greet',
    '===== README.md =====\n1\tgreet people\n===== ../docs/greet.md =====\n1\t# How to greet',
    'not_found: ../shared-lib/src/gret.ts does not exist. Near it: ../shared-lib/src/greet.ts.',
    'outside_workspace: ../shared-lib/src/out/passwd leads outside the workspace through a link. Use paths inside it.',
    "protected: .git/config is git's own, and git's own files cannot be read or written here. Use git commands instead.",
    'outside_workspace: ../shared-library/x lies outside the workspace. Use paths inside it.',
  ]);
});

test.each([
  ['create_file', { path: '../docs/new.md', content: 'x' }],
  ['edit_file', { path: '../docs/greet.md', old_str: 'How', new_str: 'Why' }],
  ['apply_patch', { patch: '*** Begin Patch\n*** Delete File: ../docs/greet.md\n*** End Patch\n' }],
])('%s writes nothing there', async (name, input) => {
  await expect(tools.call(name, input)).rejects.toMatchObject({ name: 'ToolError' });
  expect(await tools.say('glob', { pattern: '../docs/**' })).toBe('../docs/greet.md');
  expect(await tools.say('read', { path: '../docs/greet.md' })).toBe('1\t# How to greet');
});

test('grep without a path searches the workspace and then the others, each by its own ignore rules', async () => {
  expect(await tools.call('grep', { pattern: 'greet' })).toEqual({
    content: [
      'README.md:1:greet people',
      'src/main.ts:1:import { greet } from "shared";',
      '../shared-lib/src/greet.ts:1:export function greet(name: string) {',
      '../docs/greet.md:1:# How to greet',
      '[matches not shown, because credentials are kept there: ../shared-lib/.netrc]',
    ].join('\n'),
    data: { matches: 4, files: 4, truncated: true },
  });
});

test.each([
  ['grep', { pattern: 'greet', path: '../docs' }, ['../docs/greet.md:1:# How to greet']],
  [
    'grep',
    { pattern: 'greet', glob: '../shared-lib/src/*.ts' },
    ['../shared-lib/src/greet.ts:1:export function greet(name: string) {'],
  ],
  [
    'grep',
    { pattern: 'greet', glob: 'src/*.ts' },
    [
      'src/main.ts:1:import { greet } from "shared";',
      '../shared-lib/src/greet.ts:1:export function greet(name: string) {',
    ],
  ],
  [
    'glob',
    { pattern: '**/*.{ts,md}' },
    ['README.md', 'src/main.ts', '../shared-lib/src/greet.ts', '../docs/greet.md'],
  ],
  ['glob', { pattern: '*.ts', path: '../shared-lib/src' }, ['../shared-lib/src/greet.ts']],
  ['glob', { pattern: '../shared-lib/**/*.ts' }, ['../shared-lib/src/greet.ts']],
  ['glob', { pattern: '**/*.md', limit: 1 }, ['README.md', '[1 more; narrow the pattern or raise limit]']],
  ['finder', { mode: 'files', query: 'greet' }, ['../shared-lib/src/greet.ts', '../docs/greet.md']],
  [
    'finder',
    { mode: 'symbols', query: 'greet' },
    ['../shared-lib/src/greet.ts:1:export function greet(name: string) {'],
  ],
])('%s %j', async (name, input, lines) => {
  expect((await tools.say(name, input)).split('\n')).toEqual(lines);
});

test('repo_search separates the repositories', async () => {
  expect(await tools.call('repo_search', { query: 'greet' })).toEqual({
    content: [
      '== workspace (.) ==',
      'README.md:1:greet people',
      'src/main.ts:1:import { greet } from "shared";',
      '',
      '== shared-lib (../shared-lib) ==',
      '../shared-lib/src/greet.ts:1:export function greet(name: string) {',
      '[matches not shown, because credentials are kept there: ../shared-lib/.netrc]',
      '',
      '== docs (../docs) ==',
      '../docs/greet.md:1:# How to greet',
    ].join('\n'),
    data: {
      mode: 'text',
      total: 4,
      repositories: [
        { name: 'workspace', path: '.', total: 2, truncated: false },
        { name: 'shared-lib', path: '../shared-lib', total: 1, truncated: true },
        { name: 'docs', path: '../docs', total: 1, truncated: false },
      ],
    },
  });
});

test.each([
  [{ query: 'greet', mode: 'files', repos: 'docs' }, ['== docs (../docs) ==', '../docs/greet.md']],
  [
    { query: 'greet', mode: 'symbols', repositories: ['../shared-lib/', 'workspace'] },
    [
      '== shared-lib (../shared-lib) ==',
      '../shared-lib/src/greet.ts:1:export function greet(name: string) {',
      '',
      '== workspace (.) ==',
      'nothing found',
    ],
  ],
  [
    { query: '^.*g.eet', regex: true, limit: 1, glob: '*.{md,ts}', repositories: ['workspace'] },
    ['== workspace (.) ==', 'README.md:1:greet people', '[1 more; narrow the query or raise limit]'],
  ],
  [
    { query: 'x', repositories: ['other'] },
    ['not_found: No repository "other" is registered. There are: workspace, shared-lib, docs.'],
  ],
])('repo_search %j', async (input, lines) => {
  expect((await tools.say('repo_search', input)).split('\n')).toEqual(lines);
});

test('repo_search finds symbols by syntax, as finder does', async () => {
  const code = '/*\nfunction paintLater() {}\n*/\nexport const paint = 1;\n';
  const painted = await openTools({ 'a.ts': code }, { repositories: { lib: { 'b.ts': code } } });
  const query = { query: 'paint', mode: 'symbols' };
  expect([await painted.say('repo_search', query), await painted.say('finder', query)]).toEqual([
    '== workspace (.) ==\na.ts:4:export const paint = 1;\n\n== lib (../lib) ==\n../lib/b.ts:4:export const paint = 1;',
    'a.ts:4:export const paint = 1;\n../lib/b.ts:4:export const paint = 1;',
  ]);
  await painted.close();
});

test('repo_search reports that only the workspace exists', async () => {
  const alone = await openTools({ 'a.txt': 'greet\n' });
  expect(await alone.say('repo_search', { query: 'greet' })).toBe(
    '== workspace (.) ==\na.txt:1:greet\n\n[no other repository is registered for this run; only the workspace was searched]',
  );
  await alone.close();
});

test('a repository that disappeared does not delay the answers of others', async () => {
  const gone = await openTools({ 'a.txt': 'greet\n' }, { repositories: { lib: { 'b.txt': 'greet\n' } } });
  gone.write('../lib/c.txt', 'greet\n');
  gone.remove('../lib');
  expect(await gone.say('grep', { pattern: 'greet' })).toBe(
    'a.txt:1:greet\n[not searched: ../lib: ../lib does not exist.]',
  );
  await gone.close();
});
