// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash writes its variables so
import { describe, expect, it } from 'vitest';
import { scriptReadsOnly } from '../../../src/permissions/gate/script-reads-only.ts';
import { globVerdict, onlyReads } from '../shell/glob-verdict.ts';

/**
 * Scripts that ran code, or wrote or read forbidden files, although they were judged as reading,
 * and near misses that only read.
 */
const table: readonly (readonly [attack: string, ...nearMisses: string[]])[] = [
  ["echo ${PATH:'x[$(touch owned)]'}", 'echo ${PATH:1:2}', 'echo ${PATH: -3}', "echo 'x[$(touch owned)]'"],
  ['echo ${HOME:a}', 'echo ${HOME:0}', 'echo ${HOME:-a}'],
  ["for a in 'x[$(touch owned)]'; do echo ${HOME:a}; done", 'for a in b c; do echo $a; done'],
  ["echo ${x['a[$(touch owned)]']}", 'echo ${x/a/b}'],
  ['echo $((a + 1))', 'echo $((5 + 1))'],
  ['[[ a -eq 1 ]]', '[[ 2 -eq 1 ]]', '[[ a == 1 ]]'],
  ["[ -v 'x[$(touch owned)]' ]", '[ -f x ]'],
  ['awk B*', "awk '{print $1}' B*"],
  ['awk "$x" f', "awk -v a=1 '{print a}' f"],
  ['sed t* f', 'sed -n 1p f'],
  ['sed "s/a/$x/" f', "sed 's/a/b/' f"],
  ['python3 -v <evil.py', 'python3 --version', 'python3 -V'],
  ['python3 version', 'python --version'],
  ['cargo --version', 'node --version', 'go version'],
  ['npm --version', 'node -v'],
  ["git grep -1O'touch owned;' x", 'git grep -1 x', 'git grep -n x'],
  ["printf 'x%n' PATH", "printf 'x%s\\n' PATH", "printf '100%%n' PATH"],
  ["printf 'x%-5n' PATH", "printf '%5.2f\\n' 1"],
  ['printf "$x" PATH', 'printf "%s" "$x"'],
  ['printf -v PATH x', 'printf %s -v'],
  [': {HOME}</dev/null; git diff', ': </dev/null; git diff'],
  ['cat {fd}<<< a', 'cat <<< a'],
  ['cat evil <victim >/dev/stdin', 'cat evil <victim >/dev/stdout', 'cat <victim >/dev/null'],
  ['cat evil <victim >/dev//fd/0', 'cat evil <victim 2>/dev/null'],
  ['cat evil 3<victim >/dev/fd/3', 'cat evil <victim >/dev/stderr'],
  ['cat evil 3<victim >/proc/self/fd/3', 'cat evil 2>&1'],
  ['cat evil 1<victim >/dev/stdout', 'cat evil >&2'],
  ['cat evil <victim 1<&0 >/dev/stdout', 'cat evil 2>&1 | cat'],
  ['cat evil 0>x', 'cat evil <x'],
  ['cat evil <>victim', 'cat evil <victim'],
  ['uniq - out', 'uniq in', 'uniq -c in'],
  ['xxd -- in -x/../out', 'xxd -- in', 'xxd in'],
  ['npm ls --logs-dir=D', 'ls --color=never D'],
  ['date -f/etc/shadow', 'date -u', 'date +%s'],
  ['date --file=/etc/shadow', 'date --utc'],
  ['wc --files0-from=list', 'wc -l list', 'wc --lines list'],
  ['du --files0-from=list', 'du -sh list'],
];

describe('scripts not proven to read', () => {
  it.each(table)('%s', (attack, ...nearMisses) => {
    expect([scriptReadsOnly(attack), onlyReads(attack)]).toEqual([false, false]);
    expect(nearMisses.map((script) => [script, scriptReadsOnly(script)])).toEqual(
      nearMisses.map((script) => [script, true]),
    );
  });
});

/** Under `strict`, with a rule that allows the text after each script. */
describe('scripts that no rule allows', () => {
  it.each<[attack: string, rule: string, ...nearMisses: string[]]>([
    ["echo ${PATH:'x[$(touch owned)]'}", 'echo *', 'echo ${PATH:1}', 'echo "$PATH"'],
    ['echo $((a))', 'echo *', 'echo $((1))'],
    ['cat evil <victim >/dev/stdin', 'cat *', 'cat evil <victim'],
    ['cat evil 3<victim >/dev/fd/3', 'cat *', 'cat evil 2>&1'],
    ['cat {PATH}</dev/null', 'cat *', 'cat </dev/null'],
    ["printf 'x%n' PATH", 'printf *', "printf 'x%s' PATH"],
    ['awk B*', 'awk *', "awk '{print}' B*"],
    ['sed t* f', 'sed *', 'sed s/a/b/ f'],
    ["git grep -1O'touch owned;' x", 'git grep *', 'git grep -1 x'],
    ['eslint *', 'eslint *', 'eslint ./*', 'eslint -- *'],
    ['eslint $files', 'eslint *', 'eslint src/a.ts'],
    ['git log "$x"', 'git log *', 'git log -- "$x"'],
    ['$program a', '*', 'program a'],
    ['l? a', '*', 'ls a'],
    ['test -v "x[$(touch owned)]"', 'test *', 'test -f x'],
    ["unset 'x[$(touch owned)]'", 'unset *', 'unset x'],
  ])('%s by %s', (attack, rule, ...nearMisses) => {
    const verdict = (script: string) => globVerdict({ allow: [rule] }, script);
    expect(verdict(attack)).toBe('ask');
    expect(nearMisses.map((script) => [script, verdict(script)])).toEqual(
      nearMisses.map((script) => [script, 'allow']),
    );
  });
});
