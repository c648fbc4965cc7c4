import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noUsage } from '../../../src/contract/usage-sums.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
beforeAll(async () => {
  tools = await openTools({
    'src/a.ts': 'a1b\nfoo(x) | y\n^caret\nend$\nab\n',
    'src/b.ts': 'a1b\na1b\n',
    'src/deep/c.ts': 'needle\n',
    '.hid/d.ts': 'x\n',
    '.hid/e.ts': 'x\n',
    'docs/[id].md': 'x\n',
    '.gitignore': 'out/\n',
    'out/f.ts': 'x\n',
  });
});
afterAll(() => tools.close());

const asExpression = '[no line has this text literally; it was searched as a regular expression]';

describe('text that looks like an expression', () => {
  test.for([
    ['a\\db', 'a1b'],
    ['a\\w\\Bb', 'a1b'],
    ['.*needle', 'needle'],
    ['needl.+', 'needle'],
    ['nee(d)+le', 'needle'],
    ['nee[d]*le', 'needle'],
    ['needle|xyz', 'needle'],
    ['(needle)|q', 'needle'],
    ['q|(needle)', 'needle'],
    ['^needle', 'needle'],
    ['needle$', 'needle'],
    ['[^q]eedle', 'needle'],
    ['nee[a-e]le', 'needle'],
    ['nee(?:d)le', 'needle'],
    ['a\\Db|needle', 'needle'],
    ['need\\Sle|needle', 'needle'],
    ['foo\\(x\\)', 'foo(x) | y'],
    ['\\^caret', '^caret'],
    ['end\\$', 'end$'],
    ['y\\s|needle', 'needle'],
    ['\\|\\Wy', 'foo(x) | y'],
  ] as const)('%s is searched as one if no line contains it', async ([pattern, line]) => {
    const lines = (await tools.say('grep', { pattern })).split('\n');
    const found = lines.slice(0, -1).map((one) => one.replace(/^[^:]*:\d+:/, ''));
    expect([lines.at(-1), found.includes(line)]).toEqual([asExpression, true]);
  });

  test.for([
    'needle?',
    'n.edle',
    'nee{1}dle',
    'a b|',
    'needle()',
    'a-b*',
    'needle*|',
    '(unclosed|a',
  ])('%s is searched literally', async (pattern) => {
    expect(await tools.say('grep', { pattern })).not.toContain(asExpression);
  });

  test('is reported as searched literally if it has no match either way', async () => {
    const reply = (pattern: string, more: object = {}) => tools.say('grep', { pattern, ...more });
    const literal = 'It was searched literally; set regex to true if it is an expression.';
    const signs = ['zz*', 'zz+', 'zz?', '^zz', 'zz$', 'z|z', 'z(z', 'z)z', 'z[z', 'z]z', 'z\\z'];
    expect([
      ...(await Promise.all(signs.map((sign) => reply(sign)))),
      await reply('zz.'),
      await reply('zz', { path: 'src', glob: '*.ts' }),
      await reply('zz*', { regex: true, path: 'docs' }),
    ]).toEqual([
      ...signs.map((sign) => `No match for "${sign}". ${literal}`),
      'No match for "zz.".',
      'No match for "zz" in src (*.ts).',
      'No match for "zz*" in docs.',
    ]);
  });
});

test('only files and matches are counted if requested', async () => {
  const call = (output_mode: string, max_matches = 50) =>
    tools.call('grep', { pattern: 'a1b', output_mode, max_matches });
  expect([await call('files_with_matches', 1), await call('count', 1), await call('content', 1)]).toEqual([
    { content: 'src/a.ts\nsrc/b.ts', data: { matches: 2, files: 2, truncated: false } },
    { content: 'src/a.ts:1\nsrc/b.ts:2', data: { matches: 3, files: 2, truncated: false } },
    {
      content:
        'src/a.ts:1:a1b\nsrc/b.ts:1:a1b\n[more than 1 match, of which the first are shown, in: src/b.ts; raise max_matches]',
      data: { matches: 2, files: 2, truncated: true, capped_files: ['src/b.ts'] },
    },
  ]);
});

test('omitted matches are counted for twenty files', async () => {
  const line = `needle${'x'.repeat(240)}\n`;
  const files = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`f${String(index).padStart(3, '0')}`, line]),
    );
  const note = async (count: number) => {
    const found = await openTools(files(count));
    const replyText = (await found.say('grep', { pattern: 'needle' })).split('\n').at(-1) ?? '';
    await found.close();
    return replyText.replace(/f\d+ \(1\)(?:, f\d+ \(1\))*/, (names) => `${names.split(', ').length} files`);
  };
  const narrow = 'narrow the pattern, path or glob]';
  expect([await note(78), await note(97), await note(98)]).toEqual([
    `[1 more match not shown, in 1 files; ${narrow}`,
    `[20 more matches not shown, in 20 files; ${narrow}`,
    `[21 more matches not shown, in 20 files and 1 more files; ${narrow}`,
  ]);
});

