import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let strict: RepositoryHandle;
let careful: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  const withPreset = async (preset: string) => {
    const config = `permissions: { preset: ${preset} }\nsandbox: preferred\n`;
    const files = { 'colour.txt': 'red\n', '.github/anode.yml': config };
    const repository = await job.github.createRepository(`acme/${preset}`, { files });
    repository.setPermission('ada', 'write');
    return repository;
  };
  [strict, careful] = await Promise.all([withPreset('strict'), withPreset('careful')]);
  job.learn('paint it', (turn, request) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: lastResults(request) },
  );
});
afterAll(() => job.close());

/** A comment that asks for an edit, as a workflow with these inputs takes it. */
async function paint(repository: RepositoryHandle, branch: string, inputs: Readonly<Record<string, string>>) {
  await repository.commit(branch, { files: { [`${branch}.txt`]: 'a\n' }, message: branch, author: 'ada' });
  const head = await repository.head(branch);
  const { number } = await repository.openPullRequest({ title: branch, head: branch, author: 'ada' });
  repository.comment(number, { author: 'ada', body: '@anode paint it' });
  const step = await job.run(repository, { event: 'issue_comment', actor: 'ada', inputs });
  const ledger = await readFile(step.outputs.execution_file ?? '', 'utf8');
  return {
    refused: ledger.includes('"type":"refusal"'),
    pushed: (await repository.head(branch)) !== head,
    logged: step.stdout.split('\n').filter((line) => line.includes('permissions.preset')).length,
    says: /permissions\.preset: .*/.exec(step.stdout)?.[0] ?? null,
  };
}

test('the preset of the base branch applies if the workflow sets none', async () => {
  expect(await paint(strict, 'unset', {})).toEqual({ refused: true, pushed: false, logged: 0, says: null });
});

test('a looser input does not override the base branch, and the log says so', async () => {
  expect(await paint(strict, 'looser', { preset: 'careful' })).toEqual({
    ...{ refused: true, pushed: false, logged: 1 },
    says: 'permissions.preset: strict applies, as the configuration says; it is stricter than the input preset: careful.',
  });
});

test('a stricter input overrides the base branch, and the log says so', async () => {
  expect(await paint(careful, 'stricter', { preset: 'strict' })).toEqual({
    ...{ refused: true, pushed: false, logged: 1 },
    says: "permissions.preset: strict applies, as the input preset says; it is stricter than the configuration's careful.",
  });
});

test('a step with a prompt is restricted by the default branch in the same way', async () => {
  const step = { event: 'push', actor: 'ada', inputs: { prompt: 'paint it' } };
  await strict.commit('main', { files: { 'p.txt': 'p\n' }, message: 'Push', author: 'ada' });
  await careful.commit('main', { files: { 'p.txt': 'p\n' }, message: 'Push', author: 'ada' });
  const unset = await job.run(strict, step);
  const looser = await job.run(strict, { ...step, inputs: { ...step.inputs, preset: 'yolo' } });
  expect([unset, looser].map(({ code, status }) => ({ code, status }))).toEqual([
    { code: 0, status: '' },
    { code: 0, status: '' },
  ]);
  expect(looser.stdout).toContain(
    '::warning::permissions.preset: strict applies, as the configuration says; it is stricter than the input preset: unrestricted.',
  );
  expect(unset.stdout).not.toContain('permissions.preset');
});
