import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { available } from '../../sandbox/runner-fixture.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
afterEach(() => tools.close());

/** The formatter this project has itself: a real one. */
const biomeFolder = path.resolve(
  import.meta.dirname,
  `../../../node_modules/@biomejs/cli-linux-${process.arch}`,
);

async function open(files: Readonly<Record<string, string>>, format = true) {
  tools = await openTools(
    { 'biome.json': '{"formatter": {"indentStyle": "space"}}\n', ...files },
    {
      git: true,
      sandbox: 'required',
      editChecks: { verify: true, format, programs: true, programFolders: [biomeFolder] },
    },
  );
}

const changes = () => tools.entries.flatMap((entry) => (entry.type === 'change' ? [entry.change] : []));

test.runIf(available)(
  "a change is written in the formatter's form, and the model reads the result",
  async () => {
    await open({ 'src/a.ts': 'export const a = 1;\n' });
    const output = await tools.call('edit_file', { path: 'src/a.ts', old_str: '= 1', new_str: '=    [1,2]' });
    const again = await tools.say('edit_file', { path: 'src/a.ts', old_str: '[1, 2]', new_str: '[1, 3]' });
    expect([
      tools.tree()['src/a.ts'],
      String(output.content).split('\n\n').at(-1),
      output.data,
      changes().map(({ diff, validation }) => [
        diff.split('\n').filter((line) => /^[+-]\w/.test(line)),
        validation,
      ]),
      again.includes('formatted'),
    ]).toEqual([
      'export const a = [1, 3];\n',
      'src/a.ts was formatted by biome. Where that changed the text, it now reads:\n1\texport const a = [1, 2];',
      expect.objectContaining({ formatted: { 'src/a.ts': 'biome' } }),
      [
        [['-export const a = 1;', '+export const a = [1, 2];'], 'passed'],
        [['-export const a = [1, 2];', '+export const a = [1, 3];'], 'passed'],
      ],
      false,
    ]);
  },
);

test.runIf(available)('a file that cannot be formatted is written unformatted, with a notice', async () => {
  await open({});
  const reply = await tools.say('create_file', { path: 'a.ts', content: 'const   a =' });
  expect([tools.tree()['a.ts'], reply.split('\n\n').slice(1)]).toEqual([
    'const   a =',
    [
      "[biome could not format a.ts, which is written as it is: Code formatting aborted due to parsing errors. To format code with errors, enable the 'formatter.formatWithErrors' option.]",
      'This change brought 2 problems; mend them:\na.ts:1:12 error Expected an expression, or an assignment but instead found the end of the file. (parse) [biome]\na.ts:1:9 warning This variable a is unused. (lint/correctness/noUnusedVariables) [biome]',
    ],
  ]);
});

test.runIf(available)(
  'no formatting takes place unless it is enabled; then the linter reports it',
  async () => {
    await open({ 'a.ts': 'export const a = 1;\n' }, false);
    const replyText = await tools.say('create_file', { path: 'b.ts', content: 'export const   b = 1' });
    expect([tools.tree()['b.ts'], replyText.split('\n\n').slice(1)]).toEqual([
      'export const   b = 1',
      [
        'This change brought a problem; mend it:\nb.ts warning The file is not formatted as the formatter would. (format) [biome]',
      ],
    ]);
  },
);
