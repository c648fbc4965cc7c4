import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  const files = { 'a.c': 'int a;\n', '.github/anode.yml': 'sandbox: preferred\n' };
  shop = await job.github.createRepository('acme/shop', { files });
  shop.setPermission('ada', 'write');
});
afterAll(() => job.close());

async function openMarked(branch: string): Promise<void> {
  await shop.commit(branch, { files: { 'b.c': '>>>>>>> x\n' }, message: branch, author: 'ada' });
  await shop.openPullRequest({ title: branch, head: branch, author: 'ada' });
}

const review = (branch: string, inputs: Readonly<Record<string, string>>) =>
  job.run(shop, {
    ...{ event: 'pull_request', actor: 'ada', branch },
    inputs: { checks_only: 'true', ...inputs },
  });

const errors = (stdout: string) => stdout.split('\n').filter((line) => line.startsWith('::error::'));

test('an open finding of the severity in fail_on fails the step, and the outputs are set', async () => {
  await openMarked('failing');
  const step = await review('failing', { fail_on: 'high' });
  expect({ code: step.code, errors: errors(step.stdout), outputs: step.outputs }).toMatchObject({
    code: 1,
    errors: [
      '::error::1 open finding of severity high or more (the input fail_on, or review.failOn).%0Ahigh: b.c:1: A conflict marker is left',
    ],
    outputs: { conclusion: 'success', findings_count: '1', needs_input: 'false' },
  });
});

test('a less severe finding fails nothing', async () => {
  await openMarked('passing');
  const step = await review('passing', { fail_on: 'critical' });
  expect([step.code, errors(step.stdout), step.outputs.findings_count]).toEqual([0, [], '1']);
});

test('a folder of state_dir in the checkout is refused, also behind a link', async () => {
  await openMarked('stateful');
  for (const linked of [false, true]) {
    const step = await job.run(shop, {
      ...{ event: 'pull_request', actor: 'ada', branch: 'stateful' },
      async checkout(folder) {
        await promisify(execFile)('git', ['clone', '-q', '-b', 'stateful', shop.cloneUrl, folder]);
        if (linked) await symlink('.', path.join(folder, 'outside'));
      },
      inputs: { checks_only: 'true', state_dir: linked ? 'outside/state' : 'state' },
    });
    const named = linked ? 'outside/state' : 'state';
    expect([step.code, errors(step.stdout), step.outputs.conclusion]).toEqual([
      1,
      [
        `::error::The input state_dir: ${named} lies in the checkout, which a pull request brings and the agent reads. Name a folder outside it, such as one below runner.temp.`,
      ],
      'failure',
    ]);
  }
});
