// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash writes its variables so
import { expect, test } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';

/** All that is said of a script beside its commands. */
function replyOf(script: string): Readonly<Record<string, unknown>> {
  const { syntaxError, grammarError, unknown, doubt, destructive } = analyseScript(script);
  const reply = { syntaxError, grammarError, unknown, doubt, destructive };
  return Object.fromEntries(Object.entries(reply).filter(([, one]) => one !== null));
}

test.each<[script: string, said: Readonly<Record<string, unknown>>]>([
  ['(ls)', { doubt: 'it runs a subshell' }],
  ['coproc ls', { doubt: 'it starts a coprocess' }],
  ['ls &', { doubt: 'it starts something in the background' }],
  ['ls & pwd', { doubt: 'it starts something in the background' }],
  ['for f in a; do ls; done', {}],
  ['for F in a; do ls; done', { doubt: 'it sets a variable that programs may heed' }],
  ['select f in a; do ls; done', {}],
  [
    'select PATH in a; do ls; done',
    { unknown: '`PATH` changes what programs run', doubt: 'it sets a variable that programs may heed' },
  ],
  [
    'for PATH in a; do ls; done',
    { unknown: '`PATH` changes what programs run', doubt: 'it sets a variable that programs may heed' },
  ],
  ['f() { ls; }', { doubt: 'it defines a function' }],
  [
    'f() { f | f & }; f',
    {
      doubt: 'it defines a function',
      destructive: 'a function that starts itself without end fills the machine with processes',
    },
  ],
  [
    'f() { f & }; f',
    {
      doubt: 'it defines a function',
      destructive: 'a function that starts itself without end fills the machine with processes',
    },
  ],
  ['f() { f; }; f', { doubt: 'it defines a function' }],
  [
    'f() { ls | f; }',
    {
      doubt: 'it defines a function',
      destructive: 'a function that starts itself without end fills the machine with processes',
    },
  ],
  ['f() { ls & }', { doubt: 'it defines a function' }],
  [
    '`a \\"b\\"`',
    {
      syntaxError: 'it holds an escaped quote between backticks, which is better written with `$(…)`',
      unknown: '``a \\"b\\"`` names a program that is only known when it runs',
    },
  ],
  [
    '$(ls &&& b)',
    {
      syntaxError: "expected command after '&&'",
      grammarError: { line: null },
      unknown: '`$(ls &&& b)` names a program that is only known when it runs',
      doubt: 'it starts something in the background',
    },
  ],
  [
    'ls &&& b',
    {
      syntaxError: "expected command after '&&'",
      grammarError: { line: 1 },
      doubt: 'it starts something in the background',
    },
  ],
  [
    'ls\npwd\nls &&& b',
    {
      syntaxError: "expected command after '&&'",
      grammarError: { line: 3 },
      doubt: 'it starts something in the background',
    },
  ],
  ['if ls\n\n', { syntaxError: "expected 'then'", grammarError: { line: 1 } }],
  [
    'ls @(a|b)',
    { syntaxError: '`@(a|b)` is an extended pattern, which bash reads only where it is switched on' },
  ],
  ['echo ${x@P}', { unknown: '`${x@P}` may run what a variable holds' }],
  ['echo ${!x}', { unknown: '`${!x}` may run what a variable holds' }],
  ['echo ${x[1]}', { doubt: '`${x[1]}` evaluates a variable' }],
  ['echo ${x[@]}', { doubt: '`${x[@]}` evaluates a variable' }],
  ['echo ${x:1:2} ${x: -3}', {}],
  ['[[ 1 -eq 2 ]]', {}],
  ['echo ${x:=a}', { doubt: '`${x:=a}` sets a variable' }],
  ['echo ${x=a}', { doubt: '`${x=a}` sets a variable' }],
  ['echo ${x:-a}', {}],
  [
    'echo ${PATH:=a}',
    { unknown: '`${PATH:=a}` changes what programs run', doubt: '`${PATH:=a}` sets a variable' },
  ],
  ['((a))', { unknown: 'arithmetic may set variables and run what they hold' }],
  ['for ((i=0;i<1;i++)); do ls; done', { unknown: 'arithmetic may set variables and run what they hold' }],
  ['echo $((1+2))', {}],
  ['echo $((a+1))', { unknown: 'arithmetic may run what variables hold' }],
  ['echo $((1 + "2"))', { unknown: 'arithmetic may run what variables hold' }],
  ['[[ a -eq b ]]', { unknown: '`-eq` evaluates its operands' }],
  ['[[ a -ne b ]]', { unknown: '`-ne` evaluates its operands' }],
  ['[[ a -lt b ]]', { unknown: '`-lt` evaluates its operands' }],
  ['[[ a -le b ]]', { unknown: '`-le` evaluates its operands' }],
  ['[[ a -gt b ]]', { unknown: '`-gt` evaluates its operands' }],
  ['[[ a -ge b ]]', { unknown: '`-ge` evaluates its operands' }],
  ['[[ -v a ]]', { unknown: '`-v` evaluates its operands' }],
  ['[[ -R a ]]', { unknown: '`-R` evaluates its operands' }],
  ['[[ a == b ]]', {}],
  ['a=([0]=x [12]=y z[q]=)', {}],
  ['a=([q]=x)', { unknown: 'the place in an array may run what variables hold' }],
  ['a=([1]x)', { unknown: 'the place in an array may run what variables hold' }],
  ['a=([1q]=x)', { unknown: 'the place in an array may run what variables hold' }],
  ['a=(x [q]=y)', { unknown: 'the place in an array may run what variables hold' }],
  ['a[1]=x', {}],
  ['a[q]=x', { unknown: 'the place in an array may run what variables hold' }],
  ['a[@]=x', {}],
  ['[[ 1 -eq 2q ]]', { unknown: '`-eq` evaluates its operands' }],
  ['[[ a -nt b ]]', {}],
  ['[[ -f a ]]', {}],
  [
    "sh -c '((a))'",
    {
      unknown: '`((` means something else to other shells than bash',
      doubt: '`sh` runs a script of its own',
    },
  ],
  [
    'sh -c "$\'a\'"',
    {
      unknown: 'a string behind a dollar sign means something else to other shells than bash',
      doubt: '`sh` runs a script of its own',
    },
  ],
  [
    "sh -c '[[ a ]]'",
    {
      unknown: '`[[` means something else to other shells than bash',
      doubt: '`sh` runs a script of its own',
    },
  ],
  [
    "sh -c 'for ((;;)); do ls; done'",
    {
      unknown: '`((` means something else to other shells than bash',
      doubt: '`sh` runs a script of its own',
    },
  ],
  [
    'sh -c \'echo $"a"\'',
    {
      unknown: 'a string behind a dollar sign means something else to other shells than bash',
      doubt: '`sh` runs a script of its own',
    },
  ],
  [
    "sh -c 'cat <(ls)'",
    {
      unknown: 'a process substitution means something else to other shells than bash',
      doubt: '`sh` runs a script of its own',
    },
  ],
  [
    "sh -c 'cat <<< a'",
    {
      unknown: '`<<<` means something else to other shells than bash',
      doubt: '`sh` runs a script of its own',
    },
  ],
  [
    "sh -c 'coproc ls'",
    {
      unknown: '`coproc` means something else to other shells than bash',
      doubt: '`sh` runs a script of its own',
    },
  ],
  [
    "sh -c 'select x in a; do ls; done'",
    {
      unknown: '`select` means something else to other shells than bash',
      doubt: '`sh` runs a script of its own',
    },
  ],
  [
    "sh -c 'echo {a,b}'",
    {
      unknown: 'a list in braces means something else to other shells than bash',
      doubt: '`sh` runs a script of its own',
    },
  ],
  [
    "sh -c 'a=(b)'",
    {
      unknown: 'an array means something else to other shells than bash',
      doubt: '`sh` runs a script of its own',
    },
  ],
  ["sh -c 'ls'", { doubt: '`sh` runs a script of its own' }],
  ["bash -c 'cat <<< a'", { doubt: '`bash` runs a script of its own' }],
  [
    "bash -c 'ls &&& b'",
    {
      syntaxError: "expected command after '&&'",
      grammarError: { line: null },
      doubt: '`bash` runs a script of its own',
    },
  ],
  [
    'echo ${aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@P}',
    {
      unknown: '`${aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@P}` may run what a variable holds',
    },
  ],
  [
    'echo ${aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@P}',
    {
      unknown: '`${aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@…` may run what a variable holds',
    },
  ],
])('%s', (script, replyText) => {
  expect(replyOf(script)).toEqual(replyText);
});

