import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: {
      'colour.txt': 'red\n',
      'ci/strict.yml': 'permissions: { preset: strict }\n',
      '.github/anode.yml': 'sandbox: preferred\npermissions: { preset: careful }\n',
    },
  });
  shop.setPermission('ada', 'write');
  job.learn('paint it', (turn, request) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: lastResults(request) },
  );
});
afterAll(() => job.close());

async function paint(inputs: Readonly<Record<string, string>>, branch = 'main') {
  await shop.commit('main', { files: { 'pushed.txt': JSON.stringify(inputs) }, message: 'x', author: 'ada' });
  const given = { prompt: 'paint it', ...inputs };
  const step = await job.run(shop, { event: 'push', actor: 'ada', branch, inputs: given });
  const errors = step.stdout.split('\n').filter((line) => line.startsWith('::error::'));
  return { code: step.code, painted: step.status !== '', errors };
}

test.each([
  ['permissions: { preset: strict }', false],
  ['permissions: { preset: unrestricted }', true],
  ['ci/strict.yml', false],
])('a configuration of the workflow holds where it is stricter: %s', async (config, painted) => {
  expect(await paint({ config })).toEqual({ code: 0, painted, errors: [] });
});

test('an input of its own is stronger than the configuration of the workflow', async () => {
  const step = await paint({ config: 'permissions: { preset: careful }', preset: 'strict' });
  expect(step).toEqual({ code: 0, painted: false, errors: [] });
});

test.each([
  [
    'permisions: { preset: strict }',
    /^::error::the input config:1:1: unknown key permisions\. Did you mean permissions\?/,
  ],
  ['providers: { openai: { baseUrl: "http://127.0.0.1" } }', /the input config: providers cannot be set/],
  ['ci/none.yml', /^::error::The input config: the branch main has no file ci\/none\.yml\./],
])('a configuration that cannot be used starts nothing: %s', async (config, message) => {
  const { code, painted, errors } = await paint({ config });
  expect([code, painted, errors.length]).toEqual([1, false, 1]);
  expect(errors[0]).toMatch(message);
});

test('a file of the checkout does not count', async () => {
  const files = { 'ci/strict.yml': 'permissions: { preset: unrestricted }\n' };
  await shop.commit('head', { files, message: 'Loosen', author: 'ada' });
  expect(await paint({ config: 'ci/strict.yml' }, 'head')).toEqual({ code: 0, painted: false, errors: [] });
});

test('the advice after a limit names the input that set it', async () => {
  await shop.commit('main', { files: { 'pushed.txt': 'limit' }, message: 'x', author: 'ada' });
  const inputs = { prompt: 'paint it', max_turns: '1' };
  const step = await job.run(shop, { event: 'push', actor: 'ada', inputs });
  expect([step.outputs.conclusion, step.summary]).toEqual([
    'limit',
    expect.stringContaining('or raise the input `max_turns` of the workflow.'),
  ]);
});
