// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash writes its variables so
import fc from 'fast-check';

/** Programs of the generated scripts: in a run, each logs its arguments. */
export const programs = ['pa', 'pb', 'pc', 'pd'] as const;

interface Parts {
  readonly word: string;
  readonly text: string;
  readonly command: string;
  readonly list: string;
}

const spaced = (words: readonly string[]) => words.join(' ');

/** Quoted once more, as `sh -c` and `eval` need it. */
const quoted = (script: string) => `'${script.replaceAll("'", "'\\''")}'`;

const literal = fc.constantFrom(
  ...['a', 'b1', '-x', '--', '=', 'x=1', '.', '{}', '%', ':', '#', 'a#b', '!', '~', '@', '5', '-1'],
  ...['if', 'done', 'esac', 'in', 'time', 'function', '}', '{', '[[', ']]'],
);

/** Scripts of every construct of bash that runs something, small enough to be run in numbers. */
const grammar = fc.letrec<Parts>((tie) => {
  const word = tie('word') as fc.Arbitrary<string>;
  const text = tie('text') as fc.Arbitrary<string>;
  const list = tie('list') as fc.Arbitrary<string>;
  const command = tie('command') as fc.Arbitrary<string>;
  const program = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...programs) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("'pa'", '"pb"', '\\pc', 'p""d', "$'p\\x61'", 'p\\\na', '$v', 'p?'),
    },
  );
  const simple = fc
    .tuple(
      fc.option(fc.constantFrom('x=1', 'x=$(pa x)', 'y[0]=2', 'v=pb', 'x+=3')),
      program,
      fc.array(word, { maxLength: 3 }),
    )
    .map(([assignment, name, words]) =>
      spaced([...(assignment === null ? [] : [assignment]), name, ...words]),
    );
  const redirection = fc
    .tuple(
      fc.constantFrom('>', '>>', '2>', '&>', '>|', '<', '<>', '3>', '{fd}>', '>&', '<<<', '1<>'),
      fc.constantFrom('f1', '"f 2"', "f'3'", '/dev/null', 'f$((4))', '$(pb f)', 'f\\5'),
    )
    .map(([operator, file]) => `${operator}${file}`);
  return {
    text: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      literal,
      list.map((script) => `$(${script})`),
      list.map((script) => `\`${script.replaceAll(/[\\`$]/g, '\\$&')}\``),
      text.map((inner) => `\${v:-${inner}}`),
      text.map((inner) => `\${u:=${inner}}`),
      text.map((inner) => `\${v/a/${inner}}`),
      fc.constantFrom(
        '$v',
        '${v}',
        '${#v}',
        '${v:0:1}',
        '$((1+2))',
        '$(( $(pc 3) + 1 ))',
        '${v^^}',
        '$$',
        '$?',
        '\\$v',
        '\\\\',
      ),
    ),
    word: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      literal,
      text,
      text.map((inner) => `"${inner.replaceAll('"', '\\"')}"`),
      fc.constantFrom(
        "'a b'",
        "'$(pa)'",
        "''",
        '""',
        "$'a\\'b'",
        "$'\\n'",
        '$"l"',
        '"`pb`"',
        '"\\`pb\\`"',
        '"\\$(pc)"',
        "'a'\\''b'",
      ),
      fc.constantFrom(
        '{a,b}',
        '{1..3}',
        'a*',
        '[ab]',
        '?',
        'a\\ b',
        '\\;',
        '\\|',
        'a\\\nb',
        '"a\nb"',
        '$(<f1)',
        '<(pa p)',
        '>(pb p)',
      ),
      fc.tuple(word, text).map(([left, right]) => `${left}${right}`),
    ),
    command: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      { weight: 6, arbitrary: simple },
      { weight: 2, arbitrary: fc.tuple(simple, redirection).map(spaced) },
      { weight: 1, arbitrary: fc.tuple(redirection, simple).map(spaced) },
      list.map((script) => `{ ${script}; }`),
      list.map((script) => `( ${script} )`),
      list.map((script) => `! ${script}`),
      list.map((script) => `time -p ${script}`),
      fc.tuple(list, list).map(([a, b]) => `if ${a}; then ${b}; else pc else; fi`),
      fc.tuple(word, list).map(([value, script]) => `for v in ${value} z; do ${script}; done`),
      list.map((script) => `for ((i=0;i<2;i++)); do ${script}; done`),
      fc
        .tuple(word, list, list)
        .map(([value, a, b]) => `case ${value} in a|-x) ${a};; (b*) ${b};& *) pa rest;; esac`),
      list.map((script) => `while pa loop; do ${script}; break; done`),
      list.map((script) => `until ${script}; do break; done`),
      list.map((script) => `f1() { ${script}; }; f1 arg`),
      list.map((script) => `function f2 { ${script}; }; f2`),
      fc.tuple(word, word).map(([a, b]) => `[[ ${a} == ${b} ]] && pb equal`),
      fc.constantFrom(
        '(( $(pd 1) + 1 ))',
        'let x=1+2',
        'x=(a $(pa) b)',
        'declare y=$(pb)',
        'export z=`pc`',
        ':',
        'local v',
        'y[$(pa 0)]=1',
      ),
      list.map((script) => `sh -c ${quoted(script)}`),
      list.map((script) => `bash -ec ${quoted(script)} name arg`),
      list.map((script) => `eval ${quoted(script)}`),
      list.map((script) => `trap ${quoted(script)} EXIT`),
      list.map((script) => `bash <<'END'\n${script}\nEND\n`),
      list.map((script) => `bash <<-"END"\n\t${script}\n\tEND\n`),
      list.map((script) => `bash <<< ${quoted(script)}`),
      list.map((script) => `coproc { ${script}; }; wait`),
      simple.map((inner) => `env -u X A=1 ${inner}`),
      simple.map((inner) => `timeout -k 1 5 ${inner}`),
      simple.map((inner) => `nice -n 1 nohup ${inner}`),
      simple.map((inner) => `command -p ${inner}`),
      simple.map((inner) => `builtin command ${inner}`),
      simple.map((inner) => `echo 1 2 | xargs -n1 ${inner}`),
      simple.map((inner) => `echo 1 | xargs -I% ${inner} %`),
      simple.map((inner) => `find . -maxdepth 0 -exec ${inner} {} \\;`),
      simple.map((inner) => `exec ${inner}`),
      fc.tuple(simple, text, simple).map(([a, body, b]) => `${a} <<END\n${body}\nEND\n${b}`),
      fc.tuple(simple, text).map(([a, body]) => `${a} <<'E 1'\n${body}\nE 1\n`),
      fc
        .tuple(simple, simple)
        .map(([a, b]) => `cat <<A; ${a} <<B\n\${v:-$(pb heredoc)}\nA\n\`pc heredoc\`\nB\n${b}`),
    ),
    list: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      { weight: 4, arbitrary: command },
      fc
        .tuple(
          command,
          fc.constantFrom('; ', '\n', ' && ', ' || ', ' | ', ' |& ', ' & ', ' ;\n# pa\n', ' \\\n&& '),
          list,
        )
        .map(([first, operator, rest]) => `${first}${operator}${rest}`),
    ),
  };
});

/** Scripts as people and models write them, and some unusual ones. */
export const anyScript: fc.Arbitrary<string> = grammar.list;

const marks = [
  ...'\'"`$(){}[]<>|&;#\\!*?~=\n\t -',
  '$(',
  '<<',
  '<<E\n',
  '\nE\n',
  '))',
  '((',
  '${',
  ';;',
  '&&',
  "$'",
  '<(',
  ' # ',
  'pa',
  '\\\n',
];

/** A script with a few of its characters lost, doubled, exchanged, or with a mark of bash put in. */
export function damaged(scripts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.tuple(
    fc.nat(),
    fc.constantFrom('drop', 'put', 'put', 'replace'),
    fc.constantFrom(...marks),
  );
  return fc.tuple(scripts, fc.array(change, { minLength: 1, maxLength: 3 })).map(([script, changes]) =>
    changes.reduce((text, [where, what, mark]) => {
      const at = where % (text.length + 1);
      return text.slice(0, at) + (what === 'drop' ? '' : mark) + text.slice(what === 'put' ? at : at + 1);
    }, script),
  );
}
