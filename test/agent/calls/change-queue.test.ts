import { expect, test } from 'vitest';
import { createChangeQueue } from '../../../src/agent/calls/change-queue.ts';

const { signal } = new AbortController();

test('turns are granted one at a time, in the order of the requests', async () => {
  const turns = createChangeQueue();
  const reply: string[] = [];
  const first = await turns.acquire(signal);
  const others = ['second', 'third'].map((name) =>
    turns.acquire(signal).then((end) => {
      reply.push(name);
      return end;
    }),
  );
  await Promise.resolve();
  expect(reply).toEqual([]);
  first();
  first();
  const second = await others[0];
  expect(reply).toEqual(['second']);
  second?.();
  await others[1];
  expect(reply).toEqual(['second', 'third']);
});

test('a waiting turn whose call was aborted does not block others', async () => {
  const turns = createChangeQueue();
  const first = await turns.acquire(signal);
  const aborted = turns.acquire(AbortSignal.abort(new Error('over')));
  await expect(aborted).rejects.toThrow('over');
  first();
  await turns.acquire(signal);
});
