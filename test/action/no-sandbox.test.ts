import { symlink, writeFile } from 'node:fs/promises';
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

test.for([
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
] as const)('a runner with %s is told which kind of runner to use', async ([platform, name]) => {
  const other = `Object.defineProperty(process, 'platform', { value: '${platform}' })`;
  const { code, stdout, stderr, summary } = await run(
    shop,
    { prompt: 'never asked of the model' },
    { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(other)}` },
  );
  const told = `Anode CI runs on Linux, and this runner has ${name}. Give the step a job of its own with \`runs-on: ubuntu-24.04\`.`;
  const isTold = summary.startsWith(`**Failed.** ${told}`);
  expect({ code, stdout: stdout.trimEnd(), stderr, isTold }).toEqual({
    ...{ code: 1, stdout: `::error::${told}`, stderr: '', isTold: true },
  });
});
