import { expect, test } from 'vitest';
import { readOptions } from '../../../src/permissions/shell/read-options.ts';
import { literalWord, unknownWord } from '../../../src/permissions/shell/shell-word.ts';

const spec = { short: 'ab:c::', long: 'plain name: maybe:: names' };

/** Options as `name` or `name=value`, then the operands and the problem. */
function read(call: string, known = spec as Parameters<typeof readOptions>[1]) {
  const words =
    call === '' ? [] : call.split(' ').map((one) => (one === '?' ? unknownWord : literalWord(one)));
  const { options, operands, problem } = readOptions(words, known);
  const displayed = options.map(({ name, value }) =>
    value === null ? name : `${name}=${value.value ?? '?'}`,
  );
  return [displayed.join(' '), operands.map(({ value }) => value ?? '?').join(' '), problem];
}

test.each<[call: string, options: string, operands: string, problem: string | null]>([
  ['', '', '', null],
  ['x -a', '', 'x -a', null],
  ['-a -a x', 'a a', 'x', null],
  ['-aa x', 'a a', 'x', null],
  ['-b v x', 'b=v', 'x', null],
  ['-bv x', 'b=v', 'x', null],
  ['-abv x', 'a b=v', 'x', null],
  ['-ab v x', 'a b=v', 'x', null],
  ['-b', 'b', '', null],
  ['-b ? x', 'b=?', 'x', null],
  ['-c x', 'c', 'x', null],
  ['-cv x', 'c=v', 'x', null],
  ['-ac x', 'a c', 'x', null],
  ['-z x', '', '-z x', 'the option `-z` is not known'],
  ['-a: x', '', '-a: x', 'the option `-a:` is not known'],
  ['-a -az x', 'a', '-az x', 'the option `-az` is not known'],
  ['--plain x', 'plain', 'x', null],
  ['--pl x', 'plain', 'x', null],
  ['--plain=v x', 'plain=v', 'x', null],
  ['--name v x', 'name=v', 'x', null],
  ['--name=v=w x', 'name=v=w', 'x', null],
  ['--name= x', 'name=', 'x', null],
  ['--name=v\nw x', 'name=v\nw', 'x', null],
  ['--name', 'name', '', null],
  ['--names x', 'names', 'x', null],
  ['--nam x', '', '--nam x', 'the option `--nam` is not known'],
  ['--maybe v', 'maybe', 'v', null],
  ['--maybe=v x', 'maybe=v', 'x', null],
  ['--other x', '', '--other x', 'the option `--other` is not known'],
  ['-a -- -a x', 'a', '-a x', null],
  ['-a - -a', 'a', '- -a', null],
  ['-a ? x', 'a', '? x', 'its options are computed'],
])('%s', (call, options, operands, problem) => {
  expect(read(call)).toEqual([options, operands, problem]);
});

test('a program without options knows none', () => {
  expect([read('-a', {}), read('--plain', {}), read('x', {})]).toEqual([
    ['', '-a', 'the option `-a` is not known'],
    ['', '--plain', 'the option `--plain` is not known'],
    ['', 'x', null],
  ]);
});
