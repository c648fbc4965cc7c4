import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { stateKeys } from '../../../src/contract/state-keys.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { readDecidedApproval } from '../../../src/webhooks/records/approval-record.ts';
import {
  confirmRequest,
  createPendingRequest,
  pendingHashIn,
  pendingMarker,
  readPendingRequest,
} from '../../../src/webhooks/records/pending-request.ts';
import { readBoxes } from '../../../src/webhooks/records/read-boxes.ts';
import { readStoppedSession, readWaitingSessions } from '../../../src/webhooks/records/read-waiting.ts';
import { savedSession } from '../decide-fixture.ts';
import { askedFor } from '../event-request.ts';
import { memoryStore } from '../memory-store.ts';

const head = '0123456789abcdef0123';
const location = { path: 'a', line: 1, side: 'LEFT', diff_hunk: '@', root_id: 3 } as const;
const whole = {
  kind: 'review',
  text: 'all',
  incremental: true,
  checksOnly: true,
  flags: { budget: 1, turns: 3, model: 'a/b', effort: 'low', profile: 'study' },
  location,
} as const;

test('a pending request has the whole request, bound to its head, thread and comment', () => {
  const held = createPendingRequest(askedFor(whole), head, 'run_1');
  const named = [head, 'acme', 'shop', 5, 9, { ...whole }];
  const hash = createHash('sha256').update(JSON.stringify(named)).digest('hex').slice(0, 16);
  expect(held).toEqual({
    ...{ version: 1, hash, head, request: whole },
  });
  const hashes = [
    held,
    createPendingRequest(askedFor({ ...whole, comment: null }), head, null),
    createPendingRequest(askedFor({ ...whole, thread: { kind: 'issue', number: 6 } }), head, null),
    createPendingRequest(askedFor({ ...whole, repository: { owner: 'acme', name: 'other' } }), head, null),
    createPendingRequest(askedFor({ ...whole, repository: { owner: 'other', name: 'shop' } }), head, null),
    createPendingRequest(askedFor({ ...whole, text: 'some' }), head, null),
    createPendingRequest(askedFor(whole), 'another', null),
  ].map((one) => one?.hash);
  expect(new Set(hashes).size).toBe(7);
});

test('a pending answer names its run, and a decision is not stored', () => {
  const answer = (answers: string | null) =>
    createPendingRequest(askedFor({ kind: 'answer', text: 'blue' }), head, answers)?.answers;
  expect([
    answer('run_1'),
    answer(null),
    createPendingRequest(askedFor({ kind: 'approve' }), head, null),
  ]).toEqual(['run_1', undefined, null]);
});

test('each pending request is read from its thread by its hash', async () => {
  const store = memoryStore();
  const at = askedFor();
  const held = createPendingRequest(at, head, null);
  const other = createPendingRequest(askedFor({ text: 'another' }), head, null);
  const [hash = '', second = ''] = [held?.hash, other?.hash];
  expect([
    stateKeys.pendingRequest(at.thread.number, hash),
    await readPendingRequest(store, at, hash),
  ]).toEqual([`held/5/${hash}`, null]);
  store.values.set(stateKeys.pendingRequest(at.thread.number, hash), JSON.stringify(held));
  store.values.set(stateKeys.pendingRequest(at.thread.number, second), JSON.stringify(other));
  const both = [await readPendingRequest(store, at, hash), await readPendingRequest(store, at, second)];
  expect([...both, await readPendingRequest(store, at, null)]).toEqual([held, other, null]);
  expect([
    pendingHashIn(`a\n${pendingMarker(hash)}`),
    pendingHashIn('<!-- anode:head v1 hash=x -->'),
  ]).toEqual([hash, null]);
  store.values.set(stateKeys.pendingRequest(at.thread.number, hash), '{"version":2}');
  expect(await readPendingRequest(store, at, hash)).toBeNull();
});

