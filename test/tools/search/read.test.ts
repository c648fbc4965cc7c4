import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTools, type ToolHarness } from '../tool-harness.ts';

const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools({
    'a.txt': 'one\ntwo\nthree\n',
    'long.txt': numbers(1200),
    'wide.txt': `${'x'.repeat(2500)}\nnext\n`,
    'image.png': Buffer.from([0x89, 0x50, 0, 1]),
    'photo.txt': Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\0', 'latin1'),
    'emoji.txt': `${'x'.repeat(1999)}\u{1f600}${'y'.repeat(10)}\n`,
    'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
    'bom.txt': '\ufeffwith a mark\r\nand returns\r\n',
    'empty.txt': '',
    'src/main.ts': 'main();\n',
    'outside.txt': { symlink: '/etc/passwd' },
  });
});
afterEach(() => tools.close());

test('read numbers the lines and reports the displayed range', async () => {
  expect(await tools.call('read', { path: 'a.txt' })).toEqual({
    content: '1\tone\n2\ttwo\n3\tthree',
    data: {
      path: 'a.txt',
      start_line: 1,
      end_line: 3,
      total_lines: 3,
      file_capped: false,
      truncated: false,
    },
  });
});

test.each([
  { input: { read_range: [2, 3] }, content: '2\ttwo\n3\tthree' },
  { input: { read_range: [2] }, content: '2\ttwo\n3\tthree' },
  {
    input: { read_range: [2, 2], start_line: 1 },
    content: '2\ttwo\n[line 2 of 3]',
  },
  { input: { start_line: 3 }, content: '3\tthree' },
  { input: { offset: 2, limit: 1 }, content: '2\ttwo\n[line 2 of 3]' },
  { input: { start_line: 1, end_line: 99 }, content: '1\tone\n2\ttwo\n3\tthree' },
])('read returns the range $input', async ({ input, content }) => {
  expect((await tools.call('read_file', { file_path: 'a.txt', ...input })).content).toBe(content);
});

test('read stops after 1,000 lines and names the next line', async () => {
  const text = await tools.say('read', { path: 'long.txt' });
  const lines = text.split('\n');
  expect([lines.length, lines[999], lines[1000]]).toEqual([
    1001,
    '1000\tline 1000',
    '[lines 1-1000 of 1200; continue with start_line 1001]',
  ]);
  expect((await tools.say('read', { path: 'long.txt', read_range: [1] })).split('\n')).toHaveLength(1200);
});

test('read cuts at max_bytes between lines', async () => {
  expect(await tools.call('read', { path: 'a.txt', max_bytes: 14 })).toMatchObject({
    content: '1\tone\n2\ttwo\n[lines 1-2 of 3, cut by max_bytes; continue with start_line 3]',
    data: { truncated: true, end_line: 2 },
  });
  expect(await tools.say('read', { path: 'a.txt', read_range: [1, 3], max_bytes: 14 })).toMatch(
    /start_line 3]$/,
  );
});

test('read cuts a very long line', async () => {
  expect(await tools.say('read', { path: 'wide.txt' })).toBe(
    `1\t${'x'.repeat(2000)} … [500 more characters]\n2\tnext`,
  );
});

test('read never cuts a character in half', async () => {
  const text = await tools.say('read', { path: 'emoji.txt' });
  expect([text.isWellFormed(), text.slice(-25)]).toEqual([true, 'x\ufffd … [11 more characters]']);
});

test('read loads at most 2 MiB of a file', async () => {
  tools.write('big.txt', 'y'.repeat(1023).concat('\n').repeat(2100));
  const { content, data } = await tools.call('read', { path: 'big.txt', start_line: 2048 });
  expect(data).toMatchObject({ file_capped: true, truncated: true, total_lines: 2048, end_line: 2048 });
  expect((await tools.call('read', { path: 'big.txt', end_line: 9 })).data).toMatchObject({
    file_capped: true,
    truncated: false,
  });
  expect(content).toMatch(/only the first 2 MiB of the file can be read; use grep for the rest]$/);
});

