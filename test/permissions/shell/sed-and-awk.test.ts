import { expect, test } from 'vitest';
import {
  hidesPrograms,
  readSedScript,
  readsWithAwk,
  readsWithSed,
  writtenByAwk,
  writtenBySed,
} from '../../../src/permissions/shell/sed-and-awk.ts';
import { literalWord, unknownWord } from '../../../src/permissions/shell/shell-word.ts';

test.each<[script: string, does: ReturnType<typeof readSedScript>]>([
  ['p', { runs: false, writes: [], reads: [] }],
  ['{p;d}', { runs: false, writes: [], reads: [] }],
  ['=;d;D;g;G;h;H;n;N;p;P;x;z;l;F', { runs: false, writes: [], reads: [] }],
  ['q', { runs: false, writes: [], reads: [] }],
  ['q 5', { runs: false, writes: [], reads: [] }],
  ['Q5', { runs: false, writes: [], reads: [] }],
  [':a;b a;t a;T', { runs: false, writes: [], reads: [] }],
  [':a b;e ls', { runs: true, writes: [], reads: [] }],
  ['r f', { runs: false, writes: [], reads: ['f'] }],
  ['R f;p', { runs: false, writes: [], reads: ['f;p'] }],
  ['w f', { runs: false, writes: ['f'], reads: [] }],
  ['/a/W f g\np', { runs: false, writes: ['f g'], reads: [] }],
  ['e', { runs: true, writes: [], reads: [] }],
  ['e ls', { runs: true, writes: [], reads: [] }],
  ['1e ls\np', { runs: true, writes: [], reads: [] }],
  ['a text', { runs: false, writes: [], reads: [] }],
  ['a\\\\\ntext\\\\\nmore\np', { runs: false, writes: [], reads: [] }],
  ['i x', { runs: false, writes: [], reads: [] }],
  ['c x;w f', { runs: false, writes: [], reads: [] }],
  ['s/a/b/', { runs: false, writes: [], reads: [] }],
  ['s/a/b/g;p', { runs: false, writes: [], reads: [] }],
  ['s/a/b/gpiImM2', { runs: false, writes: [], reads: [] }],
  ['s/a/b/e', { runs: true, writes: [], reads: [] }],
  ['s/a/b/w f', { runs: false, writes: ['f'], reads: [] }],
  ['s/a/b/gw f\np', { runs: false, writes: ['f'], reads: [] }],
  ['s/a/b/ w f', null],
  ['s,a,b,', { runs: false, writes: [], reads: [] }],
  ['s|a\\|b|c|', { runs: false, writes: [], reads: [] }],
  ['s/[/]/x/', null],
  ['s/[ab]/x/', { runs: false, writes: [], reads: [] }],
  ['s/a/b', null],
  ['s/a', null],
  ['s', null],
  ['sXaXbX', null],
  ['s a b ', null],
  ['s_a_b_', null],
  ['s\\a\\b\\', null],
  ['s/a\nb/c/', null],
  ['s/a/b\nc/', { runs: false, writes: [], reads: [] }],
  ['y/abc/xyz/', { runs: false, writes: [], reads: [] }],
  ['y/a/b/e', { runs: true, writes: [], reads: [] }],
  ['1p', { runs: false, writes: [], reads: [] }],
  ['1,3p', { runs: false, writes: [], reads: [] }],
  ['1~2p', { runs: false, writes: [], reads: [] }],
  ['1,+3p', { runs: false, writes: [], reads: [] }],
  ['1,~4p', { runs: false, writes: [], reads: [] }],
  ['$p', { runs: false, writes: [], reads: [] }],
  ['$!d', { runs: false, writes: [], reads: [] }],
  ['/a/p', { runs: false, writes: [], reads: [] }],
  ['/a/Ip', { runs: false, writes: [], reads: [] }],
  ['/a/Mp', { runs: false, writes: [], reads: [] }],
  ['/a/,/b/p', { runs: false, writes: [], reads: [] }],
  ['\\,a,p', { runs: false, writes: [], reads: [] }],
  ['\\1a1p', null],
  ['/a', null],
  ['/a/,/b', null],
  ['# e ls\np', { runs: false, writes: [], reads: [] }],
  ['#n', { runs: false, writes: [], reads: [] }],
  ['p # w f', { runs: false, writes: [], reads: [] }],
  ['p;;p', { runs: false, writes: [], reads: [] }],
  ['p p', { runs: false, writes: [], reads: [] }],
  ['k', null],
  ['1', { runs: false, writes: [], reads: [] }],
  ['}', { runs: false, writes: [], reads: [] }],
  ['p}', { runs: false, writes: [], reads: [] }],
  [' p ', { runs: false, writes: [], reads: [] }],
  ['r', { runs: false, writes: [], reads: [''] }],
  ['l 5', { runs: false, writes: [], reads: [] }],
  ['Fe', { runs: true, writes: [], reads: [] }],
])('%j', (script, does) => {
  expect(readSedScript(script)).toEqual(does);
});

