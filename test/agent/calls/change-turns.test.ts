import { expect, test } from 'vitest';
import { createChangeTurns } from '../../../src/agent/calls/change-turns.ts';

const { signal } = new AbortController();

test('looks are had side by side, but not while a call changes the checkout or waits to', async () => {
  const turns = createChangeTurns();
  const looks = [turns.look(), turns.look()];
  const said: string[] = [];
  const taken = turns.take(signal).then((end) => {
    said.push('taken');
    return end;
  });
  expect([looks.includes(null), turns.look()]).toEqual([false, null]);
  looks[0]?.();
  await Promise.resolve();
  expect(said).toEqual([]);
  looks[1]?.();
  const end = await taken;
  expect(turns.look()).toBeNull();
  end();
  end();
  expect(turns.look()).not.toBeNull();
});

test('a turn whose call was aborted as it waited keeps nobody from looking', async () => {
  const turns = createChangeTurns();
  const first = await turns.take(signal);
  const aborted = turns.take(AbortSignal.abort(new Error('over')));
  await expect(aborted).rejects.toThrow('over');
  first();
  expect(turns.look()).not.toBeNull();
});
