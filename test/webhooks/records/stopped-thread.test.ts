import { expect, it } from 'vitest';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { saveStop, takeStopReply, wasStopped } from '../../../src/webhooks/records/stopped-thread.ts';
import { memoryStore } from '../memory-store.ts';

const asked = (at: string, number = 7): Trigger => ({
  kind: 'task',
  automated: false,
  event: 'issue_comment.created',
  repository: { owner: 'acme', name: 'shop' },
  thread: { kind: 'issue', number },
  actor: { login: 'ada', id: 1, type: 'User' },
  text: '',
  note: null,
  comment: null,
  location: null,
  at,
  head_sha: null,
  installation_id: null,
});
const app = { host: 'app', dryRun: false };

it('stops earlier requests of its thread, including those of the same second', async () => {
  const store = memoryStore();
  const stop = asked('2026-01-01T10:00:05Z');
  expect(await wasStopped(store, stop)).toBe(false);
  await saveStop(store, stop, 2);
  const seconds = ['04', '05', '06'].map((second) => asked(`2026-01-01T10:00:${second}Z`));
  expect(
    await Promise.all([...seconds, asked('2026-01-01T10:00:04Z', 8)].map((one) => wasStopped(store, one))),
  ).toEqual([true, true, false, false]);
});

it('reports once that nothing was running, and lets later requests run', async () => {
  const store = memoryStore();
  const stop = asked('2026-01-01T10:00:05Z');
  await saveStop(store, stop, 2);
  expect(await takeStopReply(stop, { store, settings: { ...app, dryRun: true } })).toBeNull();
  expect(await takeStopReply(stop, { store, settings: app })).toBeNull();
  expect([await wasStopped(store, stop), await takeStopReply(stop, { store, settings: app })]).toEqual([
    false,
    'Nothing was running here.',
  ]);
  store.values.set('stopped-at/7', '{"at":1}');
  expect(await takeStopReply(stop, { store, settings: app })).toBe('Nothing was running here.');
  expect(await takeStopReply(stop, { store, settings: { host: 'action', dryRun: false } })).toMatch(
    'cancelling the workflow run',
  );
});
