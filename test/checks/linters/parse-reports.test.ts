import { expect, test } from 'vitest';
import type { ProgramOutput, Report } from '../../../src/checks/linters/check-program.ts';
import {
  parseEslint,
  parseOxlint,
  parsePythonSyntax,
  parseRuff,
  parseShellcheck,
} from '../../../src/checks/linters/parse-json-reports.ts';
import {
  parseAnnotations,
  parseBashSyntax,
  parseGofmt,
  parseNodeCheck,
  parsePhp,
  parseRuby,
  parseRustfmt,
} from '../../../src/checks/linters/parse-text-reports.ts';

const printed = (exitCode: number, stdout: string, stderr = ''): ProgramOutput => ({
  exitCode,
  stdout,
  stderr,
});

/** One line a report: `path:line:column severity message (rule)`, `!` at the end for what breaks the parser. */
const shown = (reports: readonly Report[] | null) =>
  reports?.map(
    ({ path, line, column, severity, message, rule, syntax }) =>
      `${path}:${line}:${column} ${severity} ${message} (${rule})${syntax ? '!' : ''}`,
  ) ?? null;

test('findings of ESLint 9 are parsed', () => {
  const output =
    '[{"filePath":"/w/a.js","messages":[{"ruleId":"no-unused-vars","severity":2,"message":"\'unused\' is assigned a value but never used.","line":2,"column":5,"nodeType":"Identifier","messageId":"unusedVar","endLine":2,"endColumn":11},{"ruleId":"no-debugger","severity":1,"message":"Unexpected \'debugger\' statement.","line":4,"column":3}],"suppressedMessages":[],"errorCount":1},{"filePath":"/w/bad.js","messages":[{"ruleId":null,"nodeType":null,"fatal":true,"severity":2,"message":"Parsing error: Unexpected token ;","line":1,"column":11}]},{"filePath":"/w/dist/x.js","messages":[{"ruleId":null,"fatal":false,"severity":1,"message":"File ignored because of a matching ignore pattern."}]}]';
  expect(shown(parseEslint(printed(1, output)))).toEqual([
    "/w/a.js:2:5 error 'unused' is assigned a value but never used. (no-unused-vars)",
    "/w/a.js:4:3 warning Unexpected 'debugger' statement. (no-debugger)",
    '/w/bad.js:1:11 error Parsing error: Unexpected token ; (null)!',
  ]);
});

test('findings of Oxlint 1 are parsed', () => {
  const output =
    '{ "diagnostics": [{"message": "Unexpected token","severity": "error","filename": "bad.js","labels": [{"span": {"offset": 10,"length": 1,"line": 1,"column": 11}}]},\n{"message": "`debugger` statement is not allowed","code": "eslint(no-debugger)","severity": "warning","filename": "a.js","labels": [{"span": {"offset": 50,"length": 8,"line": 4,"column": 3}}]}],\n "number_of_files": 2 }';
  expect(shown(parseOxlint(printed(1, output)))).toEqual([
    'bad.js:1:11 error Unexpected token (null)!',
    'a.js:4:3 warning `debugger` statement is not allowed (eslint(no-debugger))',
  ]);
});

test('findings of Ruff are parsed', () => {
  const output =
    '[{"cell":null,"code":"F401","filename":"/w/a.py","fix":null,"location":{"column":8,"row":1},"message":"`os` imported but unused"},{"cell":null,"code":"invalid-syntax","filename":"/w/bad.py","location":{"column":7,"row":2},"message":"Expected a parameter"}]';
  expect(shown(parseRuff(printed(1, output)))).toEqual([
    '/w/a.py:1:8 error `os` imported but unused (F401)',
    '/w/bad.py:2:7 error Expected a parameter (invalid-syntax)!',
  ]);
});

test('findings of ShellCheck are parsed', () => {
  const output =
    '{"comments":[{"file":"./bad.sh","line":2,"endLine":2,"column":16,"endColumn":16,"level":"error","code":1073,"message":"Couldn\'t parse this then clause.","fix":null},{"file":"-","line":2,"endLine":2,"column":6,"endColumn":8,"level":"info","code":2086,"message":"Double quote.","fix":null}]}';
  expect(shown(parseShellcheck(printed(1, output)))).toEqual([
    "./bad.sh:2:16 error Couldn't parse this then clause. (SC1073)!",
    'null:2:6 warning Double quote. (SC2086)',
  ]);
});

test('syntax errors of Python are parsed', () => {
  const output = '[{"path": "./a.py", "line": 3, "column": 7, "message": "invalid syntax"}]';
  expect(shown(parsePythonSyntax(printed(0, output)))).toEqual(['./a.py:3:7 error invalid syntax (null)!']);
});