const sed = (call: string) => readsWithSed(call.split(' '));
const awk = (...values: string[]) => readsWithAwk(values);

test.each([
  ...['p f', '-n p f', '-nErzus p f', '-n -e p f', '-ne p f', '-nep f', '-e p -e d f', '--expression=p f'],
  ...['--expression p f', '--quiet --silent --regexp-extended --posix p f', '--null-data --separate p'],
  ...['--debug --sandbox --unbuffered p', 'p -- -i', 'p -', '-e p -'],
])('sed %s reads', (call) => {
  expect(sed(call)).toBe(true);
});

test.each([
  ...[
    '-i p f',
    '-ni p f',
    '-i.bak p f',
    '--in-place p f',
    '--in-place=.b p f',
    '-f s f',
    '-nf s',
    '-fs',
    '--file s f',
  ],
  ...['x--expression=p f', 'x-f p', '--xfile p', '-e r', '--expression= -i', '-ep -er'],
  ...['--file=s f', '-Q p f', '--other p', '-e w', '-e p -e e', 'r', '1e', '--quieter p', '-k p'],
])('sed %s is not proven to read', (call) => {
  expect(sed(call)).toBe(false);
});

test.each<[call: string, files: string[], byScript: string[]]>([
  ['p a b', [], []],
  ['-i p a b', ['a', 'b'], []],
  ['-i -e p a b', ['a', 'b'], []],
  ['-i -f s a', ['a'], []],
  ['-if s a', ['a'], []],
  ['-i --file s a', ['a'], []],
  ['-i --file=s a', ['a'], []],
  ['-i p -- -a b', ['-a', 'b'], []],
  ['-n wout a', [], ['out']],
  ['-i -e wx -e wy a', ['a'], ['x', 'y']],
  ['-i k a', ['a'], []],
  ['-Q -i p a', [], []],
  ['-i p a-f b', ['a-f', 'b'], []],
  ['-i p x--file', ['x--file'], []],
  ['-i --file=xf a', ['a'], []],
  ['-i', [], []],
])('sed %s writes its files in place and the files of its script', (call, files, byScript) => {
  expect(writtenBySed(call.split(' '))).toEqual({ files, byScript });
});

test('awk reads if its options are plain and its program prints', () => {
  const reading = [
    ['1'],
    ['-F', ':', '1', 'f'],
    ['-F:', '-v', 'a=1', '-va=1', '{print}', 'f', 'g'],
    ['--', '1', 'f'],
  ];
  expect(reading.map((values) => awk(...values))).toEqual(reading.map(() => true));
  const more = [
    ...[[], ['-f', 'x'], ['-i', 'x', '1'], ['-E', '1'], ['-F'], ['1', '-f'], ['-', '1']],
    ...[['a | b'], ['a > b'], ['@load'], ['system()'], ['getline'], ['--', '1', '-f']],
  ];
  expect(more.map((values) => awk(...values))).toEqual(more.map(() => false));
});

