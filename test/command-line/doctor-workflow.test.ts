import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workflowRules } from '../../src/workflow-files/check-workflow.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
let folder: string;
beforeAll(async () => {
  local = await startLocal();
  folder = await local.checkout({ 'a.txt': 'red\n' });
  await mkdir(path.join(folder, '.github/workflows'), { recursive: true });
});
afterAll(() => local.close());

const clean = `on:
  issue_comment:
    types: [created]
permissions: {}
jobs:
  anode:
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    permissions: { contents: write, issues: write, pull-requests: write }
    steps:
      - uses: OWNER/anode-ci@v1
        with:
          anthropic_api_key: \${{ secrets.ANTHROPIC_API_KEY }}
`;

/** Writes workflows by name and checks `anode.yml` by the command line. */
async function doctor(files: Readonly<Record<string, string>>, ...args: string[]) {
  for (const [name, text] of Object.entries(files))
    await writeFile(path.join(folder, '.github/workflows', name), text);
  const { code, stdout, stderr } = await local.anode(folder, [
    ...['doctor', '--workflow', '.github/workflows/anode.yml'],
    ...args,
  ]);
  return { code, stdout, stderr };
}

test('a workflow without mistakes ends with exit code 0', async () => {
  expect(await doctor({ 'anode.yml': clean })).toEqual({
    code: 0,
    stdout: 'ok      .github/workflows/anode.yml: no mistakes found.\n',
    stderr: '',
  });
});

test('an unsafe workflow ends with exit code 1, with lines and remedies', async () => {
  const wide = clean.replace('{ contents: write, issues: write, pull-requests: write }', 'write-all');
  expect(await doctor({ 'anode.yml': wide })).toEqual({
    code: 1,
    stdout: `.github/workflows/anode.yml:9: error: The token of the job anode may write everything. [permission-too-wide]
    A mistake in any step can then change releases, packages, settings of deployments and more. Write:
      permissions:
        checks: read
        contents: write
        issues: write
        pull-requests: write

1 error, 0 warnings in .github/workflows/anode.yml.
`,
    stderr: '',
  });
});

test('an identity token is unused where the configuration has commits signed with a key', async () => {
  const signing = clean.replace('pull-requests: write', 'pull-requests: write, id-token: write');
  const config = path.join(folder, '.github/anode.yml');
  const bySetting = async (text: string) => {
    await writeFile(config, text);
    return (await doctor({ 'anode.yml': signing })).stdout.split(' Write:')[0];
  };
  const fine = 'ok      .github/workflows/anode.yml: no mistakes found.\n';
  expect([
    (await doctor({ 'anode.yml': signing })).stdout,
    await bySetting('commit: { attestation: keyless }\n'),
    await bySetting('commit: { attestation: key }\n'),
    await bySetting('commit: ['),
  ]).toEqual([
    fine,
    fine,
    `.github/workflows/anode.yml:9: warning: The token of the job anode has id-token: write. [permission-too-wide]
    No step of this job uses it.`,
    fine,
  ]);
  await rm(config);
});

test("another workflow that the bot's commits do not start gives a warning", async () => {
  const files = {
    'anode.yml': clean,
    'ci.yml': 'on: push\njobs: { a: { runs-on: x, steps: [{ run: make }] } }\n',
    'broken.yml': 'on: [push\n',
    'nightly.yml': 'on: schedule\njobs: { a: { runs-on: x, steps: [{ run: make }] } }\n',
  };
  const { code, stdout } = await doctor(files, '--output', 'json');
  expect([
    code,
    JSON.parse(stdout).map(({ rule, what }: { rule: string; what: string }) => [rule, what]),
  ]).toEqual([0, [['commit-starts-no-ci', 'A commit of the bot does not start ci.yml.']]]);
});

test('a missing file, or one that is no workflow, is a configuration error', async () => {
  const missing = await local.anode(folder, ['doctor', '--workflow', 'none.yml']);
  const wrong = await local.anode(folder, ['doctor', '--workflow', 'a.txt']);
  expect([missing, wrong].map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual([
    [2, '', 'none.yml cannot be read: there is no such file.\n'],
    [2, '', 'a.txt is no workflow: it needs `on:` and `jobs:`.\n'],
  ]);
});

test('the documentation lists each rule', async () => {
  const text = await readFile('docs/workflows.md', 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, rule]) => rule);
  expect(rows).toEqual(workflowRules.map(({ name }) => name));
});
