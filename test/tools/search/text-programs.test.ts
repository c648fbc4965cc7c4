import { expect, test } from 'vitest';
import { listers } from '../../../src/tools/search/list-files.ts';
import { spansLines, textSearches } from '../../../src/tools/search/text-programs.ts';
import type { TextQuery } from '../../../src/tools/search/text-query.ts';

const query: TextQuery = {
  ...{ pattern: 'a.b', regex: false, caseSensitive: false, wordMatch: false, glob: undefined },
  ...{ maxMatches: 50, context: 2 },
};
const strict: TextQuery = { ...query, regex: true, caseSensitive: true, wordMatch: true, context: 0 };

/** The arguments of a program, a line for each way to be asked. */
const argumentsOf = (
  program: number,
  one: TextQuery,
  kind: 'file' | 'directory' = 'directory',
  outer = false,
) => (textSearches[program]?.arguments(one, kind, outer) ?? []).map((words) => words.join(' '));

test('ripgrep is tried first, then git, then grep, each for the queries it supports', async () => {
  const known = textSearches.map(async ({ program, standardInput, multiline, ignores }) => [
    (await program()).split('/').at(-1),
    standardInput,
    multiline,
    ignores,
  ]);
  expect([await Promise.all(known), listers.length]).toEqual([
    [
      ['rg', true, true, true],
      ['git', false, false, false],
      ['grep', true, false, false],
    ],
    2,
  ]);
});

const base =
  '--no-config --no-follow --no-require-git --no-ignore-global --no-ignore-dot --glob=!.git --glob=!.anode-harness';

test('ripgrep is called for JSON with hidden files, without settings from outside', () => {
  const [first] = argumentsOf(0, query);
  const all = first?.slice(0, first.indexOf(' --json'));
  expect(all?.split(' ').filter((word) => base.split(' ').includes(word))).toEqual(base.split(' '));
  const rest = (...given: Parameters<typeof argumentsOf>) =>
    argumentsOf(...given).map((words) => words.slice(words.indexOf('--json')));
  expect([
    rest(0, query),
    rest(0, strict, 'directory', true),
    rest(0, { ...query, glob: '*.ts' }, 'file'),
    rest(0, { ...query, pattern: 'a.\nb' }),
    rest(0, { ...strict, pattern: 'a\\nb' }),
  ]).toEqual([
    ['--json --hidden --engine=auto --fixed-strings --ignore-case --max-count=51 --context=2 -e a.b -- .'],
    ['--json --hidden --engine=auto --no-ignore-parent --word-regexp --max-count=51 --context=0 -e a.b -- .'],
    ['--json --hidden --engine=auto --fixed-strings --ignore-case --max-count=51 --context=2 -e a.b -- -'],
    ['--json --hidden --engine=auto --multiline --ignore-case --max-count=51 --context=2 -e a\\.\nb -- .'],
    ['--json --hidden --engine=auto --multiline --word-regexp --max-count=51 --context=0 -e a\\nb -- .'],
  ]);
});

test.for([
  ['*.ts', '--type-add=wanted:*.ts --type=wanted'],
  ['src/**/*.ts', '--type-add=wanted:*.ts --type=wanted'],
  ['a-b_1?.{ts,*.md}', '--type-add=wanted:a-b_1?.{ts,*.md} --type=wanted'],
  ['!*.ts', '--glob=!*.ts'],
  ['!vendor', '--glob=!vendor'],
  ['!src/*.ts', ''],
  ['src/', ''],
  ['src/**', ''],
  ['*.ts,*.md', ''],
  ['@(a|b).ts', ''],
  ['[ab].ts', ''],
  ['{a,b}{c,d}', ''],
  ['a b', ''],
  [undefined, ''],
] as const)('for the glob %s ripgrep uses %j', ([glob, words]) => {
  const [line = ''] = argumentsOf(0, { ...query, glob });
  expect(line.slice(line.indexOf('--context=2') + 11, line.indexOf(' -e ')).trim()).toBe(words);
});

test('git is called without a repository, and grep with the names of folders to skip', () => {
  expect([argumentsOf(1, query), argumentsOf(1, strict)]).toEqual([
    [
      'grep --no-index --exclude-standard --no-color --no-textconv -I -n --column --null -F -i -C2 -e a.b -- . :(exclude,glob)**/.anode-harness/**',
    ],
    ['-P', '-E'].map(
      (dialect) =>
        `grep --no-index --exclude-standard --no-color --no-textconv -I -n --column --null ${dialect} -w -C0 -e a.b -- . :(exclude,glob)**/.anode-harness/**`,
    ),
  ]);
  expect([argumentsOf(2, query, 'file'), argumentsOf(2, strict)]).toEqual([
    ['-r -H -I -n -Z -s -D skip -F --exclude-dir=.git --exclude-dir=.anode-harness -i -C2 -e a.b -- -'],
    ['-P', '-E'].map(
      (dialect) =>
        `-r -H -I -n -Z -s -D skip ${dialect} --exclude-dir=.git --exclude-dir=.anode-harness -w -C0 -e a.b -- .`,
    ),
  ]);
});

test('a query with a line break, or an escaped one in an expression, spans lines', () => {
  const spans = (pattern: string, regex: boolean) => spansLines({ ...query, pattern, regex });
  expect([
    spans('a\nb', false),
    spans('a\nb', true),
    spans('a\\nb', true),
    spans('a\\nb', false),
    spans('a', true),
  ]).toEqual([true, true, true, false, false]);
});
