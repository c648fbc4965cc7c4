// biome-ignore-all lint/suspicious/noTemplateCurlyInString: GitHub's own syntax
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliProgram } from '../support/program-files.ts';
import { projectRoot } from '../uses/support/run-program.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

const ci =
  'name: Build & test\non: [push, pull_request]\njobs: { a: { runs-on: x, steps: [{ run: make }] } }\n';
const repository = (files: Readonly<Record<string, string>> = {}) =>
  local.checkout({ 'a.txt': 'red\n', ...files });
const init = (folder: string, ...args: string[]) => local.anode(folder, ['init', ...args]);
const written = async (folder: string) =>
  (await local.git(folder, 'status', '--short', '--untracked-files=all'))
    .split('\n')
    .filter((line) => line !== '');

test('init writes the chosen workflows and a configuration, and says what to do next', async () => {
  const folder = await repository({ '.github/workflows/ci.yml': ci, 'package-lock.json': '{}\n' });
  await local.git(folder, 'update-ref', 'refs/remotes/origin/trunk', 'HEAD');
  await local.git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
  expect(await init(folder, '--use', 'failed-build,comments')).toEqual({
    code: 0,
    stdout: `Wrote .github/workflows/anode-comments.yml
Wrote .github/workflows/anode-failed-build.yml
Wrote .github/anode.yml
Note: A commit of the bot does not start ci.yml. Write again with --app-token to change that (docs/workflows.md).

Next:
1. Replace OWNER in \`OWNER/anode-ci@v1\` by the owner of your release of the Action.
2. Add the secret ANTHROPIC_API_KEY: \`gh secret set ANTHROPIC_API_KEY\`
3. Add the secret ANODE_STATE_SECRET (optional; lets a run wait for an answer, and the next one know what is settled. Each workflow of the bot needs it. 32 random characters or more: \`openssl rand -hex 32\`): \`gh secret set ANODE_STATE_SECRET\`
4. Add the secret ANODE_APP_KEY (the private key of your GitHub App): \`gh secret set ANODE_APP_KEY\`
5. Add the variable ANODE_APP_ID (the id of your GitHub App; docs/workflows.md says how to make it): \`gh variable set ANODE_APP_ID\`
6. Turn on *Allow GitHub Actions to create and approve pull requests* (*Settings* → *Actions* → *General*): comments cannot open one without it.
7. Commit the files to trunk. GitHub takes most of these workflows from there only.
8. Try it: Comment \`@anode what does this change?\` on a pull request.
9. Try it: Push a commit that breaks a pull request of the bot.
`,
    stderr: '',
  });
  expect(await written(folder)).toEqual([
    '?? .github/anode.yml',
    '?? .github/workflows/anode-comments.yml',
    '?? .github/workflows/anode-failed-build.yml',
  ]);
  const build = await readFile(path.join(folder, '.github/workflows/anode-failed-build.yml'), 'utf8');
  expect(build).toContain('    workflows: ["Build & test"]\n');
  expect(await readFile(path.join(folder, '.github/anode.yml'), 'utf8')).toMatch(/^setup: npm ci$/m);
  const again = await init(
    folder,
    '--use',
    'comments',
    '--app-token',
    '--force',
    '--action',
    'acme/anode-ci',
  );
  expect(again.stdout.split('\n').slice(0, 5)).toEqual([
    'Wrote .github/workflows/anode-comments.yml',
    'Note: .github/anode.yml is there and was left as it is.',
    '',
    'Next:',
    '1. Add the secret ANODE_APP_KEY (the private key of your GitHub App): `gh secret set ANODE_APP_KEY`',
  ]);
});

test('with --app-token the setting counts only for two jobs, which keep the token of the job', async () => {
  const folder = await repository({ '.github/workflows/ci.yml': ci });
  const { stdout } = await init(
    folder,
    '--use',
    'issues,two-jobs',
    '--app-token',
    '--action',
    'acme/anode-ci',
  );
  expect(stdout.split('\n').filter((line) => /does not start|Turn on/.test(line))).toEqual([
    "Note: A commit of the bot does not start ci.yml. Give github_token of the job that publishes an App's token to change that (docs/workflows.md).",
    expect.stringMatching(/^\d\. Turn on .*: two-jobs cannot open one without it\.$/),
  ]);
});

