import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTools, type ToolHarness } from './tool-harness.ts';

const files = {
  'src/server.ts': 'export function startServer(port: number) {\n  return listen(port); // MARK: a.b\n}\n',
  'src/client.ts':
    'import { startServer } from "./server";\nconst mark = startServer(1);\nclass Client {\n  connect(host) {\n  }\n}\n',
  'src/-dash.ts': 'dash MARK\n',
  'docs/guide.md': 'MARK: write\nMARK again\n',
  '.github/workflows/ci.yml': 'name: MARK\n',
  'build/out.ts': 'MARK in build\n',
  '.gitignore': 'build/\n*.min.ts\n',
  'src/app.min.ts': 'MARK minified\n',
  'data.bin': Buffer.from('MARK\0binary'),
  outside: { symlink: '/etc' },
} as const;

const literal = 'It was searched literally; set regex to true if it is an expression.';
let tools: ToolHarness;
beforeAll(async () => {
  tools = await openTools(files);
});
afterAll(() => tools.close());

test('grep finds literal text, also in hidden files but not in ignored and binary ones', async () => {
  expect(await tools.call('grep', { pattern: 'mark' })).toEqual({
    content: [
      '.github/workflows/ci.yml:1:name: MARK',
      'docs/guide.md:1:MARK: write',
      'docs/guide.md:2:MARK again',
      'src/-dash.ts:1:dash MARK',
      'src/client.ts:2:const mark = startServer(1);',
      'src/server.ts:2:  return listen(port); // MARK: a.b',
    ].join('\n'),
    data: { matches: 6, files: 5, truncated: false },
  });
});

test.each([
  [
    { pattern: 'MARK', case_sensitive: true, path: 'src' },
    ['src/-dash.ts:1:dash MARK', 'src/server.ts:2:  return listen(port); // MARK: a.b'],
  ],
  [{ pattern: 'a.b' }, ['src/server.ts:2:  return listen(port); // MARK: a.b']],
  [{ pattern: 'list.n\\(', regex: true }, ['src/server.ts:2:  return listen(port); // MARK: a.b']],
  [{ pattern: 'start', word_match: true }, ['No match for "start".']],
  [
    { pattern: 'MARK', glob: '*.md', max_matches: 1 },
    [
      'docs/guide.md:1:MARK: write',
      '[more than 1 match, of which the first are shown, in: docs/guide.md; raise max_matches]',
    ],
  ],
  [{ pattern: 'minified', glob: '*.ts' }, ['No match for "minified" (*.ts).']],
  [{ pattern: 'in build', glob: 'build/**' }, ['No match for "in build" (build/**).']],
  [{ pattern: 'dash', glob: 'src/*.ts' }, ['src/-dash.ts:1:dash MARK']],
  [{ pattern: 'dash', glob: '*.ts', path: 'src' }, ['src/-dash.ts:1:dash MARK']],
  [{ pattern: 'MARK', glob: '!*.ts', path: 'src' }, ['No match for "MARK" in src (!*.ts).']],
  [{ pattern: 'dash', path: 'src/-dash.ts' }, ['src/-dash.ts:1:dash MARK']],
  [{ pattern: '-e' }, ['No match for "-e".']],
  [{ pattern: '(?<=class )Cl', regex: true }, ['src/client.ts:3:class Client {']],
  [
    { pattern: 'class Client {\n  connect' },
    ['src/client.ts:3:class Client {', 'src/client.ts:4:  connect(host) {'],
  ],
  [
    { pattern: 'listen', context: 1 },
    [
      'src/server.ts-1-export function startServer(port: number) {',
      'src/server.ts:2:  return listen(port); // MARK: a.b',
      'src/server.ts-3-}',
    ],
  ],
  [
    { pattern: 'mark\\b.*a\\.b', glob: '*.ts' },
    [
      'src/server.ts:2:  return listen(port); // MARK: a.b',
      '[no line has this text literally; it was searched as a regular expression]',
    ],
  ],
  [{ pattern: 'listen(port || 1)' }, [`No match for "listen(port || 1)". ${literal}`]],
  [{ pattern: 'q*|' }, [`No match for "q*|". ${literal}`]],
  [{ pattern: 'zebra\\d' }, [`No match for "zebra\\d". ${literal}`]],
  [{ pattern: 'write', glob: '*.ts,*.md' }, ['docs/guide.md:1:MARK: write']],
  [{ pattern: 'dash', glob: ['*.md', '!*.js', 'src/**'] }, ['src/-dash.ts:1:dash MARK']],
  [{ pattern: 'dash', glob: '["*.md", "*.ts"]' }, ['src/-dash.ts:1:dash MARK']],
  [{ pattern: 'dash', glob: '*.{md,ts},!src' }, ['No match for "dash" (*.{md,ts},!src).']],
  [
    { pattern: 'MARK', glob: '*.ts,*.md', output_mode: 'files_with_matches' },
    ['docs/guide.md', 'src/-dash.ts', 'src/client.ts', 'src/server.ts'],
  ],
  [
    { pattern: 'MARK', glob: '*.ts,*.md', output_mode: 'count', context: 3 },
    ['docs/guide.md:2', 'src/-dash.ts:1', 'src/client.ts:1', 'src/server.ts:1'],
  ],
  [{ pattern: 'nowhere', output_mode: 'count' }, ['No match for "nowhere".']],
])('grep %j', async (input, lines) => {
  expect((await tools.say('grep', input)).split('\n')).toEqual(lines);
});

