import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';

const config = 'permissions:\n  onAsk: comment\n  rules:\n    - { tool: create_file, action: ask }\n';
const secret = 'a secret of the state of a workflow';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'README.md': '# Shop\n', '.github/anode.yml': config },
  });
  shop.setPermission('ada', 'write');
  job.learn('make the file', (turn, request) =>
    turn === 1
      ? { calls: [call('create_file', { path: 'new.txt', content: 'honest\n' })] }
      : { text: lastResults(request) },
  );
});
afterAll(() => job.close());

/** A run of one job that waits, and what a later job makes of the approval. */
async function approve(branch: string, forge: boolean) {
  await shop.commit(branch, { files: { [`${branch}.txt`]: 'a\n' }, message: branch, author: 'ada' });
  const { number } = await shop.openPullRequest({ title: branch, head: branch, author: 'ada' });
  const step = { event: 'issue_comment', actor: 'ada' };
  const state = await job.stateFolder();
  const inputs = { state_dir: state, state_secret: secret };
  shop.comment(number, { author: 'ada', body: '@anode make the file' });
  const waiting = await job.run(shop, { ...step, inputs });
  const asked = shop.comments(number).find(({ body }) => body.includes('anode:approval'))?.body ?? '';
  const hash = /approve ([0-9a-f]{16})/.exec(asked)?.[1] ?? '';
  if (forge) await job.forge(state, 'honest', 'forged');
  shop.comment(number, { author: 'ada', body: `/anode approve ${hash}` });
  const after = await job.run(shop, { ...step, inputs });
  return {
    conclusions: [waiting.outputs.conclusion, after.outputs.conclusion],
    said: visible(shop.comments(number).at(-1)?.body ?? '').replaceAll(hash, 'HASH'),
    text: await shop.git('show', `${branch}:new.txt`).catch(() => null),
  };
}

test('an approval in a later job runs the call that the signed state contains', async () => {
  expect(await approve('signed', false)).toEqual({
    conclusions: ['waiting', 'success'],
    said: expect.stringContaining('`create_file new.txt` (`HASH`): approved by `ada`'),
    text: 'honest',
  });
});

test('state that was changed on the way contains nothing to approve', async () => {
  expect(await approve('changed', true)).toEqual({
    conclusions: ['waiting', 'refused'],
    said: 'Nothing with the hash `HASH` waits for approval on this thread.',
    text: null,
  });
});
