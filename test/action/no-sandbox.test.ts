import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
let careful: RepositoryHandle;
/** A folder of programs without the sandbox's. */
let programs: string;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', { files: { 'colour.txt': 'red\n' } });
  careful = await job.github.createRepository('acme/careful', {
    files: { 'colour.txt': 'red\n', '.github/anode.yml': 'sandbox: required\n' },
  });
  for (const one of [shop, careful]) {
    one.setPermission('ada', 'write');
    await one.commit('main', { files: { 'b.txt': 'b\n' }, message: 'Push', author: 'ada' });
  }
  programs = await job.stateFolder();
  for (const name of ['git', 'bash', 'cat']) await symlink(`/usr/bin/${name}`, path.join(programs, name));
});
afterAll(() => job.close());

const paint = call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' });

/** Runs a step on a runner without bubblewrap. */
const run = (repository: RepositoryHandle, inputs: Readonly<Record<string, string>>, more = {}) =>
  job.run(repository, {
    ...{ event: 'push', actor: 'ada', environment: { PATH: programs, ...more } },
    inputs,
  });

test('a run without a sandbox edits without commands, and log and report say so', async () => {
  job.learn('paint without commands', (turn) => (turn === 1 ? { calls: [paint] } : { text: 'It is blue.' }));
  const { code, outputs, status, stdout, summary } = await run(shop, { prompt: 'paint without commands' });
  const why = 'This run has no sandbox. It is not available: `bwrap` (bubblewrap) is not installed.';
  const effect = 'So it has no tool that runs commands: it reads, edits and reviews.';
  expect({
    ...{ code, conclusion: outputs.conclusion, status },
    commands: job
      .requestsFor('paint without commands')[0]
      ?.tools.filter(({ name }) => /bash|shell/.test(name)),
    log: [why, effect, 'apt-get install bubblewrap'].map((text) => stdout.includes(text)),
    report: [why, effect].map((text) => visible(summary).includes(text)),
  }).toEqual({
    ...{ code: 0, conclusion: 'success', status: ' M colour.txt\n' },
    commands: [],
    log: [true, true, true],
    report: [true, true],
  });
});

test('a job in a container that permits no user namespaces goes on without commands', async () => {
  job.learn('paint in a container', (turn) => (turn === 1 ? { calls: [paint] } : { text: 'It is blue.' }));
  // The container permits as much: everything but a further user namespace.
  const node = path.join(await job.stateFolder(), 'node');
  const within = `exec bwrap --dev-bind / / --unshare-user --disable-userns -- '${process.execPath}' "$@"`;
  await writeFile(node, `#!/bin/sh\n${within}\n`, { mode: 0o755 });
  const { code, outputs, status, summary } = await job.run(shop, {
    ...{ event: 'push', actor: 'ada', node, inputs: { prompt: 'paint in a container' } },
  });
  const commands = job
    .requestsFor('paint in a container')[0]
    ?.tools.filter(({ name }) => /bash|shell/.test(name));
  expect({ code, conclusion: outputs.conclusion, status, commands }).toEqual({
    ...{ code: 0, conclusion: 'success', status: ' M colour.txt\n', commands: [] },
  });
  expect(visible(summary)).toMatch(/This run has no sandbox\. .*User namespaces are switched off/);
});

test.for<[string, () => RepositoryHandle, Readonly<Record<string, string>>]>([
  ['the input', () => shop, { sandbox: 'required' }],
  ['the configuration', () => careful, {}],
])('a sandbox that %s requires still stops the run before its first turn', async ([, where, inputs]) => {
  const { code, outputs, stdout } = await run(where(), { prompt: 'never asked of the model', ...inputs });
  expect({ code, conclusion: outputs.conclusion, asked: job.requestsFor('never asked') }).toEqual({
    code: 1,
    conclusion: 'failure',
    asked: [],
  });
  expect(stdout).toMatch(
    /::error::This run requires a sandbox, and `bwrap` .* is not installed\. Install it/,
  );
});

test('a self-hosted runner without a sandbox names the input that prepares one', async () => {
  job.learn('paint it yourself', () => ({ text: 'Nothing to paint.' }));
  const { stdout } = await run(shop, { prompt: 'paint it yourself' }, { RUNNER_ENVIRONMENT: 'self-hosted' });
  expect(stdout).toMatch(/^::warning::There is no sandbox: .*`sandbox_setup: true` permits it\. Install it/m);
});

const otherPlatforms = [
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
] as const;
const problemOn = (name: string) =>
  `Anode CI runs on Linux, and this runner has ${name}. Give the step a job of its own with \`runs-on: ubuntu-24.04\`.`;

/** Makes Node claim to be on another platform. */
const onPlatform = (platform: string) => {
  const other = `Object.defineProperty(process, 'platform', { value: '${platform}' })`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(other)}` };
};

test.for(otherPlatforms)('a runner with %s is told which kind of runner to use', async ([platform, name]) => {
  const { code, stdout, stderr, summary } = await run(
    shop,
    { prompt: 'never asked of the model' },
    onPlatform(platform),
  );
  const isTold = summary.startsWith(`**Failed.** ${problemOn(name)}`);
  const errors = stdout.split(/\r?\n/).filter((line) => line.startsWith('::error::'));
  expect({ code, errors, stderr, isTold }).toEqual({
    ...{ code: 1, errors: [`::error::${problemOn(name)}`], stderr: '', isTold: true },
  });
});

test.for(otherPlatforms)('on %s the checks look at a pull request without a model', async ([
  platform,
  name,
]) => {
  const files = {
    'colour.txt': '<<<<<<< ours\nred\n=======\nblue\n>>>>>>> theirs\n',
    'logo.bin': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]),
    'package.json': '{ "scripts": { "postinstall": "node x.js" } }\n',
  };
  await shop.commit(platform, { files, message: 'Change', author: 'ada' });
  await shop.openPullRequest({ title: 'Change', head: platform, author: 'ada' });
  const from = job.github.requests.length;
  const step = await job.run(shop, {
    ...{ event: 'pull_request', actor: 'ada', inputs: { fail_on: 'high' } },
    environment: onPlatform(platform),
  });
  const { conclusion, findings_count, sarif_file = '' } = step.outputs;
  const sarif: unknown = JSON.parse(await readFile(sarif_file, 'utf8'));
  const writes = job.github.requests
    .slice(from)
    .filter(({ kind, method }) => kind === 'rest' && method !== 'GET');
  expect({ code: step.code, stderr: step.stderr, conclusion, findings_count, writes }).toEqual({
    ...{ code: 1, stderr: '', conclusion: 'success', findings_count: '3', writes: [] },
  });
  expect(visible(step.summary)).toContain(`${problemOn(name)} The pull request is reviewed by the checks`);
  expect(step.stdout).toContain('3 open findings');
  expect(
    JSON.stringify(sarif)
      .match(/"ruleId":"[^"]+"/g)
      ?.toSorted(),
  ).toEqual(['conflicts', 'files', 'lifecycle'].map((name) => `"ruleId":"check/${name}"`));
});
