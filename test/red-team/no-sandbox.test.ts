import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import type { ScriptedCall, ScriptedRequest } from '../support/model/script.ts';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { modelKey, type Part, type Stage, startStage } from '../uses/support/start-app.ts';
import { actionKey, type Job, startJob } from '../uses/support/start-job.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

/** All that a configuration can open. */
const open = (sandbox: string) =>
  [
    'review: { auto: false }',
    `sandbox: ${sandbox}`,
    'permissions:',
    '  preset: unrestricted',
    '  rules: [{ tool: "*", action: allow }]',
    'profiles: { craft: { allow: ["*"] } }',
  ].join('\n');

/** Reads what the process that serves the run was started with; judged as reading by its words. */
const spy = 'cat /proc/$PPID/environ';

/** A call of each tool that starts programs, by every name that a model may know it by. */
const starting: readonly ScriptedCall[] = [
  call('bash', { command: spy }),
  call('Bash', { command: 'cat colour.txt' }),
  call('run_shell_command', { command: spy }),
  call('use_tool', { name: 'bash', args: { command: spy } }),
  call('batch', { calls: [{ tool: 'bash', input: { command: spy } }] }),
  call('shell_session', { action: 'open', command: spy }),
  call('init_experiment', { name: 'a', primary_metric: 'ms', direction: 'lower', command: spy }),
  call('run_experiment', { command: spy }),
  call('log_experiment', { status: 'keep', description: 'a' }),
  call('task', { description: 'spy', prompt: 'a child that looks around' }),
];

const none = 'This run has no sandbox, so nothing can be run in it.';
const warning =
  /This run has no sandbox\. .+ So it has no tool that runs commands: it reads, edits and reviews\./;

/** Tries all of them, then reads and edits, and answers. */
const part: Part = (turn) => {
  if (turn === 1) return { calls: [...starting] };
  if (turn === 2)
    return {
      calls: [
        call('read', { path: 'colour.txt' }),
        call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' }),
      ],
    };
  return { text: 'It is blue.' };
};

/** A child is told no more than its parent. */
const childPart: Part = (turn) =>
  turn === 1 ? { calls: [call('bash', { command: spy })] } : { text: 'I could not look.' };

/** What the model was offered and told over a run. */
function seen(requests: readonly ScriptedRequest[], key: string) {
  const offered = requests.flatMap(({ tools }) => tools.map(({ name }) => name));
  const [, refused, changed] = requests;
  return {
    offered: offered.filter((name) => /bash|shell|experiment|python/.test(name)),
    refusals: refused === undefined ? 0 : lastResults(refused).split(none).length - 1,
    advised: requests[0]?.system.includes('There is no sandbox here, so nothing can be run') ?? false,
    changed: changed !== undefined && lastResults(changed).includes('colour.txt'),
    leaked: requests.some((request) => allTextOf(request).includes(key)),
  };
}
const nothing = { offered: [], refusals: 9, advised: true, changed: true, leaked: false };

let folder: string;
let stage: Stage;
let job: Job;
let local: Local;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-bare-'));
  const programs = path.join(folder, 'bin');
  await mkdir(programs);
  for (const name of ['git', 'bash', 'cat', 'env'])
    await symlink(`/usr/bin/${name}`, path.join(programs, name));
  [stage, job, local] = await Promise.all([startStage({ PATH: programs }), startJob(), startLocal()]);
  for (const world of [stage, job, local]) {
    world.learn('a child that looks around', childPart);
    world.learn('paint it', part);
  }
});
afterAll(async () => {
  await Promise.all([stage.close(), job.close(), local.close()]);
  await rm(folder, { recursive: true, force: true });
});

const PATH = () => path.join(folder, 'bin');

async function shopOf({ createRepository }: Stage['github'], sandbox: string): Promise<RepositoryHandle> {
  const shop = await createRepository(`acme/${sandbox}`, {
    files: { 'colour.txt': 'red\n', '.github/anode.yml': open(sandbox) },
  });
  shop.setPermission('ada', 'write');
  return shop;
}

test('the App without a sandbox has no tool that starts programs, reports that, and still edits', async () => {
  const shop = await shopOf(stage.github, 'preferred');
  await shop.commit('topic', { files: { 'b.txt': 'b\n' }, message: 'Topic', author: 'ada' });
  const pull = await shop.openPullRequest({ title: 'Topic', head: 'topic', author: 'ada' });
  const { id } = shop.comment(pull.number, { author: 'ada', body: '@anode paint it' });
  const report = await stage.report(shop, pull.number, id);
  expect(report).toMatch(warning);
  expect(seen(stage.requestsFor('paint it'), modelKey)).toEqual(nothing);
  const ofChild = seen(stage.requestsFor('a child that looks around'), modelKey);
  expect(ofChild).toEqual({ ...nothing, refusals: 1, changed: false });
  expect((await shop.git('show', 'topic:colour.txt')).trim()).toBe('blue');
});

/** A step with one of the modes, on a runner that can have no sandbox. */
async function step(sandbox: string) {
  const shop = await shopOf(job.github, sandbox);
  await shop.commit('main', { files: { 'b.txt': 'b\n' }, message: 'Push', author: 'ada' });
  const before = job.requestsFor('paint it').length;
  const { summary, status } = await job.run(shop, {
    ...{ event: 'push', actor: 'ada', environment: { PATH: PATH() } },
    inputs: { prompt: 'paint it', sandbox },
  });
  const requests = job.requestsFor('paint it').slice(before);
  return {
    told: warning.test(summary),
    edited: status.includes(' M colour.txt'),
    ...seen(requests, actionKey),
  };
}
const ofStep = { ...nothing, told: true, edited: true };

test('a step whose preferred sandbox is unavailable has no such tool either', async () => {
  expect(await step('preferred')).toEqual(ofStep);
});

test('a step that switched the sandbox off has no such tool either', async () => {
  expect(await step('off')).toEqual(ofStep);
});

test('a local user learns of the option that gives these tools back', async () => {
  const checkout = await local.checkout({ 'colour.txt': 'red\n' });
  const environment = { PATH: PATH() };
  local.learn('look here', (turn) =>
    turn === 1 ? { calls: [call('bash', { command: 'cat colour.txt' })] } : { text: 'Looked.' },
  );
  const run = (...args: string[]) =>
    local.anode(checkout, ['run', '--prompt', 'look here', ...args], { environment });
  const use = (...args: string[]) =>
    local.anode(checkout, ['tools', 'use', 'bash', '--arg', 'command=cat colour.txt', ...args], {
      environment,
    });
  const results = () => local.requestsFor('look here').slice(-1).map(lastResults).join();
  const bare = await run();
  expect([bare.stderr, results()]).toEqual([
    expect.stringContaining(
      '`--sandbox off` has it run them as your user, with your files and your network.',
    ),
    expect.stringContaining(none),
  ]);
  const chosen = await run('--sandbox', 'off');
  expect([chosen.code, results()]).toEqual([0, 'red']);
  const refused = await use('--allow-non-read');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('no sandbox')]);
  const used = await use('--allow-non-read', '--sandbox', 'off');
  expect([used.code, used.stdout]).toEqual([0, 'red\n']);
});