test('the output files of awk are those named in its program', () => {
  expect([
    writtenByAwk(['{print > "a"; print >> "b c"; print >"d\\"e"}', 'f']),
    writtenByAwk(['-v', 'x=1', '{print > x}']),
    writtenByAwk(['{print "a"}']),
    writtenByAwk([]),
  ]).toEqual([['a', 'b c', 'd\\"e'], [], [], []]);
});

const hides = (name: string, ...values: (string | null)[]) =>
  hidesPrograms(
    name,
    values.map((value) => (value === null ? { ...unknownWord, source: '$x' } : literalWord(value))),
  );

test.each<[name: string, ...values: (string | null)[]]>([
  ['sed', 's/e/b/', 'f'],
  ['sed', 'p'],
  ['sed'],
  ['sed', '-Q', 'a'],
  ['sed', 'k'],
  ['sed', 'p', null],
  ['sed', '-n', 'p', null],
  ['sed', '-e', 'p', '-e', 's/e//'],
  ['sed', '--expression=s/e/\n/'],
  ['awk'],
  ['awk', '1', null],
  ['awk', '-F', null, '1'],
  ['awk', '-v', null, '1'],
  ['awk', `#${'x'.repeat(4_095)}`],
  ['awk', '/a|b/ || $2 == "|" { n++ }'],
  ['awk', 'a || b'],
  ['awk', '"a | "b"" '],
  ['awk', '"system" # system\n'],
  ['awk', '1 # | "sh"\n2'],
  ['awk', '"a\\\n|b"'],
  ['awk', 'filesystem; systems'],
  ['awk', 'getline < f'],
  ['awk', '{ return /|x/ }\n/[/]|x/ { !/|x/ } (/|x/, /|x/; a & /|x/)'],
  ['awk', '/[^]/|x]/ { a = b ~ /|x/ }\n/\\/|x/'],
  ['python', 'system()'],
  ['xawk', 'system()'],
  ['awkx', 'system()'],
])('no program is hidden by %s %j %j %j %j', (name, ...values) => {
  expect(hides(name, ...values)).toBeNull();
});

test.each<[reason: string, name: string, ...values: (string | null)[]]>([
  ...['e', '1e ls', 's/a/b/e', 'ke', 'p\ne'].map((script): [string, string, string] => [
    '`sed` may run commands by its script',
    'sed',
    script,
  ]),
  ['`sed` may run commands by its script', 'sed', '-e', 'p', '-e', 'e'],
  ['`sed` may run commands by its script', 'sed', '-Q', 'e'],
  ['`gsed` may run commands by its script', 'gsed', 'e'],
  ['the script of `sed` is computed', 'sed', null],
  ['the script of `sed` is computed', 'sed', '-n', '-e', null],
  ['the script of `gsed` is computed', 'gsed', '-e', 'p', '-e', null],
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name): [string, string, string] => [
    `\`${name}\` may run commands by its program`,
    name,
    'system("x")',
  ]),
  ...[
    ...['a | "sh"', 'a |"sh"', 'a | & "sh"', 'a | sh', 'a | (b)', '"x" | getline', 'a|&b', '@load "x"'],
    ...['a |\n "sh"', 'a |& getline', 'x / 2 | "sh" / 3', 'a "\n| "b"', '"a\\\\" | "sh"', 'a | getline b'],
  ].map((program): [string, string, string] => ['`awk` may run commands by its program', 'awk', program]),
  ['the program of `awk` is computed', 'awk', null],
  ['the program of `awk` is computed', 'awk', '-F', ':', null],
  ['the program of `awk` is too long to analyse', 'awk', 'x'.repeat(4_097)],
])('%s: %s %j', (reason, name, ...values) => {
  expect(hides(name, ...values)).toBe(reason);
});
