import { expect, test } from 'vitest';
import {
  readsWithAwk,
  readsWithSed,
  writtenByAwk,
  writtenBySed,
} from '../../../src/permissions/shell/read-only-languages.ts';

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
  ...['--file=s f', '-Q p f', '--other p', '-e w', '-e p -e e', 'r', '1e', '--quieter p', '-k p'],
])('sed %s is not proven to read', (call) => {
  expect(sed(call)).toBe(false);
});

test.each<[call: string, files: string[], asked: string[]]>([
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
])('sed %s writes its files in place, and those it is asked to', (call, files, asked) => {
  expect(writtenBySed(call.split(' '))).toEqual({ files, asked });
});

test('awk reads with its plain options and a program that prints', () => {
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

test('the files that awk prints to are those named in its program', () => {
  expect([
    writtenByAwk(['{print > "a"; print >> "b c"; print >"d\\"e"}', 'f']),
    writtenByAwk(['-v', 'x=1', '{print > x}']),
    writtenByAwk(['{print "a"}']),
    writtenByAwk([]),
  ]).toEqual([['a', 'b c', 'd\\"e'], [], [], []]);
});