describe('files by their path', () => {
  test.for([
    [{ pattern: '*.ts', path: 'src' }, 'src/a.ts\nsrc/b.ts'],
    [{ pattern: 'c.ts', path: 'src' }, 'src/deep/c.ts\n[none lies in src itself; these are deeper]'],
    [
      { pattern: 'a.ts,c.ts', path: '.' },
      'src/a.ts\nsrc/deep/c.ts\n[none lies in . itself; these are deeper]',
    ],
    [{ pattern: 'out/*.ts' }, 'out/f.ts'],
    [{ pattern: 'src/deep/*.ts' }, 'src/deep/c.ts'],
    [{ pattern: 'none/*.ts' }, 'No files match none/*.ts. Files excluded by .gitignore were not searched.'],
    [{ pattern: 'd.*' }, 'No files match d.*, but 1 hidden file does; set include_hidden to see.'],
    [{ pattern: '[de].ts' }, 'No files match [de].ts, but 2 hidden files do; set include_hidden to see.'],
    [{ pattern: '[de].ts', include_hidden: true, path: '.hid' }, '.hid/d.ts\n.hid/e.ts'],
    [{ pattern: '.hid/*' }, '.hid/d.ts\n.hid/e.ts'],
    [
      { pattern: '{.hid,none}/*' },
      'No files match {.hid,none}/*, but 2 hidden files do; set include_hidden to see.',
    ],
    [{ pattern: './src/a.ts' }, 'src/a.ts'],
    [{ pattern: '**/a.ts', limit: 1 }, 'src/a.ts'],
    [{ pattern: 'src/*.ts', limit: 1 }, 'src/a.ts\n[1 more; narrow the pattern or raise limit]'],
  ] as const)('%j are found', async ([input, text]) => {
    expect(await tools.say('glob', input)).toBe(text);
  });

  test('are reported with their number', async () => {
    expect((await tools.call('glob', { pattern: 'src/*.ts', limit: 1 })).data).toEqual({
      ...{ paths: ['src/a.ts'], total: 2, truncated: true },
    });
  });
});

describe('finder', () => {
  test('searches its words, more of them, or none', async () => {
    expect([
      await tools.call('finder', { query: 'a1b', limit: 2 }),
      await tools.call('finder', { mode: 'files', query: 'SRC .TS', limit: 2 }),
      await tools.call('finder', { mode: 'files', query: 'SRC', case_sensitive: true }),
      await tools.call('finder', { mode: 'files', query: 'deep/*.ts' }),
      await tools.call('finder', { query: '', path: 'src/deep' }),
      await tools.call('finder', { mode: 'agent', query: '', path: 'src/deep' }),
    ]).toEqual([
      {
        content: 'src/a.ts:1:a1b\nsrc/b.ts:1:a1b\n[1 more; narrow the query or raise limit]',
        data: { mode: 'text', total: 3, truncated: true },
      },
      {
        content: 'src/a.ts\nsrc/b.ts\n[1 more; narrow the query or raise limit]',
        data: { mode: 'files', paths: ['src/a.ts', 'src/b.ts'], total: 3, truncated: true },
      },
      {
        content: 'Nothing found for "SRC" (files). Try another mode or word.',
        data: { mode: 'files', paths: [], total: 0, truncated: false },
      },
      {
        content: 'Nothing found for "deep/*.ts" (files). Try another mode or word.',
        data: { mode: 'files', paths: [], total: 0, truncated: false },
      },
      {
        content: 'src/deep/c.ts',
        data: { mode: 'files', paths: ['src/deep/c.ts'], total: 1, truncated: false },
      },
      {
        content: 'src/deep/c.ts',
        data: { mode: 'files', paths: ['src/deep/c.ts'], total: 1, truncated: false },
      },
    ]);
  });

  test('asks its agent with question and path, and displays fifteen lines without one', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `needle ${index}`).join('\n');
    const requested: unknown[] = [];
    const other = await openTools(
      { 'a.txt': many },
      {
        child: (request) => {
          requested.push(request);
          return { childRunId: 'r', conclusion: 'limit', answer: '', entries: [], turns: 1, usage: noUsage };
        },
      },
    );
    const lines = (await other.say('finder', { mode: 'agent', query: 'needle' })).split('\n');
    await other.say('finder', { mode: 'agent', query: 'q'.repeat(90), path: 'a.txt', glob: '*.txt' });
    await other.close();
    expect([lines.length, lines.slice(-2)]).toEqual([
      17,
      [
        '[5 more; narrow the query or raise limit]',
        '[no agent answered: lines with the most words of the question; symbols or grep find more]',
      ],
    ]);
    const same = { profile: 'find', timeoutMs: 180_000, readOnly: true };
    expect(requested).toEqual([
      { ...same, title: 'Find: needle', prompt: 'needle' },
      {
        ...same,
        title: `Find: ${'q'.repeat(80)}`,
        prompt: `${'q'.repeat(90)}\nLook in a.txt.\nFiles: *.txt`,
      },
    ]);
  });
});
