import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Change } from '../../../src/contract/change.ts';
import { available } from '../../sandbox/runner-fixture.ts';
import { type HarnessOptions, openTools, type ToolHarness, type TreeEntry } from '../tool-harness.ts';

let tools: ToolHarness;
afterEach(() => tools.close());

const nodeFolder = path.dirname(process.execPath);
/** Checks as in a run with a working sandbox, with the machine's programs in the named folders. */
const inSandbox: HarnessOptions = {
  git: true,
  sandbox: 'required',
  editChecks: { verify: true, programs: true, programFolders: [nodeFolder, '/usr/bin', '/bin'] },
};

async function open(files: Readonly<Record<string, TreeEntry>>, options: HarnessOptions = inSandbox) {
  tools = await openTools(files, options);
}

/** A program in the place of a linter that the repository has: a shell script. */
function linter(name: string, script: string): Record<string, { executable: string }> {
  return { [`node_modules/.bin/${name}`]: { executable: `#!/bin/bash\n${script}\n` } };
}

const edit = (file: string, old_str: string, new_str: string) =>
  tools.say('edit_file', { path: file, old_str, new_str });
const changes = (): Change[] =>
  tools.entries.flatMap((entry) => (entry.type === 'change' ? [entry.change] : []));
const validations = () => changes().map((change) => `${change.path} ${change.validation}`);
const diagnostics = () =>
  tools.entries.flatMap((entry) => (entry.type === 'diagnostic' ? [entry.message] : []));

const dataOnly: HarnessOptions = { editChecks: { verify: true } };

test('a data file that an edit broke is reported with the edit, and its entry is "failed"', async () => {
  await open({ 'a.json': '{\n  "a": 1\n}\n' }, dataOnly);
  const output = await tools.call('edit_file', { path: 'a.json', old_str: '1', new_str: '1,\n  "b":' });
  expect([String(output.content).split('\n\n').at(-1), output.data, validations()]).toEqual([
    "This change brought a problem; mend it:\na.json:4:1 error Unexpected token '}' [json]",
    expect.objectContaining({
      problems: [
        {
          path: 'a.json',
          line: 4,
          column: 1,
          severity: 'error',
          message: "Unexpected token '}'",
          rule: null,
          tool: 'json',
          new: true,
        },
      ],
    }),
    ['a.json failed'],
  ]);
});

test('the changes of every editing tool are checked', async () => {
  await open({ 'a.json': '{}\n', 'b.yml': 'a: 1\n' }, dataOnly);
  const reply = [
    await tools.say('create_file', { path: 'c.toml', content: 'a =\n' }),
    await tools.say('apply_patch', { patch: '--- a/b.yml\n+++ b/b.yml\n@@ -1 +1 @@\n-a: 1\n+a: [\n' }),
    await tools.say('write_file', { path: 'a.json', content: '[' }),
    await tools.say('create_file', { path: 'd.txt', content: '[' }),
  ];
  expect([reply.map((text) => text.includes('brought a problem')), validations()]).toEqual([
    [true, true, true, false],
    ['c.toml failed', 'b.yml failed', 'a.json failed', 'd.txt unchecked'],
  ]);
});

test('earlier faults are marked as earlier, and an edit that fixes one passes', async () => {
  await open({ 'a.json': '{"a" 1, "b": 2}\n' }, dataOnly);
  const replyText = [await edit('a.json', '2', '3'), await edit('a.json', '"a" 1', '"a": 1')];
  expect([replyText.map((text) => text.split('\n\n').slice(1)), validations()]).toEqual([
    [["Problems that were there before:\na.json:1:6 error Expected ':' after property name [json]"], []],
    ['a.json failed', 'a.json passed'],
  ]);
});

test('no checks take place if they are disabled', async () => {
  await open({ 'a.json': '{}\n' }, {});
  const replies = await tools.say('write_file', { path: 'a.json', content: '[' });
  expect([replies, validations()]).toEqual(['Overwrote a.json (1 line).', ['a.json unchecked']]);
});

test('without permission to run programs none starts, whatever the repository configures', async () => {
  await open(
    { ...linter('eslint', 'echo "[]"'), 'eslint.config.js': '', 'a.js': 'a\n' },
    {
      ...inSandbox,
      editChecks: { ...inSandbox.editChecks, programs: false, format: true },
    },
  );
  let started = 0;
  const { run } = tools.context.commands;
  Object.assign(tools.context.commands, {
    run: (request: Parameters<typeof run>[0]) => {
      started += 1;
      return run(request);
    },
  });
  await edit('a.js', 'a', 'b(');
  expect([started, validations()]).toEqual([0, ['a.js unchecked']]);
});

/** Reports every line with the word `bad`, in files or standard input, in ESLint's form. */
const badWords = `
if [ "$2" = --stdin ]; then set -- -; else shift; fi
entries=
for file in "$@"; do
  messages=$(grep -n bad "$file" | sed 's/^\\([0-9]*\\):.*/{"ruleId":"no-bad","severity":2,"message":"bad","line":\\1,"column":1}/' | paste -sd,)
  entries="$entries\${entries:+,}{\\"filePath\\":\\"$PWD/$file\\",\\"messages\\":[$messages]}"
done
echo "[$entries]"; exit 1`;

const withLinter = (script = badWords) => ({
  ...linter('eslint', script),
  'eslint.config.js': '',
  'src/a.ts': 'bad old\none\ntwo\nthree\nfour\nfive\n',
});