const codex = `on:
  pull_request:
    types: [opened, synchronize]
jobs:
  codex:
    runs-on: ubuntu-24.04
    permissions:
      contents: read
      pull-requests: write
    steps:
      - name: Review
        uses: openai/codex-action@v1
        with:
          openai-api-key: \${{ secrets.OPENAI_API_KEY }}
          codex-args: '["--json"]'
`;

test('init --from translates a workflow beside it, and says what has no counterpart', async () => {
  const folder = await repository({ '.github/workflows/codex.yml': codex });
  const translated = `# Translated from codex.yml by anode init.
# Without a counterpart:
#   line 15: codex-args (["--json"]): Use the inputs, and \`config\` for everything else.
on:
  pull_request:
    types: [opened, synchronize]
jobs:
  codex:
    runs-on: ubuntu-24.04
    permissions:
      contents: read
      pull-requests: write
    timeout-minutes: 30
    steps:
      - name: Review
        uses: acme/anode-ci@v1
        with:
          openai_api_key: \${{ secrets.OPENAI_API_KEY }}
`;
  const from = ['--from', path.join(folder, '.github/workflows/codex.yml'), '--action', 'acme/anode-ci'];
  const dry = await init(folder, ...from, '--dry-run');
  expect([dry.code, dry.stdout, await written(folder)]).toEqual([0, translated, []]);
  expect(dry.stderr).toContain('\nNext:\n1. Check that these secrets exist: OPENAI_API_KEY.\n');
  const { code, stdout, stderr } = await init(folder, ...from);
  const target = '.github/workflows/anode-codex.yml';
  expect({ code, stdout: stdout.replaceAll(`${folder}/`, ''), stderr }).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: `Wrote ${target}
Without a counterpart:
  line 15: codex-args (["--json"]): Use the inputs, and \`config\` for everything else.
Changed:
  line 6: timeout-minutes: 30 was added.

Next:
1. Check that these secrets exist: OPENAI_API_KEY.
2. Compare ${target} with .github/workflows/codex.yml, and try it.
3. Remove .github/workflows/codex.yml then: both start for the same events.
`,
  });
  expect(await readFile(path.join(folder, target), 'utf8')).toBe(translated);
  const both = await init(folder, ...from, '--use', 'review');
  expect([both.code, both.stderr]).toEqual([
    2,
    expect.stringContaining('--from and --use exclude each other.'),
  ]);
});

test('init replaces no file that differs, and writes none beside it', async () => {
  const folder = await repository();
  await init(folder, '--use', 'review');
  const same = await init(folder, '--use', 'review');
  const review = path.join(folder, '.github/workflows/anode-review.yml');
  const first = await readFile(review, 'utf8');
  await writeFile(review, `${first}# mine\n`);
  const differs = await init(folder, '--use', 'review,checks');
  const files = await written(folder);
  const forced = await init(folder, '--use', 'review', '--force');
  expect({ same: same.stdout.split('\n')[0], differs, files, forced: forced.code }).toEqual({
    same: '.github/workflows/anode-review.yml is as it was.',
    differs: {
      code: 2,
      stdout: '',
      stderr:
        '.github/workflows/anode-review.yml is there with another text, so nothing was written. Replace with --force.\n',
    },
    files: ['?? .github/anode.yml', '?? .github/workflows/anode-review.yml'],
    forced: 0,
  });
  expect(await readFile(review, 'utf8')).toBe(first);
});

test('a workflow of ours for the same event is named', async () => {
  const own = ci.replace('run: make', 'uses: acme/anode-ci@v1');
  const folder = await repository({ '.github/workflows/old.yml': own, '.github/anode.yml': '{}\n' });
  const [, ...lines] = (await init(folder, '--use', 'checks')).stdout.split('\n');
  expect(lines.slice(0, 2)).toEqual([
    'Note: .github/anode.yml is there and was left as it is.',
    'Note: old.yml uses Anode CI on pull_request too. Two runs for one event cost twice.',
  ]);
});

test('chosen uses that start for the same comment or pull request are named', async () => {
  const noted = async (uses: string) =>
    (await init(await repository(), '--use', uses)).stdout
      .split('\n')
      .filter((line) => line.includes('start for the same'));
  expect([
    await noted('comments,keyless,review,checks'),
    await noted('comments,review,nightly,upkeep'),
  ]).toEqual([
    [
      'Note: comments, keyless start for the same issue_comment. Each of them runs, so keep one for each purpose.',
      'Note: review, checks start for the same pull_request. Each of them runs, so keep one for each purpose.',
    ],
    [],
  ]);
});