test('read removes the byte order mark and carriage returns', async () => {
  expect(await tools.say('read', { path: 'bom.txt' })).toBe('1\twith a mark\n2\tand returns');
});

test('read reports that a file is not UTF-8', async () => {
  expect(await tools.say('read', { path: 'latin.txt' })).toBe(
    '1\tcafé\n[not valid UTF-8: shown as Latin-1, which an edit preserves]',
  );
});

test.each([
  ['empty.txt', {}, '(the file is empty)'],
  ['a.txt', { start_line: 4 }, 'invalid_input: a.txt has only 3 lines; line 4 is past its end.'],
  ['a.txt', { start_line: 9 }, 'invalid_input: a.txt has only 3 lines; line 9 is past its end.'],
  ['a.txt', { read_range: [3, 2] }, 'invalid_input: The range ends before it starts: 3 to 2.'],
  [
    'src',
    {},
    'is_directory: src is a directory, not a file. It holds: main.ts. Read one of its files, or use glob.',
  ],
  [
    'image.png',
    {},
    'binary: image.png is a binary file (4 bytes or more); read shows text only. Use bash with file, xxd or strings to look into it.',
  ],
  [
    'photo.txt',
    {},
    'binary: photo.txt is a binary file (12 bytes or more); read shows text only. It is an image: view_image shows it, called through use_tool.',
  ],
  ['src/mian.ts', {}, 'not_found: src/mian.ts does not exist. Near it: src/main.ts.'],
])('read answers %s %j with a message', async (path, range, words) => {
  expect(await tools.say('read', { path, ...range })).toBe(words);
});

test.each(['outside.txt', '../secret', '/etc/passwd', '.git/config'])('read cannot open %s', async (path) => {
  expect(await tools.say('read', { path })).not.toMatch(/root:|\[core\]/);
  await expect(tools.call('read', { path })).rejects.toMatchObject({ name: 'ToolError' });
});

test('a file that changed after it was read cannot be edited', async () => {
  await tools.call('read', { path: './src/../a.txt' });
  tools.write('a.txt', 'one\ntwo\nfour\n');
  expect(await tools.say('edit_file', { path: 'a.txt', old_str: 'two', new_str: 'TWO' })).toBe(
    'changed_since_read: a.txt changed since it was last read. Read it again first.',
  );
  await tools.call('read', { path: 'a.txt' });
  await tools.call('edit_file', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
  expect(tools.tree()['a.txt']).toBe('one\nTWO\nfour\n');
});

test('multi_read returns every readable file and a reason for the others', async () => {
  const { content, data } = await tools.call('multi_read', {
    paths: ['a.txt', 'nothing.txt', 'src/main.ts'],
  });
  expect(content).toBe(
    [
      '===== a.txt =====',
      '1\tone\n2\ttwo\n3\tthree',
      '===== nothing.txt =====',
      '[error: nothing.txt does not exist.]',
      '===== src/main.ts =====',
      '1\tmain();',
    ].join('\n'),
  );
  expect(data).toMatchObject({
    files: [
      { path: 'a.txt', total_lines: 3 },
      { path: 'nothing.txt', error_kind: 'not_found' },
      { path: 'src/main.ts' },
    ],
  });
});

test('multi_read applies one range to every file and skips files over its byte limit', async () => {
  expect(
    await tools.say('multi_read', {
      paths: ['a.txt', 'long.txt', 'src/main.ts'],
      read_range: [1, 1],
      max_bytes: 13,
    }),
  ).toBe(
    [
      '===== a.txt =====',
      '1\tone\n[line 1 of 3]',
      '===== long.txt =====',
      '1\tline 1\n[line 1 of 1200, cut by max_bytes; continue with start_line 2]',
      '===== src/main.ts =====',
      '[skipped: max_bytes (13) is used up; read this file on its own]',
    ].join('\n'),
  );
});

test('multi_read accepts at most ten files', async () => {
  const paths = Array.from({ length: 11 }, (_, index) => `${index}`);
  await expect(tools.call('multi_read', { paths })).rejects.toMatchObject({ kind: 'invalid_input' });
});