const heeded = [
  ...['PATH', 'PS0', 'PS4', 'BASH_ENV', 'ENV', 'IFS', 'SHELLOPTS', 'LD_PRELOAD', 'GIT_DIR', 'MANPAGER'],
  ...['MYEDITOR', 'VISUAL', 'BROWSER', 'PROMPT_COMMAND', 'CDPATH', 'HOME', 'XDG_CONFIG_HOME', 'NODE_PATH'],
  ...['JAVA_OPTIONS', 'MAKE_OPTS', 'MAKEFLAGS', 'PYTHONPATH', 'PERLLIB', 'PERL5LIB', 'RUBYLIB', 'NPM_TOKEN'],
  ...['npm_config_x', 'GOROOT', 'CARGO_HOME', 'RUSTFLAG', 'CC', 'CXX', 'LESSOPEN', 'MANPATH', 'GLOBIGNORE'],
  ...['POSIXLY_CORRECT', 'RIPGREP_CONFIG_PATH', 'SSH_ASKPASS', 'MY_COMMAND'],
];

test.each(heeded)('a loop that sets %s may make programs run others', (name) => {
  expect(replyOf(`for ${name} in a; do ls; done`)).toEqual({
    unknown: `\`${name}\` changes what programs run`,
    doubt: 'it sets a variable that programs may heed',
  });
});

test('a loop that sets another variable only makes the result uncertain', () => {
  const others = ['PATHS', 'PS5', 'MYPATH', 'ENVS', 'XIFS', 'CCC', 'HOMES', 'FILE', 'VISUALS', 'MY_LD_A'];
  expect(others.map((name) => replyOf(`for ${name} in a; do ls; done`))).toEqual(
    others.map(() => ({ doubt: 'it sets a variable that programs may heed' })),
  );
});
