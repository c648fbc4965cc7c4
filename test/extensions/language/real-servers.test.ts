import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { diagnosticsTool } from '../../../src/extensions/language/diagnostics-tool.ts';
import { getDiagnosticsTool } from '../../../src/extensions/language/get-diagnostics-tool.ts';
import type { LanguageServers } from '../../../src/extensions/language/language-run.ts';
import { createLanguageServers } from '../../../src/extensions/language/language-servers.ts';
import { lspTool } from '../../../src/extensions/language/lsp-tool.ts';
import { languageServers } from '../../../src/extensions/language/server-table.ts';
import { createProgramRunner } from '../../../src/run/programs/program-runner.ts';
import { available } from '../../sandbox/runner-fixture.ts';
import { openTools, type ToolHarness } from '../../tools/tool-harness.ts';

const packages = path.join(import.meta.dirname, '../../../node_modules');
const entries = languageServers
  .filter(({ name }) => ['typescript-language-server', 'pyright', 'vscode-json', 'vscode-css'].includes(name))
  .map((entry) => {
    if (entry.name !== 'typescript-language-server') return entry;
    // The sample has no TypeScript of its own.
    const tsserver = { useSyntaxServer: 'never', path: path.join(packages, 'typescript-5/lib/tsserver.js') };
    return { ...entry, initializationOptions: { tsserver } };
  });

const files = {
  'tsconfig.json':
    '{"compilerOptions":{"strict":true,"module":"nodenext","allowImportingTsExtensions":true,"noEmit":true}}',
  'shapes.ts': [
    'export interface Shape { area(): number }',
    'export class Square implements Shape {',
    '  area() { return multiply(2, 2); }',
    '}',
    'export function multiply(a: number, b: number): number { return a * b; }',
    '',
  ].join('\n'),
  'total.ts': [
    'import { multiply, type Shape } from "./shapes.ts";',
    'export const 长 = "𝒳"; export const name: string = multiply(1, 2);',
    'export const total = (shape: Shape) => multiply(shape.area(), 1);',
    '',
  ].join('\n'),
  'main.py': 'import os\n\n\ndef greet(times: int) -> str:\n    return times\n\n\ngreet(1)\nos.getcwd()\n',
  'pyrightconfig.json': '{"include": ["main.py"]}\n',
  'checks/test_main.py': 'from main import greet\n\ngreet(2)\n',
  'page.css': '.a { colr: red; }\n',
  'data.json': '{"a": 1,}\n',
};

let harness: ToolHarness;
let servers: LanguageServers;
let runFolder: string;

beforeAll(async () => {
  harness = await openTools(files, { git: true });
  runFolder = mkdtempSync(path.join(tmpdir(), 'anode-language-'));
  mkdirSync(path.join(runFolder, 'language'));
  const programFolders = [path.join(packages, '.bin'), ...(process.env.PATH ?? '').split(':')];
  const run = {
    root: harness.root,
    runFolder,
    sandboxed: true,
    environment: { PATH: programFolders.join(':') },
  };
  servers = createLanguageServers({
    entries,
    locations: { programFolders, checkout: true },
    runnerFor: (name) =>
      createProgramRunner(run, path.join(runFolder, 'language'), { name, shown: [packages] }),
    variablesFor: () => ({}),
    sampleFiles: () => ['total.ts'],
    idleMs: 300_000,
    startMs: 60_000,
    after: () => () => undefined,
    report: () => undefined,
  });
});
afterAll(async () => {
  await servers.close();
  await harness.close();
  rmSync(runFolder, { recursive: true, force: true });
});

const note =
  '[path:line:column count from 1, as read shows lines; as input, line and character count from 0, one less]';

/** The lines of an answer, less the note that all have. */
async function say(name: string, input: JsonObject): Promise<string[]> {
  const tools = [lspTool(servers), getDiagnosticsTool(servers), diagnosticsTool(servers)];
  const tool = tools.find((one) => one.name === name);
  const { content } = (await tool?.execute(tool.input.parse(input), harness.context, undefined)) ?? {};
  return String(content)
    .split('\n')
    .filter((line) => line !== note);
}
const lsp = (input: JsonObject) => say('lsp', input);

