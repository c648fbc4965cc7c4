import { expect, test } from 'vitest';
import { checkText, isCheckedText } from '../../../src/tools/write/check-text.ts';

/** A path, a text, and its problems: `line:column severity message`, null if it is not checked. */
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

test.each(table)('%s', async (_what, path, text, reply) => {
  const found = await checkText(path, text);
  expect(found?.map((one) => `${one.line}:${one.column} ${one.severity} ${one.message}`) ?? null).toEqual(
    reply,
  );
});

function manyKeys(count: number): string {
  return Array.from({ length: count }, (_, index) => `k${index.toString(36)}: 1\n`).join('');
}

test.for([
  ...[
    'tsconfig.json',
    'jsconfig.json',
    'tsconfig.build.json',
    '.eslintrc.json',
    '.swcrc.json',
    '.babelrc.json',
  ],
  ...['.jshintrc.json', 'devcontainer.json', 'biome.json', 'deno.json', 'turbo.json', 'wrangler.json'],
  ...[
    'api-extractor.json',
    '.vscode/settings.json',
    'launch.json',
    'tasks.json',
    'extensions.json',
    'keybindings.json',
  ],
  ...['.eslintrc', 'a/.swcrc', '.babelrc', '.jshintrc', 'a.jsonc', 'shop.code-workspace'],
])('comments are accepted in %s', async (path) => {
  expect(await checkText(path, '{ // x\n"a": 1,}')).toEqual([]);
});

test.for([
  ...[
    'package.json',
    'a.webmanifest',
    'a.geojson',
    'a.ipynb',
    'a.avsc',
    'a.har',
    'mytsconfig.json',
    'biome.json5.json',
  ],
  ...['tsconfigx.json', 'settings.jsonx.json'],
])('comments give a warning in %s', async (path) => {
  expect(await checkText(path, '{ // x\n"a": 1,}')).toEqual([
    {
      ...{ path: null, line: 1, column: 3, severity: 'warning', rule: null, syntax: false },
      message: 'Comments or trailing commas: not every program that reads JSON understands them.',
    },
  ]);
});

test('file types are recognised by their extensions', () => {
  const known = ['a.ndjson', 'a.jsonl', 'a.yml', 'a.yaml', 'a.toml', 'x/Pipfile', 'a.json'];
  const other = [
    'a.jsonx',
    'ajson',
    'a.yamlx',
    'ayml',
    'a.tomlx',
    'Pipfile.lock',
    'xPipfile',
    'a.eslintrc',
    'a.json/b',
    '',
  ];
  expect([known.filter(isCheckedText), other.filter(isCheckedText)]).toEqual([known, []]);
});

test('a fault is reported whole, and as a syntax error', async () => {
  expect(await checkText('a.toml', 'a = \n')).toEqual([
    { path: null, line: 1, column: 5, severity: 'error', message: 'invalid value', rule: null, syntax: true },
  ]);
});

test.for([
  ['{"a": 1, "b" }', '1:14', "Expected ':' after property name"],
  ['{"a": undefined}', '1:7', "Unexpected token 'u'"],
  ['x', '1:1', "Unexpected token 'x'"],
  [`[${'1,'.repeat(30)}\n  oops, 1]`, '2:3', "Unexpected token 'o'"],
  ['{"a": 1\n\n', '3:1', "Expected ',' or '}' after property value"],
  ['[1, 2', '1:6', "Expected ',' or ']' after array element"],
  ['{"a": "b', '1:9', 'Unterminated string'],
] as const)('the position of the fault in %j is %s', async ([text, place, message]) => {
  const found = await checkText('a.json', text);
  expect(found?.map((one) => [`${one.line}:${one.column}`, one.message])).toEqual([[place, message]]);
});

test('files over the size limit of their kind are not parsed', async () => {
  const looked = async (path: string, length: number) =>
    (await checkText(path, path.endsWith('.toml') ? `#${'x'.repeat(length - 1)}` : ' '.repeat(length))) !==
    null;
  const mebibyte = 1024 * 1024;
  expect([
    await looked('a.yaml', mebibyte / 2),
    await looked('a.yaml', mebibyte / 2 + 1),
    await looked('a.toml', mebibyte),
    await looked('a.toml', mebibyte + 1),
    await looked('a.json', 4 * mebibyte),
    await looked('a.json', 4 * mebibyte + 1),
    await looked('a.jsonl', 4 * mebibyte + 1),
    await looked('tsconfig.json', 4 * mebibyte + 1),
  ]).toEqual([true, false, true, false, true, false, false, false]);
});

test('twenty faults of YAML are reported, and none for templates', async () => {
  const faults = (await checkText('a.yaml', '- [}\n'.repeat(30)))?.length;
  const templates = [
    '{{ x }}\na: [\n',
    '  {% if x %}\na: [\n',
    'a: [ {{- x }}\n',
    'a: [{%- x %}',
    'a: {{ x }}\nb: [\n',
  ];
  const reported = await Promise.all(templates.map((text) => checkText('a.yaml', text)));
  const plain = await Promise.all(['a: [ {{ x\n', 'a: [ x {% y\n'].map((text) => checkText('a.yaml', text)));
  expect([faults, reported, plain.map((one) => one === null)]).toEqual([
    20,
    templates.map(() => null),
    [false, false],
  ]);
});