test('annotations of GitHub’s format are parsed, as Biome 2 prints them', () => {
  const output = [
    '::warning title=lint/style/useConst,file=a.js,line=2,endLine=2,col=1,endColumn=4::This let declares a%2C variable.',
    '::error title=format,file=a.js,line=1,endLine=1,col=2,endColumn=2::Formatter would have printed the following content:',
    '::error title=parse,file=bad.js,line=1,endLine=1,col=11,endColumn=12::Expected an expression.',
    '',
  ].join('\n');
  expect(shown(parseAnnotations(printed(1, output, 'check ━━━\n  × Some errors were emitted.\n')))).toEqual([
    'a.js:2:1 warning This let declares a, variable. (lint/style/useConst)',
    'a.js:null:null warning The file is not formatted as the formatter would. (format)',
    'bad.js:1:11 error Expected an expression. (parse)!',
  ]);
});

test('files that gofmt lists are parsed', () => {
  const output = printed(
    2,
    'pkg/a.go\n',
    "pkg/b.go:3:5: expected ';', found x\n<standard input>:1:1: expected 'package'\n",
  );
  expect(shown(parseGofmt(output))).toEqual([
    "pkg/b.go:3:5 error expected ';', found x (null)!",
    "null:1:1 error expected 'package' (null)!",
    'pkg/a.go:null:null warning The file is not formatted as gofmt would. (format)',
  ]);
});

test('differences of rustfmt are parsed', () => {
  const said = `error: this file contains an unclosed delimiter
 --> /w/bad.rs:1:12
  |
1 | fn main( {
  |        - -^

error[E0765]: unterminated double quote string
 --> <stdin>:4:2
`;
  expect(shown(parseRustfmt(printed(1, '/w/a.rs\n', said)))).toEqual([
    '/w/bad.rs:1:12 error this file contains an unclosed delimiter (null)!',
    'null:4:2 error unterminated double quote string (null)!',
    '/w/a.rs:null:null warning The file is not formatted as rustfmt would. (format)',
  ]);
});

test('syntax errors of node --check are parsed, but not those of syntax that needs a compiler', () => {
  const said = (file: string, token: string) => `${file}:2
const x = ${token};
          ^

SyntaxError: Unexpected token '${token}'
    at wrapSafe (node:internal/modules/cjs/loader:1861:18)

Node.js v24.21.0
`;
  const output = printed(1, '', said('/w/a.js', ')') + said('/w/jsx.js', '<') + said('file:///w/b.mjs', '<'));
  expect(shown(parseNodeCheck(output))).toEqual([
    "/w/a.js:2:11 error Unexpected token ')' (null)!",
    "/w/b.mjs:2:11 error Unexpected token '<' (null)!",
  ]);
});

test('syntax errors of bash -n are parsed', () => {
  const said = "./a.sh: line 3: syntax error near unexpected token `fi'\n./a.sh: line 3: `fi'\n";
  expect(shown(parseBashSyntax(printed(2, '', said)))).toEqual([
    "./a.sh:3:null error syntax error near unexpected token `fi' (null)!",
  ]);
});

test('syntax errors of php -l are parsed, on both streams', () => {
  const said = 'Parse error: syntax error, unexpected token ";" in ./a.php on line 3';
  expect(shown(parsePhp(printed(255, `\n${said}\nErrors parsing ./a.php\n`, `PHP ${said}\n`)))).toEqual([
    './a.php:3:null error syntax error, unexpected token ";" (null)!',
  ]);
});

test('syntax errors of ruby -c are parsed, before and since 3.4', () => {
  const before = './a.rb:3: syntax error, unexpected end-of-input\n';
  const since = `./a.rb:1: ./a.rb:1: syntax errors found (SyntaxError)
> 1 | def f(
    |       ^ unexpected end-of-input; expected a \`)\`
`;
  expect([before, since].map((said) => shown(parseRuby(printed(1, '', said))))).toEqual([
    ['./a.rb:3:null error unexpected end-of-input (null)!'],
    ['./a.rb:1:null error unexpected end-of-input; expected a `)` (null)!'],
  ]);
});

test('an invalid report is distinguished from a report without findings', () => {
  const broken = printed(2, '', 'Oops! Something went wrong.\n');
  const parsers = {
    ...{ parseEslint, parseOxlint, parseRuff, parseShellcheck, parsePythonSyntax },
    ...{ parseAnnotations, parseGofmt, parseRustfmt, parseNodeCheck, parseBashSyntax, parsePhp, parseRuby },
  };
  expect(Object.entries(parsers).filter(([, parse]) => parse(broken) !== null)).toEqual([]);
  const silent = {
    parseAnnotations,
    parseGofmt,
    parseRustfmt,
    parseNodeCheck,
    parseBashSyntax,
    parsePhp,
    parseRuby,
  };
  expect(Object.entries(silent).filter(([, parse]) => parse(printed(0, ''))?.length !== 0)).toEqual([]);
});
