import { expect, test } from 'vitest';
import { checkText } from '../../../src/tools/verify/check-text.ts';

/** A path, a text, and what is said of it: `line:column severity message`, null where it is not looked at. */
const table: readonly (readonly [
  what: string,
  path: string,
  text: string,
  said: readonly string[] | null,
])[] = [
  ['good JSON', 'a.json', '{"a": [1, 2]}\n', []],
  ['a byte order mark', 'a.json', '\ufeff{}', []],
  ['a value that is missing', 'a.json', '{"a": 1,\n "b": }\n', ["2:7 error Unexpected token '}'"]],
  [
    'a word of another language',
    'long.json',
    `{\n"first": "${'x'.repeat(40)}",\n  "second": tru,\n"last": "${'y'.repeat(40)}"}`,
    ["3:16 error Unexpected token ','"],
  ],
  ['JSON that ends too soon', 'a.json', '{"a": 1\n', ["2:1 error Expected ',' or '}' after property value"]],
  ['an empty file', 'a.json', '', ['1:1 error Unexpected end of JSON input']],
  [
    'comments in JSON',
    'a.json',
    '// x\n{"a": 1,}\n',
    ['1:1 warning Comments or trailing commas: not every program that reads JSON understands them.'],
  ],
  ['comments where everybody has them', 'pkg/tsconfig.build.json', '// x\n{"a": 1,}\n', []],
  ['comments by the name', '.vscode/x.jsonc', '/* x */ {"a": 1,}\n', []],
  [
    'a mistake behind comments',
    'tsconfig.json',
    '// x\n{"a" 1}\n',
    ["2:6 error Expected ':' after property name"],
  ],
  ['lines of JSON', 'a.jsonl', '{"a":1}\n\n{"b"}\n', ["3:5 error Expected ':' after property name"]],
  ['JSON nested without end', 'a.json', '['.repeat(200_000), ['1:200001 error Unexpected end of JSON input']],
  ['good YAML of several documents', 'a.yml', 'a: 1\n---\nb: !Ref c\n', []],
  ['a key twice', 'a.yaml', 'a: 1\na: 2\n', ['2:1 error Map keys must be unique']],
  [
    'a list without end',
    '.github/workflows/a.yml',
    'on: push\nb: [1, 2\nc: 3\n',
    ['3:1 error Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ],
  ["GitHub's expressions", '.github/workflows/a.yml', 'env:\n  A: \u0024{{ x }}\n', []],
  ['a template of YAML', 'chart/templates/a.yaml', '{{- if .x }}\na: b\n{{- end }}\n', null],
  ['YAML nested without end', 'a.yaml', '['.repeat(4_000), ['null:null error It is nested too deeply.']],
  ['a large lock file', 'pnpm-lock.yaml', 'a: 1\n'.repeat(200_000), null],
  ['YAML whose keys would take a minute to compare', 'a.yaml', manyKeys(50_000), null],
  [
    'lines of JSON that are all wrong',
    'a.jsonl',
    '}\n'.repeat(500_000),
    Array.from({ length: 20 }, (_, index) => `${index + 1}:1 error Unexpected token '}'`),
  ],
  ['good TOML', 'Pipfile', '[a]\nb = 1\n', []],
  ['a value that TOML misses', 'a.toml', 'a = 1\nb = \n', ['2:5 error invalid value']],
  ['another kind of file', 'a.ts', 'const x = ;', null],
];

test.each(table)('%s', async (_what, path, text, said) => {
  const found = await checkText(path, text);
  expect(found?.map((one) => `${one.line}:${one.column} ${one.severity} ${one.message}`) ?? null).toEqual(
    said,
  );
});

function manyKeys(count: number): string {
  return Array.from({ length: count }, (_, index) => `k${index.toString(36)}: 1\n`).join('');
}