test('grep treats an invalid pattern as literal text', async () => {
  const answer = await tools.say('grep', { pattern: '(unclosed', regex: true });
  expect(answer).toMatch(
    'invalid_input: The pattern "(unclosed" was refused: unclosed group. Put a backslash before each sign that stands for itself, or set regex to false to search for the text as it is.',
  );
});

test.each([
  ['outside', 'invalid_input: outside is a symlink; searches start at a directory or file.'],
  ['nowhere', 'not_found: nowhere does not exist. Leave path out to search the whole workspace.'],
])('grep does not start at %s', async (path, words) => {
  expect(await tools.say('grep', { pattern: 'root', path })).toBe(words);
});

test.each(['..', '/etc', '.git', 'outside/ssl'])('grep does not leave the workspace by %s', async (path) => {
  await expect(tools.call('grep', { pattern: 'root', path })).rejects.toMatchObject({ name: 'ToolError' });
});

test('grep stores 256 KiB and reports that there was more', async () => {
  const many = await openTools({ 'many.txt': `${'needle '.repeat(100)}\n`.repeat(1000) });
  const { content, data } = await many.call('grep', { pattern: 'needle', max_matches: 1000 });
  expect(data).toMatchObject({ truncated: true });
  expect(content).toMatch(
    /\[\d+ more matches beyond 256 KiB of output left out; narrow the pattern, path or glob]$/,
  );
  await many.close();
});

test('grep displays 300 characters around a match in a long line, without hiding other matches', async () => {
  const filler = 'x'.repeat(400_000);
  const long = await openTools({
    'a.min.js': `${filler}needle${filler}\nneedle${filler}\n${filler}needle`,
    'b.js': 'é needle\n',
    'c.txt': `${'é'.repeat(200)}needle${'é'.repeat(200)}\n`,
  });
  const x = (count: number) => 'x'.repeat(count);
  const lines = [
    `a.min.js:1:[399900 characters] … ${x(100)}needle${x(194)} … [399806 more characters]`,
    `a.min.js:2:needle${x(294)} … [399706 more characters]`,
    `a.min.js:3:[399706 characters] … ${x(294)}needle`,
    'b.js:1:é needle',
    `c.txt:1:[100 characters] … ${'é'.repeat(100)}needle${'é'.repeat(194)} … [6 more characters]`,
  ];
  expect(await long.call('grep', { pattern: 'needle' })).toEqual({
    content: lines.join('\n'),
    data: { matches: 5, files: 3, truncated: false },
  });
  expect(await long.say('finder', { query: 'needle' })).toBe(lines.join('\n'));
  await long.close();
});

test('a search never reports an empty result if it dropped matches', async () => {
  const huge = await openTools({ 'huge.js': `${'x'.repeat(5 * 1024 * 1024)}needle` });
  const note = '[there is a match in a line of over 4 MiB, which is not shown; look with bash]';
  expect([
    await huge.say('grep', { pattern: 'needle' }),
    await huge.say('finder', { query: 'needle' }),
    await huge.say('grep', { pattern: 'haystack' }),
  ]).toEqual([note, note, 'No match for "haystack".']);
  await huge.close();
});

