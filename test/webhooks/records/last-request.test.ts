import { expect, test } from 'vitest';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import {
  isSameRequest,
  lastRequestedRun,
  repeatedRequest,
  saveRequest,
} from '../../../src/webhooks/records/last-request.ts';
import { memoryStore } from '../memory-store.ts';

const trigger = (more: Partial<Trigger> = {}): Trigger => ({
  kind: 'review',
  automated: false,
  event: 'issue_comment.created',
  repository: { owner: 'acme', name: 'shop' },
  thread: { kind: 'pull_request', number: 5 },
  actor: { login: 'ada', id: 7, type: 'User' },
  text: 'the errors',
  note: null,
  comment: null,
  location: null,
  at: '2026-01-02T03:04:05.000Z',
  head_sha: null,
  installation_id: null,
  ...more,
});
const location = { path: 'a', line: 1, side: 'RIGHT', diff_hunk: '@', root_id: 3 } as const;

test('the last request of a thread is stored and repeated, with newer flags', async () => {
  const store = memoryStore();
  const first = trigger({ incremental: true, checksOnly: true, location, flags: { turns: 3, budget: 1 } });
  await saveRequest(store, first, 'run_1');
  expect([...store.values.keys()]).toEqual(['request/5']);
  expect(await lastRequestedRun(store, first)).toBe('run_1');
  const again = trigger({ kind: 'retry', text: '', note: 'n', actor: { login: 'rex', id: 8, type: 'User' } });
  expect([
    await repeatedRequest(store, again),
    await repeatedRequest(store, { ...again, flags: { turns: 9 } }),
  ]).toEqual([
    { ...first, actor: again.actor },
    { ...first, actor: again.actor, flags: { turns: 9, budget: 1 } },
  ]);
  await saveRequest(store, trigger({ kind: 'fix' }), 'run_2');
  expect(await repeatedRequest(store, again)).toEqual(trigger({ kind: 'fix', actor: again.actor }));
});

test('decisions are not stored, and without a record there is no request', async () => {
  const store = memoryStore();
  for (const kind of ['answer', 'approve', 'retry', 'help', 'stop'] as const)
    await saveRequest(store, trigger({ kind }), 'run_1');
  expect([...store.values]).toEqual([]);
  const none = async () => [
    await lastRequestedRun(store, trigger()),
    await repeatedRequest(store, trigger()),
    await isSameRequest(store, trigger(), 'run_1'),
  ];
  expect(await none()).toEqual([null, null, false]);
  await saveRequest(store, trigger(), 'run_1');
  const [kept = ''] = store.values.values();
  expect(await isSameRequest(store, trigger(), 'run_1')).toBe(true);
  store.values.set('request/5', JSON.stringify({ ...JSON.parse(kept), version: 2 }));
  expect(await none()).toEqual([null, null, false]);
});

test('a request is identified by its run, verb, text, flags and review thread', async () => {
  const store = memoryStore();
  const flags = { turns: 3, budget: 1 };
  await saveRequest(store, trigger({ flags, location }), 'run_1');
  const same = (more: Partial<Trigger>, run = 'run_1') =>
    isSameRequest(store, trigger({ flags, location, ...more }), run);
  expect([
    await same({}),
    await same({ flags: { budget: 1, turns: 3 } }),
    await same({ location: { ...location, line: 9 } }),
    await same({}, 'run_2'),
    await same({ kind: 'fix' }),
    await same({ text: 'else' }),
    await same({ flags: { turns: 3 } }),
    await same({ location: { ...location, root_id: 4 } }),
    await same({ location: null }),
  ]).toEqual([true, true, true, false, false, false, false, false, false]);
  await saveRequest(store, trigger(), 'run_3');
  expect(await isSameRequest(store, trigger(), 'run_3')).toBe(true);
});
