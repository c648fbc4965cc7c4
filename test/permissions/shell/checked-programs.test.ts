import { expect, it } from 'vitest';
import { readOnlyPrograms } from '../../../src/permissions/shell/evaluate-command.ts';

/** Calls, as words, that a check proves to read, and calls that it does not. */
const checked: Readonly<Record<string, readonly [reads: readonly string[], more: readonly string[]]>> = {
  ...Object.fromEntries(
    ['python', 'python3'].map((name) => [
      name,
      [
        ['--version', '-V', '--help'],
        ['', 'x--version', '--versions', 'x-V', '-Vx', '--helps', '-v', '-V a'],
      ],
    ]),
  ),
  node: [
    ['--version', '-v', '--help'],
    ['', 'x-v', '-vx', '--versions', '--helps', 'x--help', '-V', '-v a'],
  ],
  go: [['version'], ['', 'versions', 'xversion', 'version a', 'env', 'env -w', 'env GOPATH', 'list']],
  date: [
    ['', '+%s', '-u +%s'],
    ['1', '-u 1', 'x-u'],
  ],
  uniq: [
    ['', 'a', '-c a', '-c -- a', '-- -'],
    ['a b', 'a -', '- a', '-- a b', 'a -- b', '-- -a -b'],
  ],
  env: [[''], ['a', '-i']],
  command: [
    ['-v a', '-V a', '-v'],
    ['', 'a', '-p a', '-va b', 'x-v a'],
  ],
};

it.each(Object.entries(checked))('the words of a call of %s prove that it reads: %j', (name, [
  reads,
  more,
]) => {
  const { check } = readOnlyPrograms.get(name) ?? {};
  const proven = (call: string) => check?.(call === '' ? [] : call.split(' '));
  expect([
    reads.filter((call) => proven(call) !== true),
    more.filter((call) => proven(call) !== false),
  ]).toEqual([[], []]);
});
