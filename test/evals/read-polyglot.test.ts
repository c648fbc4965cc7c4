import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPolyglot } from '../../src/evals/read-polyglot.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'anode-polyglot-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function exercise(name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const [language = '', exerciseName = ''] = name.split('/');
  const root = path.join(folder, language, 'exercises/practice', exerciseName);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
}
const config = (files: Readonly<Record<string, readonly string[]>>) => JSON.stringify({ files });
const read = (languages: readonly string[] = [], reference = false) =>
  readPolyglot(folder, { languages, reference });

const rusty = {
  '.meta/config.json': config({
    ...{ solution: ['src/lib.rs', 'Cargo.toml'], test: ['tests/t.rs'], example: ['.meta/example.rs'] },
  }),
  '.meta/example.rs': 'pub fn one() -> u8 { 1 }\n',
  '.docs/introduction.md': '# One\n',
  '.docs/instructions.md': 'Return one.\n',
  '.docs/hints.md': 'Secret.\n',
  'src/lib.rs': 'pub fn one() -> u8 { todo!() }\n',
  'Cargo.toml': '[package]\nname = "one"\n',
  'tests/t.rs': 'use one::*;\n',
};

test('reads an exercise: prompt, what the run sees, what the check puts back, and the solution', async () => {
  await exercise('rust/one', rusty);
  const [task] = await read();
  expect(task?.prompt).toBe(
    [
      '# One\n\nReturn one.\n\nSolve this exercise by changing src/lib.rs.',
      'Tests that you do not see use the names in these files, so keep the names of functions and classes.',
      'Use the standard library only: nothing can be installed.',
    ].join('\n'),
  );
  const files = Object.keys(rusty);
  expect({
    ...{ name: task?.name, tries: task?.tries, onInvalid: task?.onInvalid, mounts: task?.mounts },
    seen: files.filter((file) => task?.repository.includes(file)),
    putBack: files.filter((file) => task?.tests?.includes(file)),
    check: task?.check,
    script: task?.reference?.transcript,
  }).toEqual({
    ...{ name: 'rust/one', tries: 2, onInvalid: 'skip', mounts: [] },
    seen: ['src/lib.rs', 'Cargo.toml'],
    putBack: ['tests/t.rs'],
    check: { command: 'cargo test --offline -- --include-ignored', timeoutSeconds: 180 },
    script: [
      { calls: [{ name: 'read', input: { path: 'src/lib.rs' } }] },
      {
        calls: [
          {
            name: 'edit_file',
            input: {
              path: 'src/lib.rs',
              old_str: 'pub fn one() -> u8 { todo!() }\n',
              new_str: 'pub fn one() -> u8 { 1 }\n',
            },
          },
        ],
      },
      { text: 'The exercise is solved.' },
    ],
  });
});

test('hides the cases of tests that are listed as editor files, and mounts packages', async () => {
  await exercise('go/two', {
    '.meta/config.json': config({
      ...{ solution: ['two.go'], test: ['two_test.go'], editor: ['cases_test.go', 'interface.go'] },
    }),
  });
  await exercise('rust/one', rusty);
  await mkdir(path.join(folder, 'rust/vendor'));
  const [two, one] = await read();
  const names = ['two.go', 'two_test.go', 'cases_test.go', 'interface.go', 'go.mod'];
  expect({
    seen: names.filter((name) => two?.repository.includes(name)),
    putBack: names.filter((name) => two?.tests?.includes(name)),
    reference: two?.reference,
    mounts: one?.mounts,
  }).toEqual({
    seen: ['two.go', 'interface.go', 'go.mod'],
    putBack: ['two_test.go', 'cases_test.go', 'interface.go', 'go.mod'],
    reference: null,
    mounts: [{ mountPath: 'vendor', folder: path.join(folder, 'rust/vendor') }],
  });
  expect(one?.check.command).toContain(`'source.vendored.directory="vendor"'`);
});

test('looks for the crates of the package list in force', async () => {
  const list = '[package]\nname = "one"\n[dependencies]\nrand = "0.8"\n';
  await exercise('rust/one', { ...rusty, '.meta/Cargo-example.toml': list });
  const toolsOf = async (reference: boolean) => (await read(['rust'], reference))[0]?.tools?.command;
  expect([await toolsOf(false), await toolsOf(true)]).toEqual([
    'cargo --version',
    expect.stringContaining(`printf %s '${list}' > Cargo.toml && cargo metadata --offline`),
  ]);
});

test('refuses a folder without exercises, one without a list of files, and a path that leads out', async () => {
  await expect(read(['go'])).rejects.toThrow(/has no exercise .* for the languages go\./);
  await exercise('go/two', { 'two.go': '' });
  await expect(read()).rejects.toThrow(
    /go\/exercises\/practice\/two is no exercise: .*config\.json is missing/,
  );
  await exercise('go/two', { '.meta/config.json': config({ solution: ['../x.go'], test: ['a'] }) });
  await expect(read()).rejects.toThrow(/config\.json:1:\d+: files\.solution\.0: leads out of the exercise/);
});
