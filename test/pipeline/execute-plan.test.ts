import { expect, test } from 'vitest';
import type { ContentBudget } from '../../src/github/content-budget.ts';
import { handleEvent } from '../../src/pipeline/worker.ts';
import { createMemoryStateStore } from '../../src/state/memory-state-store.ts';
import { attempt, entryContext, github, newestComment, startWorkerEdges } from '../support/worker-fixture.ts';

/** Resolves once an edit of the progress waits for the budget. */
const editing = Promise.withResolvers<AbortSignal | undefined>();
startWorkerEdges(async () => {
  await editing.promise;
  return { text: 'It is red.' };
});

test('a run that may publish nothing stops editing its progress comment', async () => {
  const shop = await github.createRepository('acme/shop', { files: { 'a.txt': 'red\n' } });
  shop.setPermission('ada', 'write');
  const { number } = await shop.openIssue({ title: 'Which colour?', author: 'ada' });
  shop.comment(number, { author: 'ada', body: '/anode ask Which colour is it?' });
  const budget: ContentBudget = {
    rest() {},
    take(kind, signal) {
      if (kind === 'post') return Promise.resolve(true);
      editing.resolve(signal);
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(false)));
    },
  };
  const installation = async () => ({ permissions: {}, events: [], suspended: true });
  const state = createMemoryStateStore();
  const handled = await handleEvent(
    newestComment('suspended'),
    attempt(1),
    entryContext({ state, canAsk: true, budget, installation }),
  );
  const left = await editing.promise;
  expect([handled.kind === 'run' && handled.published.report, left?.aborted]).toEqual([
    'The installation is suspended, so nothing was published.',
    true,
  ]);
});