test('files that a glob excludes do not count towards the limit', async () => {
  const many = await openTools({
    'a/many.txt': `${'needle '.repeat(40)}\n`.repeat(1500),
    'b/one.txt': 'needle\n',
  });
  expect(await many.say('grep', { pattern: 'needle', glob: 'b/*.txt', max_matches: 2000 })).toBe(
    'b/one.txt:1:needle',
  );
  await many.close();
});

test.each([
  ['glob', { pattern: '*a*a*a*a*a*a*a*a*b' }],
  ['glob', { pattern: '(a+)+b' }],
  ['finder', { mode: 'files', query: '*a*a*a*a*a*a*a*a*b' }],
])('%s ends the search for a pattern of exponential time: %j', async (tool, input) => {
  const long = await openTools({ ['a'.repeat(200)]: 'x\n' });
  expect(await long.say(tool, input)).toMatch(
    /^invalid_input: ".*b" takes too long to compare with the paths/,
  );
  await long.close();
});

test('glob lists files by path, sorted', async () => {
  expect(await tools.call('glob', { pattern: '**/*.ts' })).toEqual({
    content: 'src/-dash.ts\nsrc/client.ts\nsrc/server.ts',
    data: { paths: ['src/-dash.ts', 'src/client.ts', 'src/server.ts'], total: 3, truncated: false },
  });
});

test.each([
  [{ pattern: '*.ts', path: 'src' }, ['src/-dash.ts', 'src/client.ts', 'src/server.ts']],
  [
    { pattern: '*.ts' },
    ['src/-dash.ts', 'src/client.ts', 'src/server.ts', '[none lies in . itself; these are deeper]'],
  ],
  [{ pattern: '*.ts,*.md', path: 'docs' }, ['docs/guide.md']],
  [{ pattern: ['docs/*.md', 'src/s*.ts'] }, ['docs/guide.md', 'src/server.ts']],
  [
    { pattern: '*.rb' },
    ['No files match *.rb. All folders were searched, except for files excluded by .gitignore.'],
  ],
  [{ pattern: '*.yml' }, ['No files match *.yml, but 1 hidden file does; set include_hidden to see.']],
  [{ pattern: '**/*.yml' }, ['No files match **/*.yml, but 1 hidden file does; set include_hidden to see.']],
  [{ pattern: '**/*.yml', include_hidden: true }, ['.github/workflows/ci.yml']],
  [{ pattern: '.github/**' }, ['.github/workflows/ci.yml']],
  [{ pattern: '**/*.{md,ts}', limit: 1 }, ['docs/guide.md', '[3 more; narrow the pattern or raise limit]']],
  [{ pattern: './docs/*.md' }, ['docs/guide.md']],
])('glob %j', async (input, lines) => {
  expect((await tools.say('glob', input)).split('\n')).toEqual(lines);
});

test.each([
  [{ mode: 'files', query: 'SERV' }, ['src/server.ts']],
  [{ mode: 'files', query: '*.md' }, ['docs/guide.md']],
  [{ mode: 'text', query: 'listen', glob: '*.ts' }, ['src/server.ts:2:  return listen(port); // MARK: a.b']],
  [
    { query: 'MARK', limit: 1 },
    ['.github/workflows/ci.yml:1:name: MARK', '[5 more; narrow the query or raise limit]'],
  ],
  [
    { mode: 'symbols', query: 'startServer' },
    ['src/server.ts:1:export function startServer(port: number) {'],
  ],
  [{ mode: 'symbols', query: 'connect' }, ['src/client.ts:4:  connect(host) {']],
  [{ mode: 'symbols', query: 'Client' }, ['src/client.ts:3:class Client {']],
  [{ mode: 'files', query: 'zebra' }, ['Nothing found for "zebra" (files). Try another mode or word.']],
])('finder %j', async (input, lines) => {
  expect((await tools.say('finder', input)).split('\n')).toEqual(lines);
});

test('symbols are definitions in every style of JavaScript, but no imports', async () => {
  const lines = [
    'exports.startJob = startAll;',
    'module.exports.startJob = null;',
    '  startJob: function (x) {',
    'const startJob = (x) => x;',
    'const startJob = (',
    'Queue.prototype.startJob = function () {',
    '  static startJob = async () => {};',
    "const { a, startJob: b } = { startJob: (x) => x, 'y': 1 };",
    'export async function startJob() {',
    'def startJob(self):',
  ];
  const others = [
    "const startJob = require('./start-job');",
    'let startJob = await import("./start-job");',
    "import startJob from './start-job';",
    "import type startJob from './start-job';",
    'if (exports.startJob === x) {',
    '  startJob(1);',
    '  x.startJob;',
    '  startJob: 3,',
  ];
  const styles = await openTools({ 'a.js': `${[...lines, ...others].join('\n')}\n` });
  expect((await styles.say('finder', { mode: 'symbols', query: 'startJob' })).split('\n')).toEqual(
    lines.map((line, index) => `a.js:${index + 1}:${line}`),
  );
  await styles.close();
});

