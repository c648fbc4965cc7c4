import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { recordHead } from '../../../src/webhooks/records/head-record.ts';
import { reportedPull } from '../../../src/webhooks/records/reported-pull.ts';
import { isBehind } from '../../../src/webhooks/triggers/is-behind.ts';

const [early, late] = ['2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z'];
const pullEvent = (head: string, updated_at: string | null) => ({
  ...{ name: 'pull_request', delivery_id: null },
  payload: {
    ...{ action: 'synchronize', repository: { name: 'shop', owner: { login: 'acme' } } },
    pull_request: { number: 7, head: { sha: head }, base: { ref: 'main' }, updated_at },
  } satisfies JsonObject,
});
const thread = { kind: 'pull_request', number: 7 } as const;
const candidate = { repository: { owner: 'acme', name: 'shop' }, thread };
const comment = { name: 'issue_comment', delivery_id: null, payload: {} };

test('an event of a pull request reports it, and any other event uses the last record', async () => {
  const store = createMemoryStateStore();
  const before = await reportedPull(comment, candidate, store);
  await recordHead(store, pullEvent('new', late));
  expect([
    before,
    await reportedPull(comment, candidate, store),
    await reportedPull(pullEvent('old', early), candidate, store),
    await reportedPull({ ...pullEvent('old', early), name: 'pull_request_review' }, candidate, store),
    await reportedPull({ ...pullEvent('old', early), name: 'issue_comment' }, candidate, store),
    await reportedPull(pullEvent('old', null), candidate, store),
    await reportedPull(comment, { ...candidate, thread: { ...thread, kind: 'issue' } }, store),
  ]).toEqual([
    null,
    { head: 'new', base: null, updatedAt: Date.parse(late) },
    { head: 'old', base: 'main', updatedAt: Date.parse(early) },
    { head: 'old', base: 'main', updatedAt: Date.parse(early) },
    { head: 'new', base: null, updatedAt: Date.parse(late) },
    { head: 'new', base: null, updatedAt: Date.parse(late) },
    null,
  ]);
});

test('a read is outdated if it is older and has another head or base', () => {
  const read = { head: 'old', base: 'main', updatedAt: 1 };
  const told = { head: 'new', base: 'main', updatedAt: 2 };
  expect([
    isBehind(read, told),
    isBehind({ ...read, updatedAt: 2 }, told),
    isBehind({ ...read, head: 'new', base: 'release' }, told),
    isBehind({ ...read, updatedAt: 3 }, told),
    isBehind({ ...read, head: 'new' }, told),
    isBehind({ ...read, head: 'new', base: 'release' }, { ...told, base: null }),
    isBehind(read, null),
  ]).toEqual([true, true, true, false, false, false, false]);
});