test('a confirmation starts the pending request for its confirmer, while the head is the same', async () => {
  const store = memoryStore();
  const hash = 'fedcba9876543210';
  const keep = (request: object, more: object = {}) =>
    store.values.set(`held/5/${hash}`, JSON.stringify({ version: 1, hash, head, request, ...more }));
  const yes = (change: Partial<Trigger> = {}, now: string | null = head) =>
    confirmRequest(askedFor({ kind: 'continue', text: hash, note: 'n', actor: rex, ...change }), now, store);
  const rex = { login: 'rex', id: 8, type: 'User' };
  keep(whole);
  expect(await yes({ edited: { from: 'a', body: 'b' } })).toEqual({
    kind: 'confirmed',
    trigger: askedFor({ ...whole, note: null, actor: rex }),
    answers: null,
  });
  keep({ kind: 'answer', text: 'blue', location: null }, { answers: 'run_1' });
  const answered = await yes();
  expect(answered).toEqual({
    kind: 'confirmed',
    trigger: askedFor({ kind: 'answer', text: 'blue', actor: rex }),
    answers: 'run_1',
  });
  expect(Object.keys(answered?.kind === 'confirmed' ? answered.trigger : {})).not.toContain('flags');
  expect([await yes({ text: 'go on' }), await yes({ kind: 'task' })]).toEqual([null, null]);
  expect([
    await yes({}, 'abcdefabcdefabcdef'),
    await yes({}, null),
    await yes({ text: '0'.repeat(16) }),
  ]).toEqual(
    [
      'The head is abcdefabcdef now and not 0123456789ab, which this was about. Ask again in a new comment.',
      'The head is gone now and not 0123456789ab, which this was about. Ask again in a new comment.',
      'Nothing with the hash `0000000000000000` waits on this thread to be run.',
    ].map((reason) => ({ kind: 'refused', reason })),
  );
});

test('a decision on an approval is read by its thread and hash', async () => {
  const store = memoryStore();
  const key = stateKeys.approval(askedFor().thread.number, 'f00');
  expect([key, await readDecidedApproval(store, key)]).toEqual(['approval/5/f00', null]);
  store.values.set(key, '{"by":"ada","verdict":"approve"}');
  expect(await readDecidedApproval(store, key)).toEqual({ by: 'ada', verdict: 'approve' });
  store.values.set(key, '{"by":"ada","verdict":"maybe"}');
  expect(await readDecidedApproval(store, key)).toBeNull();
});

test('waiting sessions of a thread are listed newest first, and an unreadable one is logged', async () => {
  const store = memoryStore();
  const told: string[] = [];
  const sessions = ['run_1', 'run_2'].map((run_id) => savedSession({ run_id }));
  for (const session of sessions) store.values.set(`waiting/5/${session.run_id}`, JSON.stringify(session));
  store.values.set('waiting/5/run_3', '{"version":1}');
  store.values.set('waiting/55/run_4', JSON.stringify(sessions[0]));
  store.values.set('stopped/5', JSON.stringify(sessions[1]));
  const at = askedFor() as never;
  expect(await readWaitingSessions(store, at, (line) => told.push(line))).toEqual(sessions.toReversed());
  expect(told).toEqual([
    expect.stringMatching(/^The session at waiting\/5\/run_3 cannot be read and is skipped: .+\.$/),
  ]);
  expect(await readStoppedSession(store, at, () => {})).toEqual(sessions[1]);
  expect(await readStoppedSession(memoryStore(), at, () => {})).toBeNull();
});

test('the comment with the boxes of a session is read by its run', async () => {
  const store = memoryStore();
  const session = savedSession({ run_id: 'run_1' });
  const boxes = { version: 1, comment_id: 3, url: 'u', text: 't', boxes: [] };
  expect(await readBoxes(store, session)).toBeNull();
  store.values.set('boxes/run_1', JSON.stringify(boxes));
  expect(await readBoxes(store, session)).toEqual(boxes);
  store.values.set('boxes/run_1', '{}');
  expect(await readBoxes(store, session)).toBeNull();
});
