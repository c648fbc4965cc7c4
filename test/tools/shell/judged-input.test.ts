import { expect, test } from 'vitest';
import { checkInput, scriptsToEvaluate } from '../../../src/tools/shell/shell-session.ts';

type Session = Parameters<typeof checkInput>[0];
const session = (more: object = {}) =>
  ({
    id: 's1',
    command: 'bash',
    folder: '',
    reader: 'shell',
    typed: { before: '', others: [] },
    ...more,
  }) as unknown as Session;

const reply = (text: string, one = session()): string => {
  try {
    checkInput(one, { text, enter: true });
    return 'fine';
  } catch (error) {
    return (error as Error).message;
  }
};
const control =
  'input: a shell gets no control characters, tabs among them, but \\u0003 (Ctrl-C), \\u0004 (Ctrl-D) and the like, each alone. Write the command out.';
const history =
  'input: a shell gets no `!` in front of a word and no `^` at the start of a line: they bring back earlier commands. Write the command out, or use bash.';
const hidden =
  'input: a shell gets no here-document and no line that ends in a backslash. Write the command in one line, or use bash.';
const tooMuch = 'input: at most 16384 bytes at once. Write them to a file and have the program read that.';
const tooLong =
  'input: a line on a terminal has at most 4000 bytes. Write the text to a file and have the program read that.';

test.for([
  ['ls -la', 'fine'],
  ['ls\npwd', 'fine'],
  ['\u0003', 'fine'],
  ['a\tb', control],
  ['a\u0000', control],
  ['a\u0007', control],
  ['a\u000b', control],
  ['a\u001b[A', control],
  ['a\u007f', control],
  ['!ls', history],
  ['echo a!b', history],
  ['^a^b', history],
  ['ls\n^a', history],
  ['! ls', 'fine'],
  ['[ a != b ]', 'fine'],
  ['echo a^b', 'fine'],
  ['!(a)', 'fine'],
  ['cat <<EOF', hidden],
  ['echo \\', hidden],
  ['echo "a', 'fine'],
] as const)('%j typed into a shell: %s', ([text, words]) => {
  expect(reply(text)).toBe(words);
});

test('an interpreter gets its input as far as a terminal passes it on', () => {
  const one = session({ reader: 'interpreter' });
  const lines = (count: number) => `${'x'.repeat(4_000)}\n`.repeat(count);
  expect([
    reply('a\tb !c ^d\ncat <<EOF', one),
    reply('x'.repeat(4_000), one),
    reply('x'.repeat(4_001), one),
    reply(`a\r${'x'.repeat(4_001)}`, one),
    reply(lines(4), one),
    reply('é'.repeat(2_001), one),
    reply(`${lines(4)}${'x'.repeat(381)}`, one),
  ]).toEqual(['fine', 'fine', tooLong, tooLong, 'fine', tooLong, tooMuch]);
});

test('a line that was started, or may be another, counts with the input', () => {
  const started = { before: 'x\ncat <<', others: [] };
  const other = { before: '', others: ['cat <<'] };
  expect([
    reply('EOF', session({ typed: started })),
    reply('EOF', session({ typed: other })),
    reply('EOF'),
  ]).toEqual([hidden, hidden, 'fine']);
});

test('all input is evaluated with the command, or alone if they cannot be parsed together', () => {
  const evaluated = (text: string, more: object = {}) =>
    scriptsToEvaluate(session(more), { text, enter: true });
  expect([
    evaluated('ls', { reader: 'interpreter', command: 'node' }),
    evaluated('ls'),
    evaluated('ls', { folder: 'my src', typed: { before: 'cd a\n', others: [] } }),
    evaluated('\u0003', { typed: { before: 'rm x', others: [] } }),
    evaluated('"b', { typed: { before: 'echo ', others: [] } }),
    evaluated('a"', { typed: { before: '', others: ['rm "', ''] } }),
    evaluated('c', { typed: { before: 'rm x; ', others: ['rm '] } }),
  ]).toEqual([
    ['node'],
    ['bash\nls\n'],
    ["cd 'my src'\nbash\ncd a\nls\n"],
    ['bash\nrm x'],
    ['bash\necho "b\n', 'echo "b'],
    ['bash\na"\n', 'a"', 'rm "a"'],
    ['bash\nrm x; c\n', 'rm c'],
  ]);
  const much = (length: number) =>
    evaluated('', { command: 'b', typed: { before: 'x'.repeat(length), others: [] } });
  expect(much(59_997)).toHaveLength(1);
  expect(() => much(59_998)).toThrow(
    's1 has too much input to evaluate it as a whole. Open another session.',
  );
});
