import { expect, test } from 'vitest';
import { handleEvent } from '../src/pipeline/worker.ts';
import { latestEvent } from './support/latest-event.ts';
import {
  attempt,
  entryContext,
  github,
  model,
  newestComment,
  startWorkerEdges,
} from './support/worker-fixture.ts';

startWorkerEdges(({ messages }) =>
  messages.length === 1
    ? { calls: [{ name: 'create_file', input: { path: 'c.js', content: 'c\n' } }] }
    : { text: 'Added c.' },
);

test('on a locked thread no review runs, and changes are still committed', async () => {
  const repository = await github.createRepository('acme/locked', { files: { 'a.js': 'a\n' } });
  repository.setPermission('ada', 'write');
  await repository.commit('work', { files: { 'a.js': 'b\n' }, message: 'B', author: 'ada' });
  await repository.openPullRequest({ title: 'B', head: 'work', author: 'ada' });
  const locked = () =>
    github.failNext({
      ...{ method: 'POST', path: /\/issues\/1\/comments$/u, status: 403, times: 20 },
      message: 'Unable to create comment because issue is locked.',
    });
  locked();
  const review = await handleEvent(
    latestEvent(github, 'pull_request', 'opened', null),
    attempt(1),
    entryContext({ canAsk: true }),
  );
  const asked = model.requests.length;
  repository.comment(1, { author: 'ada', body: '@anode add c' });
  const fix = await handleEvent(newestComment(null), attempt(1), entryContext({ canAsk: true }));
  expect({
    review: review.kind,
    asked,
    fix: fix.kind === 'run' && [fix.outcome.conclusion, ...fix.published.failures],
    text: await repository.git('show', 'work:c.js'),
  }).toEqual({
    review: 'skipped',
    asked: 0,
    fix: ['success', 'The report could not be posted: Unable to create comment because issue is locked.'],
    text: 'c',
  });
});