test.runIf(available)(
  'a linter of the repository reports only problems that the edit introduced',
  async () => {
    await open(withLinter());
    const said = await edit('src/a.ts', 'five', 'bad new');
    const mended = await edit('src/a.ts', 'bad new', 'good');
    expect([said.split('\n\n').at(-1), mended.includes('problem'), validations()]).toEqual([
      'This change brought a problem; mend it:\nsrc/a.ts:6:1 error bad (no-bad) [eslint]',
      false,
      ['src/a.ts failed', 'src/a.ts passed'],
    ]);
  },
);

test.runIf(available)('one run of a linter covers all files of a change', async () => {
  await open({ ...withLinter(`echo "$@" >&2; exit 3`), 'src/b.ts': 'one\n' });
  const patch = ['a', 'b']
    .map((name) => `--- a/src/${name}.ts\n+++ b/src/${name}.ts\n@@ -1,3 +1,3 @@\n-one\n+1\n`)
    .join('');
  await tools.say('apply_patch', { patch });
  expect(diagnostics()).toEqual([
    'eslint is left out for the rest of this run: it failed: --format=json ./src/a.ts ./src/b.ts.',
  ]);
});

test.runIf(available).each([
  ['breaks', withLinter('echo "no such plugin" >&2; exit 2'), {}, 'eslint', 'it failed: no such plugin.'],
  [
    'hangs',
    { 'src/a.ts': withLinter()['src/a.ts'], ...linter('oxlint', 'sleep 60'), '.oxlintrc.json': '' },
    { timeoutMs: 3_000 },
    'oxlint',
    'it did not end in time.',
  ],
])('a linter that %s is reported once and dropped; the edits stay', async (_how, files, limit, name, why) => {
  await open(files, { ...inSandbox, editChecks: { ...inSandbox.editChecks, ...limit } });
  const said = [await edit('src/a.ts', 'five', '5'), await edit('src/a.ts', 'four', '4')];
  expect([said.map((text) => text.split('\n\n').slice(1)), validations(), tools.tree()['src/a.ts']]).toEqual([
    [[`[${name} is left out for the rest of this run: ${why}]`], []],
    ['src/a.ts unchecked', 'src/a.ts unchecked'],
    'bad old\none\ntwo\nthree\n4\n5\n',
  ]);
});

test.runIf(available)(
  'files written by a linter are removed and not recorded in the change ledger',
  async () => {
    await open(withLinter('echo x > cache; echo x > src/a.ts; echo x > .git/x; echo "[]"'));
    await edit('src/a.ts', 'five', '5');
    const observed = await tools.context.workspace.changes.observe({ tool: 'bash', callId: 'call_2' });
    const final = await tools.context.workspace.finalChanges();
    expect([observed, final.files.map((file) => file.path), validations()]).toEqual([
      [],
      ['src/a.ts'],
      ['src/a.ts passed'],
    ]);
  },
);

test.runIf(available)('obvious faults of a script are found by its own language', async () => {
  await open({
    'a.js': 'const a = 1;\n',
    'b.sh': 'echo\n',
    'c.zsh.sh': '#!/bin/zsh\necho\n',
    'd.mjs': 'export {};\n',
  });
  const said = [
    await edit('a.js', '1', ''),
    await edit('b.sh', 'echo', 'if'),
    await edit('c.zsh.sh', 'echo', 'if'),
    await edit('d.mjs', 'export {}', 'export const a = 1'),
  ];
  expect([said.map((text) => text.split('\n\n').slice(1).join('')), validations()]).toEqual([
    [
      "This change brought a problem; mend it:\na.js:1:11 error Unexpected token ';' [node]",
      'This change brought a problem; mend it:\nb.sh:2 error syntax error: unexpected end of file [bash]',
      '',
      '',
    ],
    ['a.js failed', 'b.sh failed', 'c.zsh.sh unchecked', 'd.mjs passed'],
  ]);
});

test.runIf(available)(
  'a linter is found from the folder of its configuration, even if the run creates it',
  async () => {
    await open({ ...linter('eslint', `basename "$PWD" >&2; exit 3`), 'packages/a/x.ts': 'one\n' });
    const said = [
      await edit('packages/a/x.ts', 'one', 'two'),
      await tools.say('create_file', {
        path: 'packages/a/eslint.config.js',
        content: 'export default [];\n',
      }),
      await edit('packages/a/x.ts', 'two', 'three'),
    ];
    const leftOut = '[eslint is left out for the rest of this run: it failed: a.]';
    expect(said.map((text) => text.includes(leftOut))).toEqual([false, true, false]);
  },
);

test.runIf(available)('an abort during a check ends the call, and the change is recorded', async () => {
  const abort = new AbortController();
  await open(withLinter('echo started; sleep 60'), { ...inSandbox, signal: abort.signal });
  const { run } = tools.context.commands;
  Object.assign(tools.context.commands, {
    run: (request: Parameters<typeof run>[0]) =>
      run({ ...request, onOutput: () => abort.abort(new Error('the run was cancelled')) }),
  });
  const call = tools.call('edit_file', { path: 'src/a.ts', old_str: 'five', new_str: '5' });
  await expect(call).rejects.toThrow('the run was cancelled');
  expect(validations()).toEqual(['src/a.ts unchecked']);
});
