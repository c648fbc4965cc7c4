// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash writes its variables so

import { expect, test } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { evaluatesWords } from '../../../src/permissions/shell/unwrap.ts';

/** What the builtin of the first command evaluates or sets. */
function evaluates(script: string): string | null {
  const words = analyseScript(script).commands[0]?.words ?? [];
  return evaluatesWords(words[0]?.value ?? '', words.slice(1));
}

const computing = (name: string) => `\`${name}\` computes with its arguments, which may run commands`;
const builtins = 'unset read declare typeset local export readonly mapfile readarray getopts wait'.split(' ');

test.each(builtins)('%s evaluates the index in brackets after a name', (name) => {
  expect([
    ...[`${name} 'x[$(a)]'`, `${name} x["$y"]`, `${name} "x[$y]"`].map(evaluates),
    ...[`${name} x`, `${name} 'x=[a]'`, `x${name} 'x[1]'`, `${name}x 'x[1]'`].map(evaluates),
  ]).toEqual([computing(name), computing(name), computing(name), null, null, null, null]);
});

test.each<[script: string, evaluates: string | null]>([
  ['declare -i x', computing('declare')],
  ['declare -n x', computing('declare')],
  ['typeset -xi x', computing('typeset')],
  ['read -i x', null],
  ['read -n 1 x', null],
  ['declare -x x', null],
  ['declare x-i', null],
  ['wait -n', computing('wait')],
  ['export A="$x"', null],
  ['export A+="$x"', null],
  ['export "A=$x"', computing('export')],
  ['export "$x"', computing('export')],
  ['export $x', computing('export')],
  ['export `a`', computing('export')],
  ['export *', null],
  ['export A="x[$y]"', null],
  ['export x=a[1]', null],
  ['let x=1', '`let` computes, which may run commands in variables'],
  ['let', '`let` computes, which may run commands in variables'],
  ['test -v x', computing('test')],
  ['test a -a -R x', computing('test')],
  ['[ -v x ]', computing('[')],
  ['[ -R x ]', computing('[')],
  ['test -n x', null],
  ['[ a = b ]', null],
  ['printf "%s" a', null],
  ['printf', null],
  ['printf --', null],
  ['printf -- "%n" x', '`printf` sets a variable'],
  ['printf "%n" x', '`printf` sets a variable'],
  ['printf "%5.3n" x', '`printf` sets a variable'],
  ...['%ln', '%hhn', '%zn', '%jn', '%tn', '%Ln', "%'5.3ln", '%*n'].map((format): [string, string] => [
    `printf "a${format}" x`,
    '`printf` sets a variable',
  ]),
  ['printf "%%n" x', null],
  ['printf "%%%n" x', '`printf` sets a variable'],
  ['printf "%sn%dn%l" x', null],
  ['printf "an"', null],
  ['printf "% n%"', '`printf` sets a variable'],
  ['printf -v x a', '`printf` sets a variable'],
  ['printf -vx a', '`printf` sets a variable'],
  ['printf a -v', null],
  ['printf "$x"', '`printf` may set a variable by its format, which is computed'],
  ['printf -- "$x"', '`printf` may set a variable by its format, which is computed'],
  ['printf a "$x"', null],
  ["echo 'x[1]'", null],
])('%s: %s', (script, expected) => {
  expect(evaluates(script)).toBe(expected);
});
