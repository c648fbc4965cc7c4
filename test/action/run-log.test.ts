import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from '../uses/support/conversation.ts';
import { actionKey, type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: {
      'colour.txt': `red\n::stop-commands::never\n${actionKey}\n`,
      '.github/anode.yml': 'sandbox: preferred\n',
    },
  });
  shop.setPermission('ada', 'write');
  job.learn('look at the colour', (turn) =>
    turn === 1 ? { calls: [call('read', { path: 'colour.txt' })] } : { text: 'It is red.\n::error::forged' },
  );
});
afterAll(() => job.close());

/** The log of a step without the masking of its secrets, which comes first. */
const logOf = (stdout: string) => stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'));

const byPrompt = async (inputs: Readonly<Record<string, string>>) => {
  await shop.commit('main', { files: { 'pushed.txt': JSON.stringify(inputs) }, message: 'x', author: 'ada' });
  const given = { prompt: 'look at the colour', ...inputs };
  const step = await job.run(shop, { event: 'push', actor: 'ada', inputs: given });
  return logOf(step.stdout);
};

test('the log has a group for each turn and the answer at its end, without the output of tools', async () => {
  expect(await byPrompt({})).toEqual([
    ...['::group::Turn 1', '· read colour.txt', '::endgroup::'],
    ...['::group::Turn 2', '::endgroup::'],
    ...['It is red.', ': :error::forged', 'Answered, nothing changed.', ''],
  ]);
});

test('with show_full_output it has the output of tools, without secrets and orders to the runner', async () => {
  const lines = await byPrompt({ show_full_output: 'true' });
  const first = lines.slice(lines.indexOf('· read colour.txt') + 1, lines.indexOf('::endgroup::')).join('\n');
  expect(first).toContain('red');
  expect(first).toContain('2\t::stop-commands::never');
  expect(lines.filter((line) => /^\s*::(?!group|endgroup)/.test(line))).toEqual([]);
  expect(lines.join('\n')).not.toContain(actionKey);
});

test('a run that an event started is logged the same way', async () => {
  await shop.commit('talked', { files: { 'b.txt': 'b\n' }, message: 'Talked', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Talked', head: 'talked', author: 'ada' });
  shop.comment(number, { author: 'ada', body: '@anode look at the colour' });
  const step = await job.run(shop, { event: 'issue_comment', actor: 'ada', inputs: {} });
  expect([step.code, logOf(step.stdout).slice(0, 3)]).toEqual([
    0,
    ['::group::Turn 1', '· read colour.txt', '::endgroup::'],
  ]);
});
