import { expect, it } from 'vitest';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import {
  saveDropped,
  saveStop,
  takeStopReply,
  wasStopped,
} from '../../../src/webhooks/records/stopped-thread.ts';
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
  await saveStop(store, stop, ['a', 'b']);
  const seconds = ['04', '05', '06'].map((second) => asked(`2026-01-01T10:00:${second}Z`));
  expect(
    await Promise.all([...seconds, asked('2026-01-01T10:00:04Z', 8)].map((one) => wasStopped(store, one))),
  ).toEqual([true, true, false, false]);
});

it('reports once that nothing was running, and lets later requests run', async () => {
  const store = memoryStore();
  const stop = asked('2026-01-01T10:00:05Z');
  await saveStop(store, stop, ['a', 'b']);
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

it('names what it stopped and each request that it dropped, once', async () => {
  const store = memoryStore();
  const repository = { clone_url: 'https://github.test/acme/shop.git' };
  const stop = asked('2026-01-01T10:00:05Z');
  const request = { ...asked('2026-01-01T10:00:04Z'), text: 'paint `it`' };
  const commented = { ...request, comment: { id: 9, kind: 'issue_comment' } as const };
  await saveDropped(store, request, repository);
  await saveStop(store, stop, []);
  await saveDropped(store, commented, repository);
  await saveDropped(store, commented, repository);
  await saveStop(store, stop, ['`task begin`']);
  await saveDropped(store, { ...request, kind: 'review', automated: true }, repository);
  expect(await takeStopReply(stop, { store, settings: app })).toBe(
    [
      'Stopped, with a report of the work so far:\n- `task begin`',
      "Dropped 2 requests that waited:\n- `task paint 'it'`, [as ada asked](https://github.test/acme/shop/issues/7#issuecomment-9)\n- `review` of a push",
      'Ask again in a new comment if you still want one.',
    ].join('\n\n'),
  );
  await saveStop(store, stop, []);
  for (let count = 1; count <= 22; count += 1)
    await saveDropped(store, { ...request, text: `${count}` }, repository);
  expect((await takeStopReply(stop, { store, settings: app }))?.split('\n').slice(-4)).toEqual([
    '- `task 20`, as ada asked',
    '- and 2 more',
    '',
    'Ask again in a new comment if you still want one.',
  ]);
});