describe.skipIf(!available)('real language servers in their sandboxes', () => {
  test('typescript-language-server answers all ten operations, for the files as the run changes them', {
    timeout: 120_000,
  }, async () => {
    const [multiply, definition] = [
      'shapes.ts:5:17  export function multiply(a: number, b: number): number { return a * b; }',
      'multiply at shapes.ts:5:17 (line 4, character 16 from 0): export function multiply(a: number, b: number): number { return a * b; }',
    ];
    // By line and character in UTF-16 units, behind letters that take two of them.
    expect(await lsp({ operation: 'goToDefinition', path: 'total.ts', line: 1, character: 55 })).toEqual([
      '1 definition of multiply at total.ts:2:56 (line 1, character 55 from 0): export const 长 = "𝒳"; export const name: string = multiply(1, 2);',
      multiply,
    ]);
    expect(await lsp({ operation: 'findReferences', path: 'shapes.ts', symbol: 'multiply' })).toEqual([
      `4 references of ${definition}`,
      'shapes.ts:3:19  area() { return multiply(2, 2); }',
      'total.ts:1:10  import { multiply, type Shape } from "./shapes.ts";',
      'total.ts:2:52  export const 长 = "𝒳"; export const name: string = multiply(1, 2);',
      'total.ts:3:40  export const total = (shape: Shape) => multiply(shape.area(), 1);',
    ]);
    expect(await lsp({ operation: 'hover', path: 'total.ts', symbol: 'total' })).toContain(
      'const total: (shape: Shape) => number',
    );
    expect(await lsp({ operation: 'documentSymbol', path: 'shapes.ts', limit: 2 })).toEqual([
      '5 symbols in shapes.ts',
      'shapes.ts:5:17  function multiply',
      'shapes.ts:1:18  interface Shape',
      '[3 more; raise limit or ask more narrowly]',
    ]);
    expect(await lsp({ operation: 'workspaceSymbol', query: 'multiply' })).toEqual([
      '1 symbol for "multiply"',
      'shapes.ts:5:17  function multiply',
    ]);
    expect(
      await lsp({ operation: 'goToImplementation', path: 'shapes.ts', line: 0, symbol: 'Shape' }),
    ).toEqual([
      '1 implementation of Shape at shapes.ts:1:18 (line 0, character 17 from 0): export interface Shape { area(): number }',
      'shapes.ts:2:14  export class Square implements Shape {',
    ]);
    expect(await lsp({ operation: 'prepareCallHierarchy', path: 'shapes.ts', symbol: 'multiply' })).toEqual([
      `Call hierarchy of ${definition}`,
      'shapes.ts:5:17  function multiply',
    ]);
    // A name alone, which the workspace has once.
    expect(await lsp({ operation: 'incomingCalls', symbol: 'multiply' })).toEqual([
      `3 callers of ${definition}`,
      'shapes.ts:3:3  method area',
      '  call at shapes.ts:3:19  area() { return multiply(2, 2); }',
      'total.ts:1:1  module total.ts',
      '  call at total.ts:2:52  export const 长 = "𝒳"; export const name: string = multiply(1, 2);',
      'total.ts:3:14  function total',
      '  call at total.ts:3:40  export const total = (shape: Shape) => multiply(shape.area(), 1);',
    ]);
    expect(
      (await lsp({ operation: 'outgoingCalls', path: 'total.ts', symbol: 'total' })).slice(1, 3),
    ).toEqual([
      'shapes.ts:5:17  function multiply',
      '  call at total.ts:3:40  export const total = (shape: Shape) => multiply(shape.area(), 1);',
    ]);
    expect(await lsp({ operation: 'diagnostics', path: 'total.ts' })).toEqual([
      '1 error in total.ts',
      "total.ts:2:37 error [ts 2322]: Type 'number' is not assignable to type 'string'.",
    ]);
    const content = Buffer.from(
      'export type Shape = { area(): number };\nexport const multiply = () => "two";\n',
    );
    await harness.context.workspace.changes.apply([{ path: 'shapes.ts', content }], {
      tool: 'edit',
      callId: 'call_2',
    });
    expect(await say('get_diagnostics', { path: 'total.ts', wait: true, wait_timeout_ms: 30_000 })).toEqual([
      '2 errors in total.ts',
      'total.ts:2:61 error [ts 2554]: Expected 0 arguments, but got 2.',
      'total.ts:3:49 error [ts 2554]: Expected 0 arguments, but got 2.',
    ]);
  });

  test('pyright resolves types, and locations outside are reported without their source', {
    timeout: 120_000,
  }, async () => {
    expect(
      await say('get_diagnostics', {
        path: 'main.py',
        wait: true,
        wait_timeout_ms: 30_000,
        severity: 'error',
      }),
    ).toEqual([
      '1 error in main.py',
      'main.py:5:12 error [Pyright reportReturnType]: Type "int" is not assignable to return type "str" "int" is not assignable to "str"',
    ]);
    // The project's configuration names only main.py.
    expect(await lsp({ operation: 'findReferences', path: 'main.py', symbol: 'greet' })).toEqual([
      '3 references of greet at main.py:4:5 (line 3, character 4 from 0): def greet(times: int) -> str:',
      'checks/test_main.py:1:18  from main import greet',
      'checks/test_main.py:3:1  greet(2)',
      'main.py:8:1  greet(1)',
    ]);
    const [, outside] = await lsp({ operation: 'definition', path: 'main.py', symbol: 'getcwd' });
    expect(outside).toMatch(
      /^\/.+\/typeshed-fallback\/stdlib\/os\/__init__\.pyi:\d+:\d+ {2}\[outside the workspace\]$/,
    );
  });

  test('the servers for CSS and JSON check several files in one call', async () => {
    expect(
      await say('get_diagnostics', { paths: ['data.json', 'page.css'], wait: true, wait_timeout_ms: 30_000 }),
    ).toEqual([
      '1 error, 1 warning in 2 files',
      'data.json:1:8 error [json 519]: Trailing comma',
      "page.css:1:6 warning [css unknownProperties]: Unknown property: 'colr'",
    ]);
    await expect(lsp({ operation: 'outgoingCalls', path: 'data.json', symbol: 'a' })).rejects.toThrow(
      'vscode-json, the language server for data.json, cannot do outgoingCalls. It can do: hover, documentSymbol, diagnostics.',
    );
  });
});
