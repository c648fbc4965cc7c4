import { expect, test } from 'vitest';
import { createChangeTurns } from '../../../src/agent/calls/change-turns.ts';

const { signal } = new AbortController();

test('turns are had one after the other, in the order in which they were asked for', async () => {
  const turns = createChangeTurns();
  const said: string[] = [];
  const first = await turns.take(signal);
  const others = ['second', 'third'].map((name) =>
    turns.take(signal).then((end) => {
      said.push(name);
      return end;
    }),
  );
  await Promise.resolve();
  expect(said).toEqual([]);
  first();
  first();
  const second = await others[0];
  expect(said).toEqual(['second']);
  second?.();
  await others[1];
  expect(said).toEqual(['second', 'third']);
});

test('a turn whose call was aborted as it waited keeps nobody waiting', async () => {
  const turns = createChangeTurns();
  const first = await turns.take(signal);
  const aborted = turns.take(AbortSignal.abort(new Error('over')));
  await expect(aborted).rejects.toThrow('over');
  first();
  await turns.take(signal);
});