test('finder without its agent searches the words of the question and says so', async () => {
  expect(await tools.call('finder', { mode: 'agent', query: 'who does listen?' })).toEqual({
    content:
      'src/server.ts:2:  return listen(port); // MARK: a.b\n[no agent answered: lines with the most words of the question; symbols or grep find more]',
    data: { mode: 'text', total: 1, truncated: false, agent_fallback: true },
  });
});

test.each([
  [
    'glob',
    { pattern: '.git/**' },
    "protected: .git/** means git's own files, which cannot be read here. Use git commands instead.",
  ],
  [
    'grep',
    { pattern: 'x', glob: '**/.git/*' },
    "protected: **/.git/* means git's own files, which cannot be read here. Use git commands instead.",
  ],
  [
    'finder',
    { mode: 'files', query: '../*' },
    'outside_workspace: ../* lies outside the workspace. Use paths inside it.',
  ],
  ['glob', { pattern: '/etc/*' }, 'invalid_input: /etc/* is absolute; give it relative to the workspace.'],
  [
    'grep',
    { pattern: 'x', path: '.git' },
    "protected: .git is git's own, and git's own files cannot be read or written here. Use git commands instead.",
  ],
  [
    'grep',
    { pattern: 'x', path: '..' },
    'outside_workspace: .. lies outside the workspace. Use paths inside it.',
  ],
  ['glob', { pattern: '.gitignore' }, '.gitignore'],
])('%s %j reports what it cannot read', async (name, input, words) => {
  expect(await tools.say(name, input)).toBe(words);
});

test('an abort ends a search with its reason', async () => {
  const reason = new Error('enough');
  const aborted = await openTools(files, { signal: AbortSignal.abort(reason) });
  await expect(aborted.call('grep', { pattern: 'x' })).rejects.toBe(reason);
  await aborted.close();
});

test('glob finds files in an ignored folder if the pattern names the folder', async () => {
  const found = await openTools({ '.gitignore': 'vendor\n', 'vendor/send/index.js': '' }, { git: true });
  try {
    expect([
      await found.say('glob', { pattern: 'vendor/send/*.js' }),
      await found.say('glob', { pattern: '**/index.js' }),
    ]).toEqual([
      'vendor/send/index.js',
      'No files match **/index.js. Files excluded by .gitignore were not searched.',
    ]);
  } finally {
    await found.close();
  }
});

test('grep displays the matches within the limit and counts the rest by file', async () => {
  const line = `needle ${'x'.repeat(190)}\n`;
  const found = await openTools({
    'a.txt': line.repeat(50),
    'b.txt': line.repeat(50),
    'c.txt': line.repeat(9),
  });
  try {
    const output = await found.call('grep', { pattern: 'needle' });
    const lines = String(output.content).split('\n');
    expect({ lines: lines.length, note: lines.at(-1), data: output.data }).toEqual({
      lines: 96,
      note: '[14 more matches not shown, in b.txt (5), c.txt (9); narrow the pattern, path or glob]',
      data: { matches: 109, files: 3, truncated: true },
    });
  } finally {
    await found.close();
  }
});

test('finder finds symbols by any part of their name, with or without underscores', async () => {
  const named = await openTools({
    'a.py': 'def resolve_redirects(): pass\nclass TooManyRedirects: pass\nother = redirects\n',
    'b.lua': 'function resolve_redirects()\nend\n',
  });
  const words = ['redirects', 'resolveRedirects', 'many_redirects'];
  const reply = await Promise.all(words.map((query) => named.say('finder', { mode: 'symbols', query })));
  await named.close();
  const [first, second, third] = [
    'a.py:1:def resolve_redirects(): pass',
    'a.py:2:class TooManyRedirects: pass',
    'b.lua:1:function resolve_redirects()',
  ];
  expect(reply.map((one) => one.split('\n'))).toEqual([[first, second, third], [first, third], [second]]);
});
