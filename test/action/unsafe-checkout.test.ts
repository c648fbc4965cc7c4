import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseUnsafeCheckout } from '../../action/unsafe-checkout.ts';
import { ConfigError } from '../../src/contract/errors.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

const git = (cwd: string, ...args: string[]) =>
  promisify(execFile)('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com', ...args], { cwd });

let job: Job;
let shop: RepositoryHandle;
let fork: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', { files: { 'a.txt': 'red\n' } });
  shop.setPermission('ada', 'write');
  fork = await shop.fork('rex');
  await fork.commit('side', { files: { 'b.txt': 'one\n' }, message: 'Side', author: 'rex' });
  await shop.openPullRequest({ title: 'Side', head: 'side', author: 'rex', headRepository: fork });
  job.learn('Review the changes', () => ({ text: 'Nothing to say.' }));
});
afterAll(() => job.close());

/** A folder with a checkout in it, made by git commands. */
async function checkout(...commands: readonly (readonly string[])[]): Promise<string> {
  const workspace = await job.stateFolder();
  await git(workspace, 'clone', '-q', shop.cloneUrl, 'code');
  const code = path.join(workspace, 'code');
  await git(code, 'fetch', '-q', fork.cloneUrl, 'side');
  for (const command of commands) await git(code, ...command);
  return workspace;
}

const event = (eventName: string) => ({ eventName, payload: job.github.lastEventPayload('pull_request') });
const refused = async (eventName: string, workspace: string) => {
  try {
    await refuseUnsafeCheckout({ ...event(eventName), payload: payload(), workspace });
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};
const payload = () =>
  job.github.lastEventPayload('pull_request') as Parameters<typeof refuseUnsafeCheckout>[0]['payload'];

test('a checkout of a fork’s head in a job with secrets is refused, also as merge or ancestor', async () => {
  const sha = (await fork.head('side')) ?? '';
  const why = `This pull_request_target job checked out a fork's head (${sha.slice(0, 12)} in code), although it has secrets and a token that may write. Any step that runs that code hands them over, so nothing was started. Remove \`ref:\` from the step actions/checkout, or the whole step: a review reads the pull request by itself. To run the code, use \`pull_request\`, whose jobs have no secrets for a fork.`;
  const merge = ['merge', '-q', '--no-ff', '-m', 'Merge', 'FETCH_HEAD'];
  const later = ['commit', '-q', '--allow-empty', '-m', 'Later'];
  expect([
    await refused('pull_request_target', await checkout(['checkout', '-q', 'FETCH_HEAD'])),
    await refused('pull_request_target', await checkout(merge)),
    await refused('pull_request_target', await checkout(merge, later)),
    await refused('pull_request_target', await checkout()),
    await refused('pull_request_target', await job.stateFolder()),
    await refused('pull_request', await checkout(['checkout', '-q', 'FETCH_HEAD'])),
  ]).toEqual([why, why, why, null, null, null]);
});

test('pull_request_target reviews a fork’s pull request from the base branch alone', async () => {
  const step = await job.run(shop, {
    ...{ event: 'pull_request_target', actor: 'rex', inputs: {}, payload: payload() },
  });
  const [report] = shop.comments(payload().number as number);
  expect([step.code, step.stderr, step.outputs.conclusion, report?.author]).toEqual([
    ...[0, '', 'success', 'github-actions[bot]'],
  ]);
});

test('a job that checked out the head ends before it uses a key, and names the remedy', async () => {
  const workspace = await checkout(['checkout', '-q', 'FETCH_HEAD']);
  const from = job.github.requests.length;
  const step = await job.run(shop, {
    ...{ event: 'pull_request_target', actor: 'rex', inputs: {}, payload: payload() },
    environment: { GITHUB_WORKSPACE: workspace },
  });
  const asked = job.github.requests.slice(from).filter(({ kind }) => kind !== 'git');
  expect([step.code, step.stderr, asked]).toEqual([1, '', []]);
  expect(step.stdout).toContain("::error::This pull_request_target job checked out a fork's head");
});