test('a failure in the middle leaves no file', async () => {
  const folder = await repository({ '.github/workflows': 'a file in the place of the folder\n' });
  const { code, stdout, stderr } = await init(folder, '--use', 'review');
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/^\S+anode-review\.yml cannot be read: /),
  ]);
  expect(await written(folder)).toEqual([]);
});

test('--dry-run prints the files and writes nothing', async () => {
  const folder = await repository();
  const { code, stdout, stderr } = await init(folder, '--use', 'review', '--model', 'groq/x', '--dry-run');
  expect([code, await written(folder)]).toEqual([0, []]);
  expect(stdout.split('\n').filter((line) => /^# \.github|^name:|model:|GROQ/.test(line))).toEqual([
    '# .github/workflows/anode-review.yml',
    'name: anode-review',
    '          model: groq/x',
    '          GROQ_API_KEY: ${{ secrets.GROQ_API_KEY }}',
    '# .github/anode.yml',
  ]);
  expect(stderr).toMatch(/^\nNext:\n1\. Replace OWNER[^\n]*\n2\. Add the secret ANODE_STATE_SECRET /);
});

test.for([
  [[], /^anode init: nobody answered, so nothing was written\. Give --use: review, comments, /],
  [['--use', 'reviw'], /there is no "reviw".* Did you mean review\?/],
  [['--use', 'review', '--provider', 'groq'], /groq has no default model: give --model groq\/NAME\./],
  [['--use', 'review', '--model', 'gpt'], /--model takes provider\/name, not "gpt"\./],
  [['--use', 'review', '--provider', 'openai', '--model', 'groq/x'], /contradict each other/],
  [['--use', 'review', '--action', 'x'], /--action takes OWNER\/NAME, not "x"\./],
  [['--use', 'review', '--ref', 'a b'], /--ref takes a tag or a commit, not "a b"\./],
] as const)('init %j is a usage error', async ([args, reason]) => {
  const folder = await repository();
  const { code, stdout, stderr } = await init(folder, ...args);
  expect([code, stdout, stderr, await written(folder)]).toEqual([2, '', expect.stringMatching(reason), []]);
});

test('outside a repository init says where to run it', async () => {
  const folder = await local.plainFolder({});
  const { code, stderr } = await init(folder, '--use', 'review');
  expect([code, stderr, await readdir(folder)]).toEqual([
    2,
    expect.stringContaining('Run it in a clone.'),
    [],
  ]);
});

/** `anode init` on a terminal at which these keys are typed when it asks. */
async function atTerminal(folder: string, keys: string) {
  const program = `"${process.execPath}" "${path.join(projectRoot, cliProgram)}" init`;
  const child = spawn('script', ['-qec', program, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TERM: 'xterm', HOME: local.home },
  });
  child.stdout.once('data', () => child.stdin.write(keys));
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, shown: stripVTControlCharacters(stdout).replaceAll('\r\n', '\n') };
}

test('at a terminal init asks for the uses, whose model it is, and its name where there is no default', async () => {
  const folder = await repository();
  await mkdir(path.join(folder, '.github'));
  const { code, shown } = await atTerminal(folder, 'review, 6\ngroq\nqwen/qwen3-32b\n');
  expect([code, shown.split('\n').filter((line) => /\?$|^Wrote/.test(line))]).toEqual([
    0,
    [
      'Which workflows do you want?',
      'Whose model?',
      'Which model of groq?',
      'Wrote .github/workflows/anode-review.yml',
      'Wrote .github/workflows/anode-checks.yml',
      'Wrote .github/anode.yml',
    ],
  ]);
  const review = await readFile(path.join(folder, '.github/workflows/anode-review.yml'), 'utf8');
  expect(review).toContain('          model: groq/qwen/qwen3-32b\n');
});

test('Ctrl-C at a question leaves nothing behind', async () => {
  const folder = await repository();
  const { code, shown } = await atTerminal(folder, '\x03');
  // 128 + SIGINT, as a shell reports it.
  expect([code, shown.includes('Wrote'), await written(folder)]).toEqual([130, false, []]);
});
