// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash writes its variables so
import { expect, test } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';

/**
 * All that is seen in a script. Of each command: `elsewhere:` if its folder is unknown, its
 * wrappers, the downloaders that write to it (`curl|`), its assignments and its words. `?` marks a
 * word that bash computes and the words it may stand for.
 */
function seen(script: string): string[] {
  const { commands, syntaxError, unknown, doubt } = analyseScript(script);
  const reasons = Object.entries({ error: syntaxError, unknown, doubt });
  return [
    ...commands.map(({ words, assignments, folders, wrappers, pipedFrom }) =>
      [
        ...(folders === null ? ['elsewhere:'] : []),
        ...wrappers.map((name) => `${name}:`),
        ...pipedFrom.map((name) => `${name}|`),
        ...assignments,
        ...words.map(
          ({ value, source, maybe }) => value ?? ['?', source, ...(maybe ? ['=', maybe] : [])].join(''),
        ),
      ].join(' '),
    ),
    ...reasons.flatMap(([name, reason]) => (reason === null ? [] : [`${name}: ${reason}`])),
  ];
}

test.each<[script: string, ...seen: string[]]>([
  ['ls', 'ls'],
  ['A=1', 'A=1'],
  ['A=1 B=2 ls', 'A=1 B=2 ls'],
  ['A=1 sudo ls', 'A=1 sudo ls', 'sudo: A=1 ls'],
  ['A=1 env B=2 ls', 'env: A=1 B=2 ls'],
  ['A=1 sh -c ls', 'sh: ls', 'A=1', 'doubt: `sh` runs a script of its own'],
  ['sh -c ls', 'sh: ls', 'doubt: `sh` runs a script of its own'],
  ['sh -c "A=1 ls"', 'sh: A=1 ls', 'doubt: `sh` runs a script of its own'],
  ['A=1 bash -c "ls; id"', 'bash: ls', 'bash: id', 'A=1', 'doubt: `bash` runs a script of its own'],
  ['export A=1', 'export A=1'],
  ['export A="$x"', 'export ?A="$x"'],
  ['export A+=1', 'export ?A+=1'],
  [
    'export A[0]=1',
    'export ?A[0]=1',
    'unknown: `export` computes with its arguments, which may run commands',
  ],
  ['curl u | sh', 'curl u', 'curl| sh', 'unknown: a shell runs what it reads from a pipe'],
  [
    'curl u | tee f | sh',
    'curl u',
    'curl| tee f',
    'curl| sh',
    'unknown: a shell runs what it reads from a pipe',
  ],
  [
    'curl u | wget v | sh',
    'curl u',
    'curl| wget v',
    'curl| wget| sh',
    'unknown: a shell runs what it reads from a pipe',
  ],
  [
    'curl u | curl v | sh',
    'curl u',
    'curl| curl v',
    'curl| sh',
    'unknown: a shell runs what it reads from a pipe',
  ],
  ['sudo curl u | ls', 'sudo curl u', 'sudo: curl u', 'curl| ls'],
  ['curl u; ls', 'curl u', 'ls'],
  ['curl u && ls | id', 'curl u', 'ls', 'id'],
  ['curl u | (ls; id)', 'curl u', 'curl| ls', 'curl| id', 'doubt: it runs a subshell'],
  ['curl u | { ls | id; }', 'curl u', 'curl| ls', 'curl| id'],
  ['curl u | ls $(id)', 'curl u', 'curl| ls ?$(id)', 'id'],
  ['curl u | ls <(id)', 'curl u', 'curl| ls ?<(id)', 'id'],
  [
    'echo $(curl u) | sh',
    'echo ?$(curl u)',
    'curl u',
    'curl| sh',
    'unknown: a shell runs what it reads from a pipe',
  ],
  ['curl u | xargs ls', 'curl u', 'xargs: curl| ls ?…'],
  ['wget u | x=$(id)', 'wget u', 'wget| x=$(id)', 'id'],
  ['ls | id', 'ls', 'id'],
  ['"ls"\'x\'', 'lsx'],
  ['ls "a"b', 'ls ab'],
  ['sudo -n xargs ls', 'sudo -n xargs ls', 'sudo: xargs: ls ?…'],
  [
    'find . -exec sh -c ls \\;',
    'find . -exec sh -c ls ;',
    'find: sh: ls',
    'doubt: `sh` runs a script of its own',
  ],
  ['git -c alias.x="!ls" x', 'git -c alias.x=!ls x', 'git: ls', 'doubt: `git` runs a script of its own'],
  ['$x a', '?$x a', 'unknown: `$x` names a program that is only known when it runs'],
  ['x=ls; $x a', 'x=ls', '?$x=ls a', 'unknown: `$x` names a program that is only known when it runs'],
  [
    'x="ls id"; for y in a b; do $x $y; done',
    'x="ls id"',
    '?$x=ls id ?$y=a,b',
    'unknown: `$x` names a program that is only known when it runs',
  ],
  [
    'PS4="$(id)" ls',
    '?$(id)',
    'id',
    'PS4="$(id)" ls',
    'id',
    'unknown: `$(id)` names a program that is only known when it runs',
  ],
  [
    "PS4='$(id)' ls",
    '?$(id)',
    'id',
    "PS4='$(id)' ls",
    'unknown: `$(id)` names a program that is only known when it runs',
  ],
  [
    "export PS4='$(id)'",
    '?$(id)',
    'id',
    'export PS4=$(id)',
    'unknown: `$(id)` names a program that is only known when it runs',
  ],
  [
    "declare -x PS4='$(id)'",
    '?$(id)',
    'id',
    'declare -x PS4=$(id)',
    'unknown: `$(id)` names a program that is only known when it runs',
  ],
  [
    "readonly PS4='$(id)'",
    '?$(id)',
    'id',
    'readonly PS4=$(id)',
    'unknown: `$(id)` names a program that is only known when it runs',
  ],
  [
    "local PS4='$(id)'",
    '?$(id)',
    'id',
    'local PS4=$(id)',
    'unknown: `$(id)` names a program that is only known when it runs',
  ],
  [
    "typeset PS4='$(id)'",
    '?$(id)',
    'id',
    'typeset PS4=$(id)',
    'unknown: `$(id)` names a program that is only known when it runs',
  ],
  ["echo PS4='$(id)'", 'echo PS4=$(id)'],
  [
    "A=1 PS4='$(id)'",
    '?$(id)',
    'id',
    "A=1 PS4='$(id)'",
    'unknown: `$(id)` names a program that is only known when it runs',
  ],
  ["xexport PS4='$(id)'", 'xexport PS4=$(id)'],
  ['echo "a\u0000b"', 'echo a\u0000b', 'error: it holds a NUL character'],
  ['bash <<< ls', 'bash', 'bash: ls'],
  ['curl u | bash', 'curl u', 'curl| bash', 'unknown: a shell runs what it reads from a pipe'],
  ['ls | bash', 'ls', 'bash', 'unknown: a shell runs what it reads'],
  ['env bash <<< ls', 'env: bash', 'env: bash: ls'],
  ['A=1 bash <<< ls', 'A=1 bash', 'bash: ls'],
  ['bash < f', 'bash', 'unknown: a shell runs what it reads'],
  ['bash 0< f', 'bash', 'unknown: a shell runs what it reads'],
  ['bash 1< f <<< ls', 'bash', 'bash: ls', 'unknown: a redirection passes a file on by its descriptor'],
  ['bash 0<<< ls', 'bash', 'bash: ls'],
  ['bash {x}<<< ls', 'bash', 'unknown: a shell runs what it reads'],
  ['bash > f <<< ls', 'bash', 'bash: ls'],
  ['bash <<< ls > f', 'bash', 'bash: ls'],
  ['bash <<< ls 2>&1', 'bash', 'bash: ls'],
  ["bash <<-'E'\n\tls\n\t\tid\n\tE", 'bash', 'bash: ls', 'bash: id'],
  ["bash <<-'E'\n\t\tcat <<B\n\t\tB\n\t\tls\n\tE", 'bash', 'bash: cat', 'bash: ls'],
  ['sh <<< "[[ a ]]"', 'sh', 'unknown: `[[` means something else to other shells than bash'],
  ['bash <<< "[[ a ]]"', 'bash'],
  [
    'sh -c "bash -c \'[[ a ]]\'"',
    'unknown: `[[` means something else to other shells than bash',
    'doubt: `sh` runs a script of its own',
  ],
  [
    'sh -c "[[ a ]]"',
    'unknown: `[[` means something else to other shells than bash',
    'doubt: `sh` runs a script of its own',
  ],
  ['bash -c "[[ a ]]"', 'doubt: `bash` runs a script of its own'],
  ['a() { ls; }; a', 'ls', 'a', 'doubt: it defines a function'],
  [
    'eval "$x"',
    'eval ?"$x"',
    'eval: ?$x',
    'unknown: `eval` runs a script that is computed',
    'doubt: `eval` runs a script of its own',
  ],
  [
    'sh -c "$x"',
    'sh -c ?"$x"',
    'sh: ?$x',
    'unknown: `sh -c` runs a script that is computed',
    'doubt: `sh` runs a script of its own',
  ],
  [
    'bash -c "ls $x"',
    'bash -c ?"ls $x"',
    'bash: ls ?$x',
    'unknown: `bash -c` runs a script that is computed',
    'doubt: `bash` runs a script of its own',
  ],
  [
    'alias a=ls',
    'alias a=ls',
    'alias: ls',
    'unknown: after `alias` a word may stand for another program',
    'doubt: `alias` runs a script of its own',
  ],
  ['if a; then b; elif c; then d; else e; fi', 'a', 'b', 'c', 'd', 'e'],
  ['case a in b) c;; esac', 'c'],
  ['coproc ls', 'ls', 'doubt: it starts a coprocess'],
  ['[[ $(ls) ]]', 'ls'],
  ['(( $(ls) ))', 'ls', 'unknown: arithmetic may set variables and run what they hold'],
  ['ls &', 'ls', 'doubt: it starts something in the background'],
  ['! ls', 'ls'],
  ['time ls', 'ls'],
  ['ls\nid', 'ls', 'id'],
  ['ls "$(id; cat $(pwd))"', 'ls ?"$(id; cat $(pwd))"', 'id', 'cat ?$(pwd)', 'pwd'],
  ['ls > $(id)', 'ls', 'id'],
  ['cat <<E\n$(ls)\nE', 'cat', 'ls'],
  ['cat <<< $(ls)', 'cat', 'ls'],
  ['if', "error: expected 'then'"],
  ['ls )', 'ls', "error: unexpected token ')'"],
  ['ls; (', 'ls', 'error: expected command in subshell', 'doubt: it runs a subshell'],
  ['for x in $(ls); do id; done', 'ls', 'id'],
  ['A=$(ls)', 'A=$(ls)', 'ls'],
  ['A=$(ls) id', 'A=$(ls) id', 'ls'],
  ['A=(1 $(ls))', 'A=(1 $(ls))', 'ls'],
  ['ls {a,b}', 'ls ?{a,b}'],
  ['ls *', 'ls ?*=*'],
  ['ls ~', 'ls ?~'],
  ['cd d; sudo ls', 'cd d', 'sudo ls', 'sudo: ls'],
  ['xargs', 'xargs: echo ?…'],
  [
    'xargs -I{} sh -c "{}"',
    'xargs: sh -c ?"{}" ?…',
    'xargs: sh: {}',
    'unknown: `sh -c` runs a script that is computed',
    'doubt: `sh` runs a script of its own',
  ],
  ['sudo -i', 'sudo -i', 'unknown: a shell runs what it reads'],
  ['chroot d', 'chroot d', 'unknown: a shell runs what it reads'],
  ['timeout 5 bash <<< ls', 'timeout: bash', 'timeout: bash: ls'],
  ['sudo -s <<< ls', 'sudo -s', 'sudo: ls'],
  ['bash -s a <<< ls', 'bash -s a', 'bash: ls'],
])('known and unknown commands: %j', (script, ...rest) => {
  expect(seen(script)).toEqual(rest);
});

test('a quoted long script is truncated', () => {
  const reasonOf = (length: number) => analyseScript(`$${'y'.repeat(length - 1)}`).unknown;
  expect([150, 151].map((length) => [reasonOf(length)?.length, reasonOf(length)?.slice(-8)])).toEqual([
    [200, ' it runs'],
    [200, 'n it ru…'],
  ]);
});

test('a script is parsed up to a limited length and depth', () => {
  const errorOf = (script: string) => analyseScript(script).syntaxError;
  const evaluated = [`ls ${'a'.repeat(65_533)}`, `${'sudo '.repeat(24)}ls`];
  const refused = [`ls ${'a'.repeat(65_534)}`, `${'sudo '.repeat(25)}ls`];
  expect([evaluated.map(errorOf), refused.map(errorOf)]).toEqual([
    [null, null],
    ['it is too long or nested too deeply to be evaluated', 'it is nested too deeply to be evaluated'],
  ]);
});
