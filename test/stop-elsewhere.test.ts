import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OpenRun } from '../src/contract/open-run.ts';
import { stateKeys } from '../src/contract/state-keys.ts';
import { tenantOfKey } from '../src/contract/state-store.ts';
import { createOctokit } from '../src/github/create-octokit.ts';
import { createActiveRuns } from '../src/pipeline/context/active-runs.ts';
import { handleClick } from '../src/pipeline/controls/handle-click.ts';
import { readControls, startControls } from '../src/reporting/controls/controls-comment.ts';
import { repositoryState } from '../src/state/repository-state.ts';
import { latestEvent } from './support/latest-event.ts';
import { manualClock } from './support/manual-clock.ts';
import {
  entryContext,
  folder,
  github,
  login,
  model,
  newestComment,
  startWorkerEdges,
} from './support/worker-fixture.ts';
import type { WorkerProcessOrder } from './support/worker-process.ts';

const reached = Promise.withResolvers<void>();
startWorkerEdges(() => {
  reached.resolve();
  return { fault: 'stall' };
});

test('a permitted click stops a run in another process of the App', async () => {
  const repository = await github.createRepository('acme/elsewhere', { files: { 'a.txt': 'a\n' } });
  repository.setPermission('ada', 'write');
  repository.setPermission('rex', 'read');
  await repository.openIssue({ title: 'Long', author: 'ada' });
  repository.comment(1, { author: 'ada', body: '@anode work long' });
  const { apiUrl, serverUrl, state, log, writeToken } = entryContext();
  const token = await writeToken();
  const order: WorkerProcessOrder = {
    ...{ event: newestComment('delivery-1'), apiUrl, serverUrl, token, modelUrl: model.url, folder },
  };
  const program = path.join(import.meta.dirname, 'support/worker-process.ts');
  const other = fork(program, [JSON.stringify(order)], { execArgv: [] });
  onTestFinished(() => void other.kill());
  const ended = once(other, 'exit');
  await reached.promise;

  const [key = ''] = await state.list(stateKeys.open(''));
  const { plan } = OpenRun.parse(JSON.parse((await state.get(key)) ?? ''));
  const tenant = tenantOfKey(key) ?? expect.unreachable();
  const { store } = repositoryState(state, tenant);
  const octokit = createOctokit({ apiUrl, token });
  const clock = manualClock();
  const controls = startControls(plan, true, { octokit, store, ownLogin: login, log, clock });
  clock.advance(2_000);
  const box = () => repository.comments(1).find(({ body }) => body.startsWith('<!-- anode:controls '));
  await github.waitFor(async () => (await readControls(store, plan.run_id)) !== null);
  await controls.leave();
  const ports = {
    github: { reader: octokit, writer: octokit },
    store,
    runs: createActiveRuns(),
    ownLogin: login,
  };
  const tick = (author: string) => {
    const { id = 0, body = '' } = box() ?? {};
    repository.editComment(id, { author, body: body.replace('- [ ]', '- [x]') });
    return handleClick(latestEvent(github, 'issue_comment', 'edited', null), 'running', ports);
  };
  const pressed = [await tick('rex')];
  other.send('look');
  const isEmptyAgain = box()?.body.includes('- [ ]');
  pressed.push(await tick('ada'));
  other.send('look');
  const [code] = await ended;
  const told = repository
    .comments(1)
    .filter(({ author }) => author === login)
    .map(({ body }) => body.split('\n')[1]);
  expect({ pressed, isEmptyAgain, code, told }).toEqual({
    pressed: [
      { kind: 'done', reason: 'rex has no write permission' },
      { kind: 'done', reason: 'the run is stopped', stops: true },
    ],
    isEmptyAgain: true,
    code: 0,
    told: ['**Cancelled.** Stopped by ada.', '- [ ] Run the last request again'],
  });
});
