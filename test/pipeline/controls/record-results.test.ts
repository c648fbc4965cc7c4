import { expect, test } from 'vitest';
import { readAccounts } from '../../../src/app/read-accounts.ts';
import { statsCommand } from '../../../src/command-line/stats-command.ts';
import { handleEvent } from '../../../src/pipeline/worker.ts';
import { createFileStateStore } from '../../../src/state/file-state-store.ts';
import { latestEvent } from '../../support/latest-event.ts';
import {
  attempt,
  entryContext,
  folder,
  github,
  newestComment,
  startWorkerEdges,
} from '../../support/worker-fixture.ts';

startWorkerEdges(({ messages }) => {
  const edit = { name: 'edit_file', input: { path: 'colour.txt', old_str: 'red', new_str: 'blue' } };
  return messages.length === 1 ? { calls: [edit] } : { text: 'It is blue.' };
});

/** A pull request that a run committed to. */
async function painted(name: string) {
  const files = { 'colour.txt': 'red\n', '.github/anode.yml': 'review:\n  auto: false\n' };
  const repository = await github.createRepository(name, { files });
  repository.setPermission('ada', 'write');
  await repository.commit('work', { files: { 'a.txt': 'one\n' }, message: 'One', author: 'ada' });
  const { number } = await repository.openPullRequest({ title: 'One', head: 'work', author: 'ada' });
  repository.comment(number, { author: 'ada', body: '@anode paint it' });
  const entry = entryContext({ canAsk: true });
  await handleEvent(newestComment(null), attempt(1), entry);
  const closed = () => handleEvent(latestEvent(github, 'pull_request', 'closed', null), attempt(1), entry);
  return { repository, number, closed };
}

/** The stored results of a repository's runs. */
async function results(name: string) {
  const state = createFileStateStore({ folder: `${folder}/state`, secret: null, onRejected: () => {} });
  const accounts = await readAccounts(state, new Date(0));
  return accounts.filter((one) => one.repository === name).map((one) => one.result);
}

const findings = { fixed: 0, dismissed: 0, open: 0 };

test('a commit is kept by a merge, and reverted by the merge of its revert', async () => {
  const { repository, number, closed } = await painted('acme/kept');
  const open = await results('acme/kept');
  await repository.merge(number, { actor: 'ada' });
  await closed();
  const merged = await results('acme/kept');
  await repository.commit('undo', { files: { 'colour.txt': 'red\n' }, message: 'Revert', author: 'ada' });
  const body = `Reverts acme/kept#${number}`;
  const revert = await repository.openPullRequest({
    title: 'Revert "One"',
    body,
    head: 'undo',
    author: 'ada',
  });
  await repository.merge(revert.number, { actor: 'ada' });
  await closed();
  expect([open, merged, await results('acme/kept')]).toEqual([
    [null],
    [{ merged: true, commit: 'kept', findings }],
    [{ merged: true, commit: 'reverted', findings }],
  ]);
});

test('a commit is dropped by a force-push, and nothing of a closed pull request is accepted', async () => {
  const { repository, number, closed } = await painted('acme/dropped');
  await repository.forcePush('work', (await repository.git('rev-parse', 'work^')).trim(), 'ada');
  await repository.close(number, { actor: 'ada' });
  await closed();
  expect(await results('acme/dropped')).toEqual([{ merged: false, commit: 'dropped', findings }]);
});

test('a run that ends after its pull request was closed gets its result at once', async () => {
  const { repository, number, closed } = await painted('acme/late');
  const before = await results('acme/late');
  repository.comment(number, { author: 'ada', body: '@anode paint it again' });
  const asked = newestComment(null);
  await repository.merge(number, { actor: 'ada' });
  await closed();
  await handleEvent(asked, attempt(1), entryContext({ canAsk: true }));
  // A request after the end has no result.
  repository.comment(number, { author: 'ada', body: '@anode paint it once more' });
  await handleEvent(newestComment(null), attempt(1), entryContext({ canAsk: true }));
  expect([before, await results('acme/late')]).toEqual([
    [null],
    [{ merged: true, commit: 'kept', findings }, { merged: true, commit: null, findings }, null],
  ]);
});

test('the command prints cost and results of each repository', async () => {
  const { repository, number, closed } = await painted('acme/counted');
  await repository.merge(number, { actor: 'ada' });
  await closed();
  let printed = '';
  const context = {
    environment: { ANODE_DATA_DIR: folder },
    write: (text: string) => {
      printed += text;
    },
  };
  const run = (...args: string[]) => statsCommand(args, context as never);
  const codes = [await run('--json', '--by', 'repository'), await run('--by', 'verb', '--days', '1')];
  const [json = '', table = ''] = printed.split(/(?<=^\])\n/mu);
  const [counted] = JSON.parse(json).filter(
    ({ group }: { group: { repository: string } }) => group.repository === 'acme/counted',
  );
  expect([codes, counted, table.split('\n')[0]]).toEqual([
    [0, 0],
    {
      group: { repository: 'acme/counted' },
      runs: 1,
      ...{ cost_usd: expect.any(Number), unpriced: 0, tokens: expect.any(Number) },
      ...{ accepted: 1, rejected: 0, open: 0, findings },
      cost_per_accepted: counted.cost_usd,
    },
    'verb  runs   cost  accepted  rejected  open  fixed  dismissed  per accepted',
  ]);
  await expect(run('--by', 'colour')).rejects.toMatchObject({
    message:
      'anode stats: --by takes repository, model, profile, verb, and not colour.\nHelp: anode help stats',
  });
});
